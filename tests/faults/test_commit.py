"""Commits that go wrong: the file is what it was, nothing stays behind, the user is told why."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tui.stores import beside, document
from tui.stores.base import Result
from tui.stores.document import Outcome, Strategy, commit, strategy

BEFORE = b'[{"content": "a", "status": "pending"}]\n'


def veto(data: bytes) -> bytes:
    return data.replace(b'"pending"', b'"cancelled"')


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "todo.json"
    path.write_bytes(BEFORE)
    return path


def unharmed(path: Path, done: Outcome, *words: str) -> None:
    assert done.result is Result.FAILED
    assert path.read_bytes() == BEFORE
    assert not list(path.parent.glob(".steerpane*"))
    for word in words:
        assert word in done.problem
    assert "\n" not in done.problem


REASONS = [
    (errno.ENOSPC, "full"), (errno.EDQUOT, "quota"), (errno.EROFS, "read-only"),
    (errno.EACCES, "permission"), (errno.EPERM, "permission"), (errno.EIO, "error"),
    (errno.ENOENT, "vanished"), (errno.ESTALE, "Stale"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "word"), REASONS)
@pytest.mark.parametrize("call", ["pwrite", "fsync", "rename", "fchmod", "open"])
def test_an_error_in_any_call_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int, word: str
) -> None:
    real_open = os.open

    def fail(*args: object) -> int:
        if call == "open" and not str(args[0]).endswith(".tmp"):
            return real_open(*args)  # type: ignore[arg-type]
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    done = commit(path, veto)
    monkeypatch.undo()
    unharmed(path, done, word, "was not changed")
    assert commit(path, veto).result is Result.WRITTEN


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("size", [10, 8000])
def test_a_write_that_stops_half_way_changes_nothing(path: Path, linked: bool, size: int) -> None:
    """The limit on file size stands in for a full disk: the kernel writes a part, then refuses."""
    plan = [{"content": "x" * size, "status": "pending"}]
    path.write_text(json.dumps(plan))
    before = path.read_bytes()
    if linked:
        path.with_name("other.json").hardlink_to(path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 1, limits[1]))
    try:
        done = commit(path, veto)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert done.result is Result.FAILED
    assert path.read_bytes() == before
    assert "larger" in done.problem
    assert not list(path.parent.glob(".steerpane*"))


def mount(*args: object) -> bool:
    return (
        subprocess.run(["mount", *map(str, args)], capture_output=True, check=False).returncode == 0
    )


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB, where this may be made."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    if os.geteuid() != 0 or not mount("-t", "tmpfs", "-o", "size=64k", "tiny", folder):
        pytest.skip("no permission to mount")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_disk_that_is_really_full(tiny: Path) -> None:
    path = tiny / "todo.json"
    path.write_bytes(BEFORE)
    with (
        pytest.raises(OSError, match="space"),
        (tiny / "ballast").open("wb", buffering=0) as ballast,
    ):
        while ballast.write(b"x" * 4096):
            pass
    unharmed(path, commit(path, veto), "full")
    (tiny / "ballast").unlink()
    assert commit(path, veto).result is Result.WRITTEN


def test_a_disk_that_is_really_read_only(tiny: Path) -> None:
    path = tiny / "todo.json"
    path.write_bytes(BEFORE)
    assert mount("-o", "remount,ro", tiny)
    unharmed(path, commit(path, veto), "read-only")


def test_a_file_that_is_a_mount_point_is_written_in_place(tmp_path: Path, path: Path) -> None:
    inside = tmp_path / "inside.json"
    inside.touch()
    if os.geteuid() != 0 or not mount("--bind", path, inside):
        pytest.skip("no permission to mount")
    try:
        assert strategy(inside) is Strategy.IN_PLACE
        assert commit(inside, veto).result is Result.WRITTEN
        assert path.read_bytes() == inside.read_bytes() == veto(BEFORE)
    finally:
        subprocess.run(["umount", inside], check=True)


def test_a_rename_refused_as_busy_is_done_in_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inode = path.stat().st_ino

    def rename(*_args: object) -> None:
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr(os, "rename", rename)
    assert commit(path, veto).result is Result.WRITTEN
    assert (path.read_bytes(), path.stat().st_ino) == (veto(BEFORE), inode)


def test_a_folder_that_vanishes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(fd: int) -> None:
        real(fd)
        for file in path.parent.iterdir():
            file.unlink()
        path.parent.rmdir()

    monkeypatch.setattr(os, "fsync", fsync)
    done = commit(path, veto)
    assert done.result is Result.FAILED
    assert not path.parent.exists()


def rename_over(path: Path, data: bytes) -> None:
    other = path.with_suffix(".agent")
    other.write_bytes(data)
    other.rename(path)


def in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


@pytest.mark.parametrize("write", [rename_over, in_place])
@pytest.mark.parametrize("linked", [False, True])
def test_an_agent_between_read_and_rename_goes_first(
    path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path, bytes], None], linked: bool
) -> None:
    """Every byte the agent writes before the compare is in the result, however often it does."""
    if linked:
        path.with_name("other.json").hardlink_to(path)
    turns = iter(range(3))

    def steer(data: bytes) -> bytes:
        if (turn := next(turns, None)) is not None:
            write(path, b'[{"content": "turn %d", "status": "pending"}]' % turn)
        return veto(data)

    done = commit(path, steer)
    assert done.result is Result.WRITTEN
    assert path.read_bytes() == done.data == b'[{"content": "turn 2", "status": "cancelled"}]'


def test_an_agent_with_equal_bytes_in_a_new_file_goes_first(path: Path) -> None:
    inodes = []

    def steer(data: bytes) -> bytes:
        if not inodes:
            rename_over(path, data)
        inodes.append(path.stat().st_ino)
        return veto(data)

    assert commit(path, steer).result is Result.WRITTEN
    assert len(inodes) == 2


def test_an_agent_that_never_stops_is_left_alone(path: Path) -> None:
    count = iter(range(1000))

    def steer(data: bytes) -> bytes:
        rename_over(path, b"[%d]" % next(count))
        return b"[0, %s]" % data.strip()

    done = commit(path, steer)
    assert done.result is Result.BUSY
    assert path.read_bytes() == b"[%d]" % (next(count) - 1)
    assert not list(path.parent.glob(".steerpane*"))


def test_an_agent_right_after_the_rename_has_the_last_word(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = document._replace
    written = iter([b'[{"content": "later", "status": "pending"}]'])

    def replace(*args: object) -> bool:
        done = real(*args)  # type: ignore[arg-type]
        if data := next(written, None):
            path.write_bytes(data)
        return done

    monkeypatch.setattr(document, "_replace", replace)
    done = commit(path, veto)
    assert done.result is Result.WRITTEN
    assert path.read_bytes() == b'[{"content": "later", "status": "cancelled"}]'


def test_what_a_killed_commit_left_is_swept_and_what_another_uses_is_not(path: Path) -> None:
    with beside.beside(path) as (_fd, used):
        left = used.with_name(used.name[:-8] + "left.tmp")
        left.write_bytes(b"half")
        foreign = path.with_name(".steerpane-000000000000-x.tmp")
        foreign.touch()
        assert commit(path, veto).result is Result.WRITTEN
        assert used.exists()
        assert not left.exists()
        assert foreign.exists()
    assert not used.exists()


@pytest.mark.parametrize("linked", [False, True])
def test_a_kill_at_any_moment_leaves_one_version_or_the_other(path: Path, linked: bool) -> None:
    """In place this holds up to one page, which is what the file has here."""
    states = [BEFORE, veto(BEFORE)]
    if linked:
        path.with_name("other.json").hardlink_to(path)
    chance = random.Random(1)
    for _ in range(25):
        child = os.fork()
        if child == 0:
            try:
                while True:
                    commit(path, lambda data: states[1 - states.index(data)])
            finally:
                os._exit(1)
        time.sleep(chance.uniform(0.003, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = path.read_bytes()
        # In place the longer version may still carry the blanks it grew by.
        assert found.rstrip() in [state.rstrip() for state in states]
        path.write_bytes(BEFORE)
    assert commit(path, veto).result is Result.WRITTEN
    assert not list(path.parent.glob(".steerpane*"))
