"""Whether the file system under a path reports changes, so whether events can be trusted there."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path

from tui.host.mounts import holding, parse, topmost

_MOUNTS = Path("/proc/self/mountinfo")

_LOCAL = frozenset("ext2 ext3 ext4 xfs btrfs tmpfs ramfs f2fs zfs bcachefs".split())
# Writers on another machine, in another kernel or behind a FUSE server raise no event here.
_REMOTE = frozenset(
    "fuse fuseblk nfs nfs4 cifs smb3 smbfs 9p drvfs virtiofs lustre ceph beegfs gpfs afs ocfs2 "
    "gfs2 vboxsf prl_fs vmhgfs fakeowner grpcfuse osxfs".split()
)


class Mode(StrEnum):
    """How changes are noticed, in words for the user."""

    EVENTS = "events"
    BOTH = "events and polling"
    POLL = "polling"


def mode_for(path: Path) -> Mode:
    """Return how to notice changes of the file a path leads to; in doubt by both means."""
    point, kind = _mount(path)
    if kind in _REMOTE or kind.startswith("fuse."):
        return Mode.POLL
    # A file that is itself a mount point is written through another name, in another folder.
    return Mode.EVENTS if kind in _LOCAL and not _is(path, point) else Mode.BOTH


def is_mount_point(path: Path) -> bool:
    """Return whether the file a path leads to is itself mounted there, as containers do."""
    return _is(path, _mount(path)[0])


def _mount(path: Path) -> tuple[str, str]:
    """Return the mount point above a path and its file system type, or nothing if unknown."""
    try:
        mount = holding(os.path.realpath(path), topmost(parse(_MOUNTS.read_bytes())))
    except (OSError, ValueError):  # not Linux, or a sandbox without /proc; a NUL in the name
        mount = None
    return ("", "") if mount is None else (mount.point, mount.fstype)


def _is(path: Path, point: str) -> bool:
    return bool(point) and os.path.realpath(path) == point
