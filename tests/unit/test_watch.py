"""Watching: whatever a writer does to a file or its folders, the watcher says look again."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import watchfiles

from tui.watching import fstype
from tui.watching import watch as watching
from tui.watching.fstype import Mode, mode_for


class Following:
    """A watch in its thread, and what it said."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pokes = 0
        self.modes: list[Mode] = []
        self.stop = threading.Event()
        self.changed = threading.Condition()
        self.thread = threading.Thread(
            target=watching.watch, args=(path, self._poke, self.stop, self.modes.append)
        )
        self.thread.start()
        self.until(lambda: bool(self.modes))

    def _poke(self) -> None:
        with self.changed:
            self.pokes += 1
            self.changed.notify_all()

    def until(self, holds: Callable[[], bool], seconds: float = 4.0) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, "nothing was said"
            time.sleep(0.005)

    def sees(self, act: Callable[[], object]) -> float:
        """Do something, wait to be told, and return how long that took, in seconds."""
        before = self.quiet()
        began = time.monotonic()
        act()
        self.until(lambda: self.pokes > before)
        return time.monotonic() - began

    def quiet(self) -> int:
        """Wait until nothing is said any more; return how often something was."""
        while True:
            before = self.pokes
            time.sleep(0.12)
            if self.pokes == before:
                return before


@pytest.fixture(autouse=True)
def short_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "HEARTBEAT_MS", 200)
    monkeypatch.setattr(watching, "QUICK_HEARTBEAT_MS", 100)


@pytest.fixture
def follow() -> Iterator[Callable[[Path], Following]]:
    started: list[Following] = []

    def begin(path: Path) -> Following:
        started.append(Following(path))
        return started[-1]

    yield begin
    for following in started:
        following.stop.set()
        following.thread.join(0.5)
        assert not following.thread.is_alive()


Follow = Callable[[Path], Following]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "todo.json"
    path.write_text("[]")
    return path


def rename_over(path: Path, text: str) -> None:
    other = path.with_name("other.tmp")
    other.write_text(text)
    other.rename(path)


def test_writing_in_place_renaming_over_and_removing_are_seen(path: Path, follow: Follow) -> None:
    seen = follow(path)
    assert seen.pokes >= 1
    assert seen.modes[0] in (Mode.EVENTS, Mode.BOTH)
    for turn in range(3):
        assert seen.sees(lambda turn=turn: path.write_text(f"[{turn}]")) < 1
        assert seen.sees(lambda turn=turn: rename_over(path, f"[{turn}]")) < 1
    seen.sees(path.unlink)
    seen.sees(lambda: path.write_text("[]"))


def test_other_files_and_silence_say_nothing(path: Path, follow: Follow) -> None:
    seen = follow(path)
    before = seen.quiet()
    path.with_name("other.json").write_text("[]")
    path.read_text()
    time.sleep(0.5)
    assert seen.pokes == before


def test_it_ends_soon_after_it_is_told_to(path: Path, follow: Follow) -> None:
    seen = follow(path)
    began = time.monotonic()
    seen.stop.set()
    seen.thread.join()
    assert time.monotonic() - began < 0.2


def test_a_file_and_its_folders_may_come_later(tmp_path: Path, follow: Follow) -> None:
    path = tmp_path / "a" / "b" / "todo.json"
    seen = follow(path)
    path.parent.parent.mkdir()
    path.parent.mkdir()
    seen.sees(lambda: path.write_text("[]"))
    seen.sees(lambda: path.write_text("[1]"))


def test_a_folder_made_with_its_file_at_once_is_seen(tmp_path: Path, follow: Follow) -> None:
    path = tmp_path / "a" / "todo.json"
    seen = follow(path)

    def make() -> None:
        path.parent.mkdir()
        path.write_text("[]")

    seen.sees(make)
    seen.sees(lambda: path.write_text("[1]"))


def test_a_folder_that_is_removed_and_made_again_is_followed(path: Path, follow: Follow) -> None:
    seen = follow(path)
    seen.sees(lambda: shutil.rmtree(path.parent))
    path.parent.mkdir()
    seen.sees(lambda: path.write_text("[1]"))
    seen.sees(lambda: path.write_text("[2, 3]"))


def test_a_folder_that_is_moved_away_is_not_followed(path: Path, follow: Follow) -> None:
    seen = follow(path)
    away = path.parent.with_name("away")
    seen.sees(lambda: path.parent.rename(away))
    before = seen.quiet()
    (away / path.name).write_text("[1]")
    time.sleep(0.5)
    assert seen.pokes == before
    path.parent.mkdir()
    seen.sees(lambda: path.write_text("[2]"))


