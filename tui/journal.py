"""The journal: what happened to a plan, one record a line, kept across restarts."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tui.host.sample import Signal
from tui.plan.directives import Kind
from tui.plan.transitions import Change, Span, Transition
from tui.view import Alarm

_TAIL = 262_144
"""Bytes read back at the start: enough for the tasks of any plan still being worked on."""


@dataclass(frozen=True, slots=True)
class Seen:
    """That the user has acknowledged the alarms about a task."""

    content: str
    at: float


class Journal:
    """One plan's journal; of several processes that watch a plan, the first one writes it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.jsonl"
        self._descriptor: int | None = None

    def record(self, *happenings: Transition | Alarm | Signal | Seen) -> None:
        """Append what happened; without room or rights it is not kept, and nothing else fails."""
        if not happenings or not self._open():
            return
        lines = b"".join(json.dumps(_to_json(h)).encode() + b"\n" for h in happenings)
        assert self._descriptor is not None
        with contextlib.suppress(OSError):
            size = os.fstat(self._descriptor).st_size
            if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
                # An earlier write came to nothing half way, in want of room: its line ends here.
                lines = b"\n" + lines
            os.write(self._descriptor, lines)

    def spans(self) -> dict[str, Span]:
        """Return when each task was last seen to start and end, by its content."""
        found: dict[str, Span] = {}
        for record in self.tail():
            tasks, at = record.get("tasks"), record.get("at")
            if not isinstance(tasks, list) or not isinstance(at, int | float):
                continue
            match record.get("what"):
                case Change.STARTED:
                    found |= {str(task): Span(at) for task in tasks}
                case Change.COMPLETED if len(tasks) == 1:
                    _end(found, str(tasks[0]), at, record)
                case Change.PIVOT if len(tasks) == 2:
                    _end(found, str(tasks[0]), at, record)
                    found[str(tasks[1])] = Span(at)
                case _:
                    pass
        return found

    def unseen(self) -> dict[str, Alarm]:
        """Return the latest alarm about each content that nobody has acknowledged; without keys."""
        found: dict[str, Alarm] = {}
        for record in self.tail():
            tasks = record.get("tasks")
            if not isinstance(tasks, list) or not tasks or not isinstance(tasks[0], str):
                continue
            match record.get("what"):
                case "alarm":
                    with contextlib.suppress(ValueError, TypeError, KeyError):
                        found[tasks[0]] = Alarm(
                            "",
                            tasks[0],
                            Kind(record["against"]),
                            record["did"] == "finished",
                            str(record.get("reason", "")),
                            float(record["at"]),
                        )
                case "acknowledged":
                    found.pop(tasks[0], None)
                case _:
                    pass
        return found

    def tail(self) -> Iterator[dict[str, Any]]:
        """Yield the latest records, the oldest first; damaged lines are passed over."""
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _TAIL))
                lines = file.read().split(b"\n")
        except OSError:
            return
        for line in lines[1:] if size > _TAIL else lines:
            with contextlib.suppress(ValueError, RecursionError):
                record = json.loads(line)
                if isinstance(record, dict):
                    yield record

    def close(self) -> None:
        """Let another process go on writing it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _open(self) -> bool:
        if self._descriptor is not None:
            return True
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            descriptor = os.open(self.path, flags, 0o600)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True


def _end(found: dict[str, Span], task: str, at: float, record: dict[str, Any]) -> None:
    took = record.get("took")
    if isinstance(took, int | float):
        found[task] = Span(at - took, at, not record.get("at_least", False))


def _to_json(happening: Transition | Alarm | Signal | Seen) -> dict[str, Any]:
    out: dict[str, Any] = {"v": 1, "at": round(happening.at, 3)}
    match happening:
        case Transition():
            out |= {"what": happening.change.value, "tasks": list(happening.contents)}
            if happening.took is not None:
                out["took"] = round(happening.took, 3)
                out |= {} if happening.took_exact else {"at_least": True}
            if happening.before:
                out["before"] = happening.before
            out |= {"done": happening.done, "total": happening.total}
        case Alarm():
            did = "finished" if happening.finished else "started"
            out |= {"what": "alarm", "tasks": [happening.content], "did": did}
            out |= {"against": happening.kind.value, "reason": happening.reason}
        case Seen():
            out |= {"what": "acknowledged", "tasks": [happening.content]}
        case Signal():
            out |= {"what": happening.event.value, "where": happening.where}
            out |= {"bytes": happening.amount, "by": happening.by}
    return out
