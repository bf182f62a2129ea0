"""A temporary file beside the one it is to replace: private until finished, never left behind."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

_CANNOT = (errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOTSUP)


class Unlike(Exception):
    """The new file cannot be given the owner or attributes of the old one."""


@contextlib.contextmanager
def beside(target: Path) -> Iterator[tuple[int, Path]]:
    """Yield a descriptor and the path of a new file in the target's folder; remove it at the end.

    Once renamed to the target there is nothing to remove. What an earlier process left behind when
    it was killed goes too.
    """
    # Not *.json, since agents read every *.json of a folder; short, since names are limited.
    prefix = f".steerpane-{hashlib.blake2b(os.fsencode(target.name), digest_size=6).hexdigest()}-"
    # Whatever stands in the way of tidying is no reason not to write.
    with contextlib.suppress(OSError):
        _sweep(target.parent, prefix)
    path = target.parent / f"{prefix}{secrets.token_hex(6)}.tmp"
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        # The lock tells a living writer's file from a left-over; without locks it is never swept.
        with contextlib.suppress(OSError):
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield fd, path
    finally:
        # A folder that vanished took the file along; anything else is swept by the next commit.
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(fd)


def _sweep(folder: Path, prefix: str) -> None:
    """Remove the temporary files of processes that are gone."""
    with os.scandir(folder) as entries:
        left = [folder / e.name for e in entries if e.name.startswith(prefix)]
    for path in left:
        with contextlib.suppress(OSError):
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(fd)


def dress(fd: int, target: Path, like: os.stat_result) -> None:
    """Give the new file the owner, extended attributes (so ACLs) and mode of the old one.

    Raises Unlike when that is not permitted.
    """
    own = os.fstat(fd)
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(fd, like.st_uid, like.st_gid)
        except OSError as error:
            raise _unlike(error) from error
    if hasattr(os, "listxattr"):
        _copy_attributes(fd, target)
    # Last, because a change of owner or ACL changes the mode too.
    os.fchmod(fd, stat.S_IMODE(like.st_mode))


def _copy_attributes(fd: int, target: Path) -> None:
    try:
        wanted = {name: os.getxattr(target, name) for name in os.listxattr(target)}
        present = {name: os.getxattr(fd, name) for name in os.listxattr(fd)}
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return
        raise
    for name, value in wanted.items():
        if present.get(name) == value:
            continue
        try:
            os.setxattr(fd, name, value)
        except OSError as error:
            # Labels of the security modules are theirs to give; everything else must survive.
            if error.errno not in _CANNOT or not name.startswith(("security.", "trusted.")):
                raise _unlike(error) from error
    for name in present.keys() - wanted.keys():
        if name.startswith(("user.", "system.")):  # an ACL inherited from the folder
            os.removexattr(fd, name)


def _unlike(error: OSError) -> Exception:
    return Unlike(str(error)) if error.errno in _CANNOT else error