def test_a_link_is_followed_to_its_target_and_to_a_new_one(path: Path, follow: Follow) -> None:
    link = path.parent.parent / "link.json"
    other = path.parent.parent / "elsewhere" / "other.json"
    other.parent.mkdir()
    other.write_text("[]")
    link.symlink_to(path)
    seen = follow(link)
    assert seen.sees(lambda: path.write_text("[1]")) < 1

    def retarget() -> None:
        fresh = link.with_name("fresh")
        fresh.symlink_to(other)
        fresh.rename(link)

    seen.sees(retarget)
    seen.sees(lambda: other.write_text("[1, 2]"))
    before = seen.quiet()
    path.write_text("[1, 2, 3]")
    time.sleep(0.4)
    assert seen.pokes == before


def test_a_link_to_a_folder_is_followed(path: Path, follow: Follow) -> None:
    link = path.parent.parent / "link"
    link.symlink_to(path.parent)
    seen = follow(link / path.name)
    assert seen.sees(lambda: path.write_text("[1]")) < 1


@pytest.mark.parametrize(
    "error",
    [
        OSError("OS file watch limit reached. about ['/x'] (Error { kind: MaxFilesWatch })"),
        RuntimeError("Error creating recommended watcher: Too many open files (os error 24)"),
        PermissionError(13, "Permission denied"),
    ],
)
def test_without_a_watch_it_polls_and_says_so(
    path: Path, follow: Follow, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_args: object, **_kw: object) -> Iterator[set[tuple[object, str]]]:
        raise error
        yield set()

    monkeypatch.setattr(watchfiles, "watch", refuse)
    seen = follow(path)
    assert seen.modes == [Mode.POLL]
    seen.sees(lambda: path.write_text("[1]"))
    seen.sees(lambda: rename_over(path, "[2]"))
    seen.sees(path.unlink)
    monkeypatch.undo()


def test_after_a_while_it_tries_events_again(
    path: Path, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, refusals = watchfiles.watch, iter([OSError("OS file watch limit reached.")])

    def first_refuse(*args: Path, **kw: object) -> Iterator[object]:
        if error := next(refusals, None):
            raise error
        yield from real(*args, **kw)  # type: ignore[arg-type]

    monkeypatch.setattr(watching, "RETRY", 0.3)
    monkeypatch.setattr(watchfiles, "watch", first_refuse)
    seen = follow(path)
    seen.until(lambda: len(seen.modes) == 2)
    assert seen.modes[0] is Mode.POLL


def test_a_network_file_system_is_polled(
    path: Path, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "mode_for", lambda _path: Mode.POLL)
    monkeypatch.setattr(watching, "REVALIDATE", 0.2)
    seen = follow(path)
    assert seen.modes == [Mode.POLL]
    for turn in range(4):
        seen.sees(lambda turn=turn: path.write_text(f"[{turn}]"))
    path.unlink()
    seen.quiet()


MOUNTS = rb"""22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:25 / /net rw - nfs4 server:/x rw
31 22 0:26 / /net/local\040disk rw - xfs /dev/vdb rw
32 22 0:27 / /s rw - fuse.sshfs host: rw
33 22 0:28 / /box rw - overlay overlay rw
34 22 254:0 /etc/x /one/file.json rw - ext4 /dev/vda rw
35 22 0:29 / /again rw - ext4 /dev/vdc rw
36 35 0:30 / /again rw - 9p share rw
broken line
"""


@pytest.mark.parametrize(
    ("path", "mode"),
    [("/home/x.json", Mode.EVENTS), ("/net/x.json", Mode.POLL), ("/net/local disk/x.json",
     Mode.EVENTS),
     ("/netx/x.json", Mode.EVENTS), ("/s/a/b.json", Mode.POLL), ("/box/x.json", Mode.BOTH),
     ("/one/file.json", Mode.BOTH), ("/one/other.json", Mode.EVENTS), ("/again/x.json", Mode.POLL),
     ("a\0b", Mode.BOTH)],
)  # fmt: skip
def test_the_file_system_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, mode: Mode
) -> None:
    table = tmp_path / "mountinfo"
    table.write_bytes(MOUNTS)
    monkeypatch.setattr(fstype, "_MOUNTS", table)
    assert mode_for(Path(path)) is mode


def test_without_a_table_of_mounts_both_ways_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fstype, "_MOUNTS", Path("/no/such/table"))
    assert mode_for(Path("/home/x.json")) is Mode.BOTH
