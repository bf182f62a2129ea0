"""Reading a file whole while its writer knows nothing of us, or saying what is wrong with it."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import signal
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tui.plan.text import neutralise
from tui.stores.base import Stamp
from tui.stores.spans import Bad
from tui.view import Health

LIMIT = 64 << 20
"""The largest file that is read, in bytes."""
PATIENCE = 0.05
"""How long a read waits for a writer to finish, in seconds."""
DAMAGED_AFTER = 3.0
"""How long the same bytes may fail to parse before the file counts as damaged, in seconds."""

_APART = 0.02  # two equal reads this far apart stand in for a probe
_PAGE = 4096  # a file up to this size is written by one call: a stable stat is enough


Parsed = TypeVar("Parsed")


class Unread(Exception):
    """The file cannot be shown; `problem` is one line: what, where and what to do."""

    def __init__(self, health: Health, problem: str) -> None:
        super().__init__(problem)
        self.health = health
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Look:
    """One read: the bytes, their stamp, and whether a writer may be at work.

    `writer` is True when the file changed under the read or somebody has it open for writing,
    None when nobody can tell.
    """

    data: bytes
    stamp: Stamp
    writer: bool | None


def stamp_from(st: os.stat_result) -> Stamp:
    """Return what tells one version of a file from another."""
    return st.st_dev, st.st_ino, st.st_size, st.st_mtime_ns, st.st_ctime_ns


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file now, following links, or None when there is nothing to see."""
    try:
        return stamp_from(path.stat())
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None


def shown(path: Path) -> str:
    """Return the path as harmless text."""
    return neutralise(str(path))


class Suspicion:
    """Remembers since when the same bytes have failed to parse with nobody writing them."""

    def __init__(self) -> None:
        self._digest = self._held = b""
        self._since = self._held_since = 0.0

    def clear(self) -> None:
        """Forget: the file was read whole."""
        self._digest = b""

    def knows(self, data: bytes) -> bool:
        """Return whether these are the bytes that failed before."""
        return self._digest == _digest(data)

    def still(self, data: bytes, now: float) -> float:
        """Return how many seconds a document that somebody holds open has not changed."""
        if self._held != (mark := _digest(data)):
            self._held, self._held_since = mark, now
        return now - self._held_since

    def age(self, data: bytes, writer: bool, now: float) -> float:
        """Return how many seconds these bytes have stood unwritten; `now` is monotonic time."""
        if writer or not self.knows(data):
            self._digest, self._since = _digest(data), now
        return now - self._since


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


_HELD = 0.5
"""Seconds that a whole document stands still under a writer before it counts as written."""


