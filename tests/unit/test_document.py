"""Reading whole and writing back: names and metadata survive, and the agent goes first."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from pathlib import Path

import pytest

from tui.stores import document, reading, spans
from tui.stores.base import Result
from tui.stores.beside import Unlike
from tui.stores.document import Refused, Strategy, commit, strategy
from tui.stores.reading import Suspicion, Unread, look, no_writer, read_document
from tui.view import Health


def upper(data: bytes) -> bytes:
    return data.replace(b"a", b"b")


def longer(data: bytes) -> bytes:
    return data.replace(b'"a"', b'"a much longer text than before"')


def shorter(data: bytes) -> bytes:
    return data.replace(b'"a"', b"1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "todo.json"
    path.write_bytes(b'["a", 1]\n')
    return path


def test_bytes_come_with_the_stamp_they_had(path: Path) -> None:
    found, parsed = read_document(path, spans.parse, Suspicion())
    assert found.data == b'["a", 1]\n'
    assert found.stamp == reading.stamp_of(path)
    assert parsed.kind == "array"


def test_a_writer_is_seen_and_waited_for(path: Path) -> None:
    with path.open("rb") as reader:
        if no_writer(reader.fileno()) is None:
            pytest.skip("no leases on this file system")
        with path.open("ab"):
            assert no_writer(reader.fileno()) is False
            assert look(path).writer is True
            with pytest.raises(Unread) as caught:
                read_document(path, spans.check, Suspicion())
            assert caught.value.health is Health.BEING_WRITTEN
            assert commit(path, upper).result is Result.BUSY
        assert no_writer(reader.fileno()) is True


def test_an_opener_within_the_probe_does_not_end_the_process(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel signals the holder of a lease; by default that would kill us."""
    real = fcntl.fcntl
    refusals = []

    def interrupted(fd: int, command: int, argument: int = 0) -> int:
        result = real(fd, command, argument)
        if (command, argument) == (fcntl.F_SETLEASE, fcntl.F_RDLCK):
            with pytest.raises(BlockingIOError) as refusal:
                os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            refusals.append(refusal)
        return result

    with path.open("rb") as reader:
        if no_writer(reader.fileno()) is None:
            pytest.skip("no leases on this file system")
        monkeypatch.setattr(fcntl, "fcntl", interrupted)
        assert no_writer(reader.fileno()) is True
    assert refusals


def test_without_a_probe_a_large_file_is_read_twice(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b'["' + b"x" * 5000 + b'"]')
    looks = []
    monkeypatch.setattr(
        reading, "look", lambda p, probe: looks.append(found := look(p, probe)) or found
    )
    read_document(path, spans.check, Suspicion(), probe=False)
    assert len(looks) == 2
    assert looks[0].writer is None


def test_suspicion_is_about_the_same_bytes_left_alone() -> None:
    suspicion = Suspicion()
    assert suspicion.age(b"x", False, 10.0) == 0
    assert suspicion.age(b"x", False, 12.0) == 2
    assert suspicion.age(b"x", True, 13.0) == 0
    assert suspicion.age(b"y", False, 15.0) == 0
    assert suspicion.age(b"y", False, 19.0) == 4
    suspicion.clear()
    assert suspicion.age(b"y", False, 20.0) == 0


@pytest.mark.parametrize("steer", [upper, longer, shorter])
def test_a_commit_is_in_the_file_and_a_second_one_changes_nothing(
    path: Path, steer: object
) -> None:
    want = steer(path.read_bytes())
    done = commit(path, steer)
    assert (done.result, done.data, done.stamp) == (Result.WRITTEN, want, reading.stamp_of(path))
    assert path.read_bytes() == want
    again = commit(path, lambda data: data)
    assert (again.result, again.data, again.stamp) == (Result.UNCHANGED, want, done.stamp)
    assert [p.name for p in path.parent.iterdir()] == ["todo.json"]


