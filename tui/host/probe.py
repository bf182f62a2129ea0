"""The parent's side of one probe child: it asks, listens, and gives up on a child that is stuck.

Nothing here waits. There is never more than one child per probe: one that cannot even be killed,
because the kernel holds it in a call that does not return, keeps its probe silent until it ends.
Times are monotonic seconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tui

# A silent child is killed after this long; a new one may find the driver or server well again.
ABANDON_AFTER = 60.0
_BACKOFF = (1.0, 5.0, 15.0, 60.0)
# A child that has answered this often is well; until then its failures add up.
_TRUSTED_AFTER = 5
# Killed children that had not ended yet; reaped as they do.
_strays: set[int] = set()


def child(module: str) -> tuple[str, ...]:
    """Return the command line that runs a module of this package as a probe child.

    Without the site machinery it starts in half the time, and never imports from the directory
    that the user happens to be in.
    """
    return sys.executable, "-P", "-S", "-m", f"tui.host.{module}"


def environment() -> dict[str, str]:
    """Return an environment in which a child imports what this process does, in the same order."""
    root = str(Path(tui.__file__).absolute().parents[1])
    path = [os.path.abspath(entry) for entry in sys.path if entry]  # noqa: PTH100
    if root not in path:
        path.append(root)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


class Probe:
    """One child and the one request it may have outstanding."""

    def __init__(self, command: Sequence[str], abandon_after: float = ABANDON_AFTER) -> None:
        self._command = tuple(command)
        self._abandon_after = abandon_after
        self._pid: int | None = None
        self._stdin = self._stdout = -1
        self._buffer = b""
        self._asked: float | None = None
        self._due: float | None = None
        self._rest_until = 0.0
        self._failures = self._answers = 0

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is none."""
        return self._pid

    @property
    def handle(self) -> int | None:
        """The pipe to select on for an answer, None while there is no child to hear."""
        return self._stdout if self._stdout >= 0 else None

    @property
    def waiting(self) -> bool:
        """True while a request is outstanding with a child that may answer it."""
        return self._asked is not None and self._stdout >= 0

    def overdue(self, now: float) -> float:
        """Return for how many seconds an answer has been wanted in vain; 0.0 if none is."""
        return 0.0 if self._due is None else now - self._due

    def ask(self, request: Mapping[str, Any], now: float) -> None:
        """Send a request unless one is outstanding or the child asked for rest; never blocks."""
        if self._stdout < 0 and self._pid is not None and _ended(self._pid):
            self._pid = None
        if now < self._rest_until and self._due is None:
            return
        if self._due is None:
            self._due = now
        if self._asked is not None and now - self._asked >= self._abandon_after:
            self._fail(now)
        if self._asked is not None or not self._ready(now):
            return
        line = json.dumps(request).encode() + b"\n"
        try:
            sent = os.write(self._stdin, line)
        except OSError:
            sent = 0
        if sent != len(line):
            self._fail(now)
            return
        self._asked = now

    def read(self, now: float) -> dict[str, Any] | None:
        """Return the answer if it is complete; never blocks."""
        try:
            while chunk := os.read(self._stdout, 65536):
                self._buffer += chunk
        except BlockingIOError:
            if not self._buffer.endswith(b"\n"):
                return None
        except OSError:
            self._fail(now)
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            said = json.loads(line)
        except ValueError:
            # The child ended; when it had been asked something that is a failure.
            self._fail(now)
            return None
        if not isinstance(said, dict):
            self._fail(now)
            return None
        self._asked = self._due = None
        self._answers += 1
        if self._answers >= _TRUSTED_AFTER:
            self._failures = 0
        self._rest_until = now + float(said.get("retry", 0.0))
        if said.get("leave"):
            self._drop()
        return said

    def close(self) -> None:
        """End the child without waiting for it."""
        self._drop()
        if self._pid is not None:
            _strays.add(self._pid)
            self._pid = None

    def _ready(self, now: float) -> bool:
        """Return whether there is a child to ask, after starting one if it may be started."""
        if self._stdout >= 0:
            return True
        if self._pid is not None or now < self._rest_until:
            return False
        reap()
        try:
            self._spawn()
        except OSError:
            self._fail(now)
            return False
        return True

    def _spawn(self) -> None:
        self._answers = 0
        theirs: list[int] = []
        try:
            requests, self._stdin = os.pipe()
            theirs.append(requests)
            self._stdout, answers = os.pipe()
            theirs.append(answers)
            null = os.open(os.devnull, os.O_WRONLY)
            theirs.append(null)
            os.set_blocking(self._stdin, False)
            os.set_blocking(self._stdout, False)
            # In a process group of its own the terminal's ^C does not reach the child.
            self._pid = os.posix_spawn(
                self._command[0],
                self._command,
                environment(),
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, requests, 0),
                    (os.POSIX_SPAWN_DUP2, answers, 1),
                    (os.POSIX_SPAWN_DUP2, null, 2),
                ],
                setpgroup=0,
            )
        finally:
            for handle in theirs:
                os.close(handle)

    def _fail(self, now: float) -> None:
        """Give this child up; the next one may come after a pause that grows with each failure."""
        self._drop()
        if self._due is None:
            self._due = now
        self._rest_until = now + _BACKOFF[min(self._failures, len(_BACKOFF) - 1)]
        self._failures += 1

    def _drop(self) -> None:
        for handle in (self._stdin, self._stdout):
            if handle >= 0:
                os.close(handle)
        self._stdin = self._stdout = -1
        self._buffer = b""
        self._asked = None
        if self._pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            if _ended(self._pid):
                self._pid = None


def _ended(pid: int) -> bool:
    """Return whether a child has ended, and reap it if so."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def reap() -> bool:
    """Reap the closed probes' children that have ended; return whether all have."""
    _strays.difference_update([pid for pid in _strays if _ended(pid)])
    return not _strays