def no_writer(fd: int) -> bool | None:
    """Return whether nobody has the file open for writing, by taking a read lease and returning it.

    None where the file system has no leases or the file belongs to somebody else. For some 3 µs an
    opener that does not wait (O_NONBLOCK) would be refused.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        # An opener in those 3 µs makes the kernel signal us: SIGURG is ignored unless handled,
        # while SIGIO, the default, would end the process.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return False if error.errno == errno.EAGAIN else None
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return True


def look(path: Path, probe: bool = True) -> Look:
    """Read the file once, without ever waiting for anybody; raises Unread."""
    try:
        # A device may act on being opened, so it is refused before.
        _require_plain(path, path.stat())
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except BlockingIOError:  # somebody holds a write lease
        return Look(b"", (0, 0, 0, 0, 0), writer=True)
    except (OSError, ValueError) as error:
        raise _unread(path, error) from None
    try:
        quiet = no_writer(fd) if probe else None
        before = os.fstat(fd)
        _require_plain(path, before)
        data = os.pread(fd, before.st_size + _PAGE, 0)
        after = os.fstat(fd)
        if quiet:
            quiet = no_writer(fd)
    except OSError as error:
        raise _unread(path, error) from None
    finally:
        os.close(fd)
    stamp = stamp_from(after)
    if stamp != stamp_from(before) or len(data) != after.st_size:
        quiet = False
    return Look(data, stamp, writer=None if quiet is None else not quiet)


def read_document(
    path: Path,
    parse: Callable[[bytes], Parsed],
    suspicion: Suspicion,
    probe: bool = True,
    patience: float = PATIENCE,
) -> tuple[Look, Parsed]:
    """Return the file as its writer left it, and what `parse` makes of it; raises Unread.

    `parse` raises Bad for what is no complete document; everything else it raises passes through.
    `probe` False leaves out the lease: for agents that open without waiting, and for file systems
    where it proves nothing. Waits `patience` seconds at most.
    """
    end = time.monotonic() + patience
    pause = 0.001
    last: Look | None = None
    last_at = 0.0
    bad: Bad | None = None
    while True:
        now = time.monotonic()
        found = look(path, probe)
        repeated = last is not None and last.data == found.data
        if not repeated:
            last, last_at, bad = found, now, None
        if found.writer is None:
            settled = len(found.data) <= _PAGE or (repeated and now - last_at >= _APART)
        else:
            settled = not found.writer
        if bad is None and (settled or now >= end):
            try:
                parsed = parse(found.data)
            except Bad as error:
                bad = error
            else:
                if settled:
                    suspicion.clear()
                    return found, parsed
        if bad is None and now >= end and suspicion.still(found.data, now) >= _HELD:
            # Its writer keeps it open. It is shown; whether it may be written is another matter.
            return found, parsed
        hopeless = bad and (b"\0" in found.data or suspicion.knows(found.data))
        if now >= end or hopeless:
            raise _doubtful(path, found, bad, suspicion)
        time.sleep(max(0.0, min(_APART if found.writer is None else pause, end - now)))
        pause *= 1.5


def _doubtful(path: Path, found: Look, bad: Bad | None, suspicion: Suspicion) -> Unread:
    """Say what a file is that does not parse, or that never stood still."""
    where = shown(path)
    if bad and b"\0" in found.data and not found.writer:
        return Unread(
            Health.DAMAGED,
            f"{where} holds zero bytes, so it is no JSON text or is damaged: "
            "it is left as it is until the agent writes it again",
        )
    writing = Unread(Health.BEING_WRITTEN, f"{where} is being written: waiting for the rest")
    if bad is None:
        return writing
    if suspicion.age(found.data, bool(found.writer), time.monotonic()) < DAMAGED_AFTER:
        return writing
    if bad.why == "empty":
        what = "is empty"
    elif bad.incomplete:
        what = "ends too early"
    else:
        line = found.data.count(b"\n", 0, bad.pos) + 1
        what = f"is not valid JSON in line {line} ({bad.why})"
    return Unread(Health.DAMAGED, f"{where} {what}: left as it is until the agent writes it again")


def _require_plain(path: Path, st: os.stat_result) -> None:
    where = shown(path)
    if stat.S_ISDIR(st.st_mode):
        raise Unread(Health.UNREADABLE, f"{where} is a folder: name the file in it")
    if not stat.S_ISREG(st.st_mode):
        raise Unread(Health.UNREADABLE, f"{where} is a pipe or device: name an ordinary file")
    if st.st_size > LIMIT:
        raise Unread(
            Health.UNREADABLE,
            f"{where} has {st.st_size >> 20} MB, over {LIMIT >> 20}: name the agent's todo file",
        )


def _unread(path: Path, error: OSError | ValueError) -> Unread:
    where = shown(path)
    code = error.errno if isinstance(error, OSError) else errno.EINVAL
    if code == errno.ENOENT:
        if path.is_symlink():
            return Unread(Health.MISSING, f"{where} is a link to a file that is not there yet")
        return Unread(Health.MISSING, f"{where} is not there yet: waiting for the agent")
    if code in (errno.EACCES, errno.EPERM):
        return Unread(
            Health.UNREADABLE, f"no permission to read {where}: check its owner, mode and folders"
        )
    if code == errno.ELOOP:
        return Unread(Health.UNREADABLE, f"{where} is a link in a circle: repair the link")
    if code == errno.ENOTDIR:
        return Unread(Health.UNREADABLE, f"{where} leads through a file: check the path")
    if isinstance(error, ValueError) or code == errno.ENAMETOOLONG:
        return Unread(Health.UNREADABLE, f"{where} cannot be the name of a file: check the path")
    return Unread(Health.UNREADABLE, f"{where} cannot be read: {os.strerror(code or errno.EIO)}")
