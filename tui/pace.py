"""When a store may be written to, and when to look at it again although nothing was heard."""

from __future__ import annotations

from collections.abc import Callable

from tui.stores.base import Stamp

QUIET = 0.15
"""Seconds without a write of the agent's before its store is written to."""
_RETRY_BUSY, _RETRY_FAILED = (0.3, 5.0), (5.0, 60.0)
_BEING_WRITTEN = 0.1
_CLOCK_SLACK = 60.0


class Pace:
    """Keeps the pace of one store; all times are by the monotonic clock, in seconds."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._quiet_from = self._retry_from = 0.0
        self._read_due: float | None = None
        self._write_due: float | None = None
        self._failures = 0

    @property
    def due(self) -> float | None:
        """When to look again, or None."""
        return min((d for d in (self._read_due, self._write_due) if d is not None), default=None)

    def looked(self, *, being_written: bool) -> None:
        """The store was read; one that is being written is read again soon."""
        self._read_due = self._monotonic() + _BEING_WRITTEN if being_written else None

    def changed(self, age: float) -> None:
        """Another plan was found in the store, written so many seconds ago."""
        self._quiet_from = self._monotonic() + max(0.0, QUIET - max(0.0, age))
        self._retry_from = 0.0

    def may_write(self) -> bool:
        """Return whether now is the time to write; if not, `due` says when it will be."""
        due = max(self._quiet_from, self._retry_from)
        self._write_due = due if due > self._monotonic() else None
        return self._write_due is None

    def rest(self) -> None:
        """There is nothing to write."""
        self._write_due = None

    def failed(self, *, busy: bool) -> None:
        """A write did not succeed: the next try comes later each time."""
        low, high = _RETRY_BUSY if busy else _RETRY_FAILED
        self._retry_from = self._monotonic() + min(high, low * 2 ** min(self._failures, 6))
        self._write_due = self._retry_from
        self._failures += 1

    def at_once(self) -> None:
        """A write succeeded, or the user waits for one: no earlier failure delays the next."""
        self._failures, self._retry_from = 0, 0.0


def moment(stamp: Stamp, now: float) -> float:
    """Return when the agent wrote, in seconds since the epoch.

    It is the file's own time, unless that lies ahead or long ago: then some clock is wrong.
    """
    written = stamp[3] / 1e9
    return written if 0.0 <= now - written < _CLOCK_SLACK else now