def test_mode_owner_and_attributes_stay(path: Path) -> None:
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, 12345, 54321)
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:
        pytest.skip("no extended attributes on this file system")
    before = path.stat()
    assert commit(path, upper).result is Result.WRITTEN
    after = path.stat()
    assert after.st_ino != before.st_ino
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )
    assert os.getxattr(path, "user.note") == b"kept"


def test_a_new_file_is_private_until_it_is_finished(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.chmod(0o666)
    modes = []
    real = os.pwrite

    def pwrite(fd: int, data: bytes, offset: int) -> int:
        modes.append(stat.S_IMODE(os.fstat(fd).st_mode))
        return real(fd, data, offset)

    monkeypatch.setattr(os, "pwrite", pwrite)
    commit(path, upper)
    assert modes == [0o600]


@pytest.mark.parametrize("steer", [upper, longer, shorter])
def test_a_file_whose_owner_cannot_be_copied_is_changed_in_place(
    path: Path, monkeypatch: pytest.MonkeyPatch, steer: object
) -> None:
    def refuse(*_args: object) -> None:
        raise Unlike

    monkeypatch.setattr(document, "dress", refuse)
    inode, want = path.stat().st_ino, steer(path.read_bytes())
    assert commit(path, steer).result is Result.WRITTEN
    assert (path.read_bytes(), path.stat().st_ino) == (want, inode)
    assert [p.name for p in path.parent.iterdir()] == ["todo.json"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_somebody_else_stays_theirs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    os.chown(path, 12345, 54321)
    inode = path.stat().st_ino
    monkeypatch.setattr(os, "fchown", refuse)
    assert commit(path, upper).result is Result.WRITTEN
    assert (path.stat().st_ino, path.stat().st_uid) == (inode, 12345)


def test_links_are_followed_and_stay(path: Path) -> None:
    elsewhere = path.parent / "elsewhere"
    elsewhere.mkdir()
    link = elsewhere / "link.json"
    link.symlink_to("../todo.json")
    assert commit(link, upper).result is Result.WRITTEN
    assert link.is_symlink()
    assert path.read_bytes() == b'["b", 1]\n'
    assert [p.name for p in elsewhere.iterdir()] == ["link.json"]


@pytest.mark.parametrize("steer", [upper, longer, shorter])
def test_hard_links_stay_one_file(path: Path, steer: object) -> None:
    other = path.parent / "other.json"
    other.hardlink_to(path)
    assert strategy(path) is Strategy.IN_PLACE
    want = steer(path.read_bytes())
    done = commit(path, steer)
    assert (done.result, done.stamp) == (Result.WRITTEN, reading.stamp_of(path))
    assert other.read_bytes() == path.read_bytes() == want
    assert path.stat().st_nlink == 2


def test_a_long_name_leaves_room_for_the_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".json")
    path.write_bytes(b'["a"]')
    assert commit(path, upper).result is Result.WRITTEN


@pytest.mark.parametrize("data", [b"", b'["a', b'["a"]]', b"a\0", b"a text"])
def test_what_does_not_parse_is_never_written(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    asked = []
    assert commit(path, lambda b: asked.append(b) or b"[]").result in (Result.BUSY, Result.FAILED)
    assert not asked
    assert path.read_bytes() == data


def test_a_result_that_does_not_parse_is_never_written(path: Path) -> None:
    done = commit(path, lambda data: data[:-2])
    assert done.result is Result.FAILED
    assert "valid JSON" in done.problem
    assert path.read_bytes() == b'["a", 1]\n'


def test_a_refusal_names_its_reason(path: Path) -> None:
    def refuse(_data: bytes) -> bytes:
        raise Refused("not here", (3,))

    done = commit(path, refuse)
    assert (done.result, done.problem, done.refused) == (Result.FAILED, "not here", (3,))


def test_a_later_check_may_be_of_another_format(path: Path) -> None:
    path.write_bytes(b"- [ ] a\n")
    assert commit(path, upper, check=lambda _data: None).result is Result.WRITTEN
    assert path.read_bytes() == b"- [ ] b\n"
