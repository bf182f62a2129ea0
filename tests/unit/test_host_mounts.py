"""Which mounts matter, told from mountinfo as kernels really write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.host import mounts
from tui.host.mounts import FUSE, IGNORED, LOCAL, NETWORK

HOST = b"""\
22 27 0:21 / /proc rw,relatime - proc proc rw
24 27 0:6 / /dev rw,relatime - devtmpfs devtmpfs rw
25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw
27 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
28 27 259:1 / /boot/efi rw,relatime - vfat /dev/nvme0n1p1 rw
30 27 9:0 / /shared rw,relatime shared:5 master:2 propagate_from:1 - xfs /dev/md0 rw,prjquota
31 27 0:52 / /mnt/my\\040models\\134x rw - nfs4 server:/models rw,vers=4.2
32 27 0:53 / /home rw - autofs systemd-1 rw,fd=50
33 32 0:54 / /home/ana rw - nfs4 server:/home/ana rw
34 27 0:60 / /run/user/1000/doc rw - fuse.portal portal rw
35 27 0:61 / /buckets/a rw - fuse.s3fs s3fs rw
36 27 7:1 / /snap/core/1 ro - squashfs /dev/loop1 ro
37 27 9:0 /sets /data rw,relatime - xfs /dev/md0 rw
a line of nonsense
"""


def no_links(path: str) -> str:
    raise OSError(path)


def chosen(mountinfo: bytes, *paths: str, readlink=no_links) -> list[str]:
    return [m.point for m in mounts.choose(mounts.parse(mountinfo), paths, readlink)]


def test_a_line_is_read_whole_with_optional_fields_and_escapes():
    found = {m.point: m for m in mounts.parse(HOST)}
    shared = found["/shared"]
    assert (shared.id, shared.parent, shared.device, shared.fstype) == (30, 27, "9:0", "xfs")
    assert found["/mnt/my models\\x"].fstype == "nfs4"
    assert len(found) == 13


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_every_mount_point_survives_the_kernels_escaping(name):
    escaped = ("/" + name).encode()
    for byte in b"\\ \t\n":
        escaped = escaped.replace(bytes((byte,)), b"\\%03o" % byte)
    (mount,) = mounts.parse(b"1 0 8:1 / " + escaped + b" rw - ext4 /dev/sda1 rw\n")
    assert mount.point == "/" + name


@pytest.mark.parametrize(
    ("fstype", "point", "kind"),
    [
        ("ext4", "/", LOCAL),
        ("zfs", "/tank", LOCAL),
        ("overlay", "/", LOCAL),
        ("overlay", "/var/lib/docker/overlay2/x/merged", IGNORED),
        ("nfs4", "/data", NETWORK),
        ("lustre", "/scratch", NETWORK),
        ("a-type-of-tomorrow", "/data", NETWORK),
        ("fuse.sshfs", "/data", FUSE),
        ("fuseblk", "/data", FUSE),
        ("fuse.portal", "/run/user/1/doc", IGNORED),
        ("autofs", "/home", IGNORED),
        ("proc", "/proc", IGNORED),
    ],
)
def test_kind(fstype, point, kind):
    assert mounts.Mount(2, 1, "0:1", point, fstype).kind == kind


def test_the_plans_folder_comes_first_and_data_mounts_follow():
    points = chosen(HOST, "/home/ana/project", "/home/ana")
    assert points == ["/home/ana", "/buckets/a", "/data", "/mnt/my models\\x"]


def test_a_file_system_mounted_twice_is_shown_where_the_plan_is():
    assert "/shared" in chosen(HOST, "/shared/models")
    assert "/data" not in chosen(HOST, "/shared/models")


def test_an_autofs_entry_is_never_chosen():
    assert chosen(HOST, "/home/ben/x")[0] != "/home"


def test_a_path_prefix_is_not_a_parent_folder():
    top = mounts.topmost(mounts.parse(HOST))
    found = mounts.holding("/shared2/x", top)
    assert found is not None
    assert found.point == "/"


def test_listed_tmpfs_counts_and_others_do_not():
    assert "/dev/shm" in chosen(HOST, "/dev/shm/vllm")
    assert "/dev/shm" not in chosen(HOST, "/")


def test_btrfs_subvolumes_are_one_file_system():
    info = b"""\
30 1 0:30 /@ / rw - btrfs /dev/sda2 rw,subvol=/@
31 30 0:30 /@home /home rw - btrfs /dev/sda2 rw,subvol=/@home
"""
    assert chosen(info, "/home/me/work", "/") == ["/home"]


def test_a_container_shows_its_root_and_what_is_mounted_into_it():
    info = b"""\
500 400 0:99 / / rw - overlay overlay rw,lowerdir=/a
501 500 0:100 / /proc rw - proc proc rw
502 500 259:2 /var/lib/docker/x/resolv.conf /etc/resolv.conf rw - ext4 /dev/nvme0n1p2 rw
503 500 9:0 /models /workspace/models rw - xfs /dev/md0 rw
"""
    assert chosen(info, "/root") == ["/", "/workspace/models"]


def test_of_mounts_on_top_of_each_other_the_topmost_is_seen():
    info = b"""\
29 26 0:26 / /data rw - ext4 /dev/sdb rw
26 24 0:24 / /data rw - tmpfs tmpfs rw
"""
    (mount,) = mounts.topmost(mounts.parse(info)).values()
    assert mount.id == 29


def test_remote_mounts_that_nobody_asked_for_are_few():
    lines = [b"%d 1 0:%d / /mnt/n%02d rw - nfs4 s:/x rw" % (i, i, i) for i in range(10, 40)]
    info = b"27 1 8:1 / / rw - ext4 /dev/sda rw\n" + b"\n".join(lines)
    points = chosen(info, "/mnt/n39/project")
    assert points[0] == "/mnt/n39"
    assert len(points) == 5


def test_links_are_followed_on_local_file_systems_only():
    links = {"/home2": "/shared/x/../home", "/loop": "loop", "/far": "/home/ana/link"}
    asked = []

    def readlink(path: str) -> str:
        asked.append(path)
        if path in links:
            return links[path]
        raise OSError(path)

    top = mounts.topmost(mounts.parse(HOST))
    assert mounts.resolve("/home2/me", top, readlink) == "/shared/home/me"
    assert mounts.resolve("/far/../x", top, readlink) == "/home/ana/x"
    assert not any(path.startswith("/home/") for path in asked)
    assert mounts.resolve("/loop", top, readlink) == "/loop"


def test_the_paths_of_interest_are_absolute_and_each_there_once():
    environment = {"HF_HOME": "/shared/hf", "TMPDIR": "tmp", "TORCH_HOME": ""}
    found = mounts.interesting(["plans", "/w"], environment, "/root", "/w")
    assert found[:3] == ["/w/plans", "/w", "/root"]
    assert "/shared/hf" in found
    assert "/w/tmp" in found
    assert "/root/.cache/huggingface" in found
    assert len(found) == len(set(found))
