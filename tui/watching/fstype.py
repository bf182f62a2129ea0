"""Whether the file system under a path reports changes, so whether events can be trusted there."""

from __future__ import annotations

import os
import re
from enum import StrEnum
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
_OCTAL = re.compile(rb"\\([0-7]{3})")

_LOCAL = frozenset(
    (b"ext2", b"ext3", b"ext4", b"xfs", b"btrfs", b"tmpfs", b"ramfs", b"f2fs", b"zfs", b"bcachefs")
)
# Writers on another machine, in another kernel or behind a FUSE server raise no event here.
_REMOTE = frozenset(
    (
        b"fuse", b"fuseblk", b"nfs", b"nfs4", b"cifs", b"smb3", b"smbfs", b"9p", b"drvfs",
        b"virtiofs", b"lustre", b"ceph", b"beegfs", b"gpfs", b"afs", b"ocfs2", b"gfs2",
        b"vboxsf", b"prl_fs", b"vmhgfs", b"fakeowner", b"grpcfuse", b"osxfs",
    )
)  # fmt: skip


class Mode(StrEnum):
    """How changes are noticed, in words for the user."""

    EVENTS = "events"
    BOTH = "events and polling"
    POLL = "polling"


def mode_for(path: Path) -> Mode:
    """Return how to notice changes of the file a path leads to; in doubt by both means."""
    point, kind = _mount(path)
    if kind in _REMOTE or kind.startswith(b"fuse."):
        return Mode.POLL
    # A file that is itself a mount point is written through another name, in another folder.
    return Mode.EVENTS if kind in _LOCAL and not _is(path, point) else Mode.BOTH


def is_mount_point(path: Path) -> bool:
    """Return whether the file a path leads to is itself mounted there, as containers do."""
    return _is(path, _mount(path)[0])


def _mount(path: Path) -> tuple[bytes, bytes]:
    """Return the mount point above a path and its file system type, or nothing if unknown."""
    try:
        target = os.fsencode(os.path.realpath(path))
        mounts = _MOUNTS.read_bytes()
    except (OSError, ValueError):  # not Linux, or a sandbox without /proc; a NUL in the name
        return b"", b""
    point, kind = b"", b""
    for line in mounts.splitlines():
        # id parent major:minor root point options [optional…] - type source super-options
        head, _, tail = line.partition(b" - ")
        fields, types = head.split(), tail.split()
        if len(fields) < 5 or not types:
            continue
        at = _OCTAL.sub(lambda m: bytes([int(m[1], 8)]), fields[4])
        # A later mount on the same point hides the earlier one.
        below = target == at or target.startswith(at.rstrip(b"/") + b"/")
        if below and len(at) >= len(point):
            point, kind = at, types[0]
    return point, kind


def _is(path: Path, point: bytes) -> bool:
    return bool(point) and os.fsencode(os.path.realpath(path)) == point
