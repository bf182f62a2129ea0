"""Which file systems matter to the plan, told from /proc/self/mountinfo without touching them.

Every probe child loads this module, so it imports as little as it can.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

LOCAL = "local"
NETWORK = "network"
FUSE = "fuse"
IGNORED = ""

_LOCAL_TYPES = frozenset(
    "ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs vfat exfat ntfs3 hfs "
    "hfsplus apfs ufs".split()
)
# Pseudo file systems, images that can never fill, and autofs, which mounts or hangs when asked.
_IGNORED_TYPES = frozenset(
    "autofs proc sysfs cgroup cgroup2 cpuset devpts devtmpfs devfs securityfs selinuxfs debugfs "
    "tracefs bpf pstore mqueue hugetlbfs fusectl configfs rpc_pipefs nsfs nfsd binfmt_misc ramfs "
    "rootfs efivarfs squashfs erofs cramfs iso9660 udf overlay fuse.portal fuse.gvfsd-fuse "
    "fuse.lxcfs fuse.snapfuse".split()
)
# Where the system keeps its own mounts; none of them is where a plan's data goes unless asked for.
_SYSTEM = tuple(
    "/proc /sys /dev /run /boot /efi /etc /usr /bin /sbin /lib /lib64 /var /snap /nix".split()
)
# Variables that name where models, caches and temporary files go.
_CACHE_VARIABLES = (
    "HF_HUB_CACHE",
    "HUGGINGFACE_HUB_CACHE",
    "HF_HOME",
    "HF_XET_CACHE",
    "VLLM_CACHE_ROOT",
    "TORCH_HOME",
    "OLLAMA_MODELS",
    "MODELSCOPE_CACHE",
    "XDG_CACHE_HOME",
    "TMPDIR",
)
_CACHES = (".cache/huggingface", ".cache/vllm", ".cache/torch", ".ollama/models")
# Each remote mount costs a child process, so those nobody asked for are few.
_REMOTE_UNASKED = 4
_MOUNTS = 16
_SYMLINKS = 40
_OCTAL = re.compile(rb"\\([0-7]{3})")


class Mount:
    """One mount: `id` and `parent` are the kernel's, `device` is major:minor, `point` its path."""

    __slots__ = ("device", "fstype", "id", "parent", "point")

    def __init__(self, id: int, parent: int, device: str, point: str, fstype: str) -> None:  # noqa: A002
        self.id = id
        self.parent = parent
        self.device = device
        self.point = point
        self.fstype = fstype

    @property
    def kind(self) -> str:
        """LOCAL, NETWORK, FUSE or IGNORED; an unknown type is NETWORK, since it may hang."""
        if self.fstype in _LOCAL_TYPES or (self.fstype == "overlay" and self.point == "/"):
            return LOCAL
        if self.fstype in _IGNORED_TYPES:
            return IGNORED
        return FUSE if self.fstype.startswith("fuse") else NETWORK


def parse(mountinfo: bytes) -> list[Mount]:
    """Return the mounts in the kernel's order; a line that makes no sense is left out."""
    mounts = []
    for line in mountinfo.split(b"\n"):
        fields = line.split(b" ")
        try:
            fstype = fields[fields.index(b"-", 6) + 1].decode()
            ids = int(fields[0]), int(fields[1])
        except (ValueError, IndexError):
            continue
        mounts.append(Mount(*ids, fields[2].decode(), _unescape(fields[4]), fstype))
    return mounts


def _unescape(field: bytes) -> str:
    return os.fsdecode(_OCTAL.sub(lambda m: bytes((int(m[1], 8),)), field))


def topmost(mounts: Iterable[Mount]) -> dict[str, Mount]:
    """Return for each mount point the mount that is seen there when several lie on it."""
    top: dict[str, Mount] = {}
    for mount in mounts:
        known = top.get(mount.point)
        if known is None or known.parent != mount.id:
            top[mount.point] = mount
    return top


def holding(path: str, top: Mapping[str, Mount]) -> Mount | None:
    """Return the mount an absolute path lies on: the longest mount point that leads to it."""
    while path not in top:
        if path in ("/", ""):
            return None
        path = os.path.dirname(path)
    return top[path]


def resolve(path: str, top: Mapping[str, Mount], readlink: Callable[[str], str]) -> str:
    """Follow the symlinks of an absolute path as long as that touches only local file systems.

    What lies beyond a remote mount point stays as it is: looking at it could hang.
    """
    done = "/"
    todo = path.split("/")[::-1]
    links = 0
    while todo:
        part = todo.pop()
        if part in ("", "."):
            continue
        if part == "..":
            done = os.path.dirname(done)
            continue
        step = os.path.join(done, part)
        mount = holding(step, top)
        if mount is None or mount.kind != LOCAL:
            return os.path.normpath("/".join((step, *todo[::-1])))
        try:
            target = readlink(step)
        except OSError:
            done = step
            continue
        links += 1
        if links > _SYMLINKS:
            return step
        if target.startswith("/"):
            done = "/"
        todo.extend(target.split("/")[::-1])
    return done


def choose(
    mounts: Sequence[Mount], paths: Iterable[str], readlink: Callable[[str], str]
) -> list[Mount]:
    """Return the mounts that matter, each file system once: those of the paths, then data mounts.

    A file system that is mounted several times (bind mounts, subvolumes) is told by its device.
    """
    top = topmost(mounts)
    chosen: dict[str, Mount] = {}
    for path in paths:
        mount = holding(resolve(path, top, readlink), top)
        if mount is not None and mount.kind:
            chosen.setdefault(mount.device, mount)
    remote = 0
    for mount in sorted(top.values(), key=lambda m: m.point):
        if mount.device in chosen or not _holds_data(mount):
            continue
        if mount.kind != LOCAL:
            remote += 1
            if remote > _REMOTE_UNASKED:
                continue
        chosen[mount.device] = mount
    return list(chosen.values())[:_MOUNTS]


def _holds_data(mount: Mount) -> bool:
    if not mount.kind or mount.fstype in ("tmpfs", "overlay") or mount.point == "/":
        return False
    return not any(mount.point == s or mount.point.startswith(s + "/") for s in _SYSTEM)


def interesting(
    paths: Iterable[str], environment: Mapping[str, str], home: str, cwd: str
) -> list[str]:
    """Return the absolute paths whose disks matter: the given ones, then cwd, home and caches."""
    named = [environment[v] for v in _CACHE_VARIABLES if environment.get(v)]
    caches = [os.path.join(home, c) for c in _CACHES] if home else []
    found = (*paths, cwd, home, *named, *caches)
    absolute = (os.path.normpath(os.path.join(cwd or "/", p)) for p in found if p)
    return list(dict.fromkeys(absolute))
