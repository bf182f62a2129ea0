"""The probe child for disks: `{"paths": […]}` asks for the mounts that matter to these paths,
`{"mount": {…}}` for the figures of one remote mount that an earlier answer named.

An answer to the first is `{"disks": [{id, mount, path, fstype, kind, …figures}]}`, where remote
mounts come without figures; an answer to the second is the figures. Figures are `total`, `used`,
`free` (bytes) and `read_only`, or an `error` in words, or `gone`. Remote mounts that fail also
say after how many seconds to `retry`.
"""

from __future__ import annotations

import os

from tui.host import mounts
from tui.host.child import serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_O_PATH = getattr(os, "O_PATH", None)
# Symlinks change rarely; this many looks pass before they are followed again.
_CHOICE_LASTS = 15
_RETRY_FIRST = 5.0
_RETRY_LAST = 60.0


def figures(point: str, mount_id: int | None) -> dict[str, Any]:
    """Return what `df` says of a mount point, or `gone` when another mount answers for it.

    After an unmount the path answers with the figures of the file system below, hence the check.
    """
    try:
        if mount_id is None or _O_PATH is None:
            stat = os.statvfs(point)
        else:
            handle = os.open(point, _O_PATH)
            try:
                if _mount_of(handle) not in (mount_id, None):
                    return {"gone": True}
                stat = os.fstatvfs(handle)
            finally:
                os.close(handle)
    except (FileNotFoundError, PermissionError):
        # A mount of somebody else's that this user may not look at is none of the plan's.
        return {"gone": True}
    except OSError as error:
        return {"error": (error.strerror or str(error)).lower()}
    if not stat.f_blocks:
        return {"gone": True}
    return {
        "total": stat.f_blocks * stat.f_frsize,
        "used": (stat.f_blocks - stat.f_bfree) * stat.f_frsize,
        "free": stat.f_bavail * stat.f_frsize,
        "read_only": bool(stat.f_flag & os.ST_RDONLY),
    }


def _mount_of(handle: int) -> int | None:
    """Return the kernel's mount id of an open file, None where the kernel does not say."""
    with open(f"/proc/self/fdinfo/{handle}", "rb") as info:
        for line in info:
            if line.startswith(b"mnt_id:"):
                return int(line[7:])
    return None


class Disks:
    """Answers requests; remembers which mounts matter until the mounts or the paths change."""

    def __init__(self) -> None:
        self._mountinfo = b""
        self._paths: list[str] = []
        self._chosen: list[mounts.Mount] = []
        self._looks = 0
        self._failures = 0

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        if (mount := request.get("mount")) is not None:
            return self._remote(mount)
        try:
            with open("/proc/self/mountinfo", "rb") as file:
                mountinfo = file.read()
        except OSError:
            return {"disks": _by_device(request["paths"])}
        self._choose(mountinfo, request["paths"])
        disks = []
        for mount in self._chosen:
            disk = {
                "id": mount.device,
                "mount": mount.id,
                "path": mount.point,
                "fstype": mount.fstype,
                "kind": mount.kind,
            }
            if mount.kind == mounts.LOCAL:
                disk.update(figures(mount.point, mount.id))
            if not disk.get("gone"):
                disks.append(disk)
        return {"disks": disks}

    def _choose(self, mountinfo: bytes, paths: list[str]) -> None:
        self._looks += 1
        if mountinfo == self._mountinfo and paths == self._paths and self._looks % _CHOICE_LASTS:
            return
        self._mountinfo, self._paths = mountinfo, paths
        self._chosen = mounts.choose(mounts.parse(mountinfo), paths, os.readlink)

    def _remote(self, mount: dict[str, Any]) -> dict[str, Any]:
        said = figures(mount["path"], mount["mount"])
        if "error" in said:
            said["retry"] = min(_RETRY_LAST, _RETRY_FIRST * 2.0**self._failures)
            self._failures = min(self._failures + 1, 5)
        else:
            self._failures = 0
        return said


def _by_device(paths: list[str]) -> list[dict[str, Any]]:
    """Return the disks of the paths where there is no mountinfo, told apart by their device."""
    disks: dict[int, dict[str, Any]] = {}
    for path in paths:
        while not os.path.exists(path):
            path = os.path.dirname(path)
        try:
            device = os.stat(path).st_dev
            path = os.path.realpath(path)
            while not os.path.ismount(path):
                path = os.path.dirname(path)
        except OSError:
            continue
        if device in disks:
            continue
        name = f"{os.major(device)}:{os.minor(device)}"
        disk = {"id": name, "mount": None, "path": path, "fstype": "", "kind": mounts.LOCAL}
        disk.update(figures(path, None))
        if not disk.get("gone"):
            disks[device] = disk
    return list(disks.values())


if __name__ == "__main__":
    serve(Disks().answer)
