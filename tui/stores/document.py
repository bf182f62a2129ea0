"""Writing an agent's file: the only code that does, and never over bytes that it has not read.

The agent takes no lock and knows nothing of us. What is written is made from the current bytes; the
bytes are compared once more right before they are replaced, and whoever was faster wins.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tui.stores import spans
from tui.stores.base import Result, Stamp
from tui.stores.beside import Unlike, beside, dress
from tui.stores.reading import Look, Suspicion, Unread, look, read_document, shown
from tui.view import Health
from tui.watching.fstype import is_mount_point

ROUNDS = 5
"""How often a commit starts over when the agent was faster."""


class Strategy(StrEnum):
    """How a file is replaced, in words for the user."""

    RENAME = "compare, then rename"
    IN_PLACE = "compare, then write in place"


class Refused(ValueError):
    """What is wanted cannot be said in this file; the text is the reason, for the user.

    `origins` are the tasks whose change is in the way, empty when it is none in particular.
    """

    def __init__(self, reason: str, origins: tuple[int, ...] = ()) -> None:
        super().__init__(reason)
        self.origins = origins


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a commit: `data` and `stamp` are what the file holds when it succeeded."""

    result: Result
    data: bytes = b""
    stamp: Stamp | None = None
    problem: str = ""
    refused: tuple[int, ...] = ()


def strategy(path: Path) -> Strategy:
    """Return how a commit would replace this file now."""
    try:
        linked = path.stat().st_nlink > 1
    except (OSError, ValueError):
        return Strategy.RENAME
    # Renaming over one name of a file would part it from its other names.
    return Strategy.IN_PLACE if linked or is_mount_point(path) else Strategy.RENAME


def commit(
    path: Path,
    steer: Callable[[bytes], bytes],
    check: Callable[[bytes], None] = spans.check,
    probe: bool = True,
    announce: Callable[[bytes], None] = lambda _data: None,
) -> Outcome:
    """Bring the file to `steer(its bytes)`, or change nothing.

    `steer` is pure and idempotent; it may raise Refused. `check` raises Bad for bytes that are no
    whole document: such a file is never written, nor is such a result. `announce` is told the bytes
    before anybody can read them. Links are followed and stay; owner, mode and attributes stay.
    Blocks for a few hundred milliseconds at most while the agent keeps writing, and for as long as
    the disk takes to flush.
    """
    try:
        for _ in range(ROUNDS):
            target = Path(os.path.realpath(path))
            found, _none = read_document(target, check, Suspicion(), probe)
            wanted = steer(found.data)
            if wanted == found.data:
                return Outcome(Result.UNCHANGED, found.data, found.stamp)
            check(wanted)
            announce(wanted)
            if _replace(target, found, wanted, probe):
                after = look(target, probe=False)
                # An agent that wrote at once has had the last word: steer what it wrote.
                if after.data == wanted:
                    return Outcome(Result.WRITTEN, wanted, after.stamp)
        return Outcome(Result.BUSY, problem=f"the agent keeps writing {shown(path)}")
    except Unread as unread:
        busy = unread.health is Health.BEING_WRITTEN
        return Outcome(Result.BUSY if busy else Result.FAILED, problem=unread.problem)
    except Refused as refusal:
        return Outcome(Result.FAILED, problem=str(refusal), refused=refusal.origins)
    except spans.Bad as bad:
        reason = f"{shown(path)} was not changed: the edit would not be valid JSON ({bad.why})"
        return Outcome(Result.FAILED, problem=reason)
    except OSError as error:
        return Outcome(Result.FAILED, problem=_plain(error, path))


def _replace(target: Path, found: Look, wanted: bytes, probe: bool) -> bool:
    """Put the wanted bytes in place of those found, or return False if they are no longer there."""
    if strategy(target) is Strategy.RENAME:
        try:
            return _rename(target, found, wanted, probe)
        except Unlike:
            pass  # a new file would belong to somebody else: keep the old one and change its bytes
        except OSError as error:
            if error.errno != errno.EBUSY:  # a mount point that could not be seen to be one
                raise
    return _overwrite(target, found, wanted)


def _rename(target: Path, found: Look, wanted: bytes, probe: bool) -> bool:
    with beside(target) as (fd, temporary):
        _write_all(fd, wanted, 0)
        dress(fd, target, target.stat())
        os.fsync(fd)
        now = look(target, probe)
        if now.writer or now.data != found.data or now.stamp[:2] != found.stamp[:2]:
            return False
        temporary.rename(target)
    # The rename is in force whether or not the folder can be flushed.
    with contextlib.suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return True


def _overwrite(target: Path, found: Look, wanted: bytes) -> bool:
    """Write into the file itself; what a kill leaves behind is valid up to one page.

    The file first grows by blanks, which JSON allows at the end, so that a full disk shows before
    anything is replaced; it shrinks last, blanks having taken the place of what is cut off.
    """
    old = found.data
    fd = os.open(target, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        st = os.fstat(fd)
        if (st.st_dev, st.st_ino) != found.stamp[:2] or os.pread(fd, len(old) + 1, 0) != old:
            return False
        try:
            _write_all(fd, b" " * (len(wanted) - len(old)), len(old))
            _write_all(fd, wanted.ljust(len(old)), 0)
        except OSError:
            _write_all(fd, old, 0)
            os.ftruncate(fd, len(old))
            raise
        os.ftruncate(fd, len(wanted))
        os.fsync(fd)
    finally:
        os.close(fd)
    return True


def _write_all(fd: int, data: bytes, offset: int) -> None:
    done = 0
    while done < len(data):
        done += os.pwrite(fd, data[done:], offset + done)


_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your disk quota is used up",
    errno.EFBIG: "the file would be larger than this process may write",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "there is no permission to write there",
    errno.EPERM: "there is no permission to write there",
    errno.ENOENT: "the file or its folder has vanished",
    errno.EIO: "the disk reports an error",
}


def _plain(error: OSError, path: Path) -> str:
    reason = _REASONS.get(error.errno or 0) or os.strerror(error.errno or errno.EIO)
    return f"{shown(path)} was not changed: {reason}"
