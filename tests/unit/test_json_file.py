"""The JSON store against what may be found in a file: never a traceback, never a write."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tui.plan.model import Priority, Status, Task
from tui.stores import reading
from tui.stores.base import Result, Store
from tui.stores.json_file import JsonFile
from tui.view import Health, Reach

Tasks = tuple[Task, ...]


def quietly(_data: bytes) -> None:
    """Announce nothing."""


def veto_first(tasks: Tasks) -> Tasks:
    head = replace(tasks[0], status=Status.CANCELLED, raw_status=None) if tasks else Task("new")
    return (head, *tasks[1:])


def refused(path: Path, *healths: Health) -> str:
    """Read and write a file that is no plan; return what the user is told."""
    before = path.lstat() if os.path.lexists(path) else None
    data = path.read_bytes() if before and path.is_file() else None
    store = JsonFile(path)
    found = store.read()
    assert found.health in healths
    assert found.snapshot is None
    assert found.problem
    assert "\n" not in found.problem
    began = time.monotonic()
    commit = store.write(veto_first, quietly)
    assert time.monotonic() - began < 0.5
    assert commit.result in (Result.BUSY, Result.FAILED)
    assert commit.problem
    if data is not None:
        assert path.read_bytes() == data
    if before is not None:
        assert path.lstat().st_ino == before.st_ino
    assert not list(path.parent.glob(".steerpane*"))
    return found.problem


def test_it_is_a_store(tmp_path: Path) -> None:
    path = tmp_path / "todo.json"
    path.write_bytes(b'{"todos": [{"content": "a", "status": "in_progress", "priority": "P1", '
                     b'"id": 7, '
                     b'"activeForm": "doing a"}, {"title": 5}, "text", 8]}')  # fmt: skip
    store: Store = JsonFile(path)
    assert (store.name, store.reach, store.session) == ("json", Reach.OVERWRITTEN, "")
    assert store.writing == "compare, then rename"
    found = store.read()
    assert found.health is Health.OK
    assert found.snapshot is not None
    assert found.snapshot.tasks == (
        Task("a", Status.IN_PROGRESS, Priority.HIGH, "7", "doing a", "in_progress", "P1", 0),
        Task("5", origin=1),
        Task("text", origin=2),
    )
    assert found.snapshot.notes == ("1 entry is not a task and is left alone",)
    assert found.snapshot.raw == path.read_bytes()
    assert found.snapshot.stamp == store.stamp()
    done = store.write(veto_first, quietly)
    assert done.result is Result.WRITTEN
    assert done.snapshot is not None
    assert done.snapshot.raw == path.read_bytes()
    assert done.snapshot.stamp == store.stamp()
    assert done.snapshot.tasks[0].status is Status.CANCELLED
    again = store.write(veto_first, quietly)
    assert again.result is Result.UNCHANGED
    assert again.snapshot is not None
    assert again.snapshot.raw == done.snapshot.raw
    assert [p.name for p in tmp_path.iterdir()] == ["todo.json"]


@pytest.mark.parametrize(
    "data", [b"[]", b"{}", b'{"todos": []}', b' {"tasks":[]}\n', b"\xef\xbb\xbf[]"]
)
def test_an_empty_plan_is_a_plan(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(data)
    found = JsonFile(path).read()
    assert found.health is Health.OK
    assert found.snapshot is not None
    assert found.snapshot.tasks == ()


@pytest.mark.parametrize(
    "data",
    [b"3", b'"text"', b"null", b'{"a": 1}', b'{"todos": null}', b'{"tasks": {"1": {}}}',
     b"[1, 2]", b"[[]]",
     b'[{"a": 1}]', b"NaN", b'{"x": "\\ud83d"}'],
)  # fmt: skip
def test_other_json_is_no_plan(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(data)
    assert "name the agent's todo file" in refused(path, Health.NOT_A_PLAN)


@pytest.mark.parametrize(
    "data",
    [b"", b"  \n", b"\xef\xbb\xbf", b'[{"content": "a", "sta', b"[1]]", b"# Plan\n- [ ] a\n",
    b"[,]", b'["\xff"]',
     b"[" * 5000],
    ids=range(9),
)  # fmt: skip
def test_what_does_not_parse_is_being_written_and_damaged_later(
    tmp_path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(data)
    refused(path, Health.BEING_WRITTEN)
    store = JsonFile(path)
    began = time.monotonic()
    assert store.read().health is Health.BEING_WRITTEN
    assert time.monotonic() - began < 0.3
    monkeypatch.setattr(reading, "DAMAGED_AFTER", 0.0)
    # Nobody is waited for twice over the same bytes.
    monkeypatch.setattr(time, "sleep", lambda _seconds: pytest.fail("waited"))
    damaged = store.read()
    assert damaged.health is Health.DAMAGED
    assert str(path) in damaged.problem
    path.write_bytes(b"[]")
    assert store.read().health is Health.OK


def test_zero_bytes_are_damage_at_once(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(b"\x7fELF\x00\x01\x00")
    assert "zero bytes" in refused(path, Health.DAMAGED)
    path.write_bytes(b'["a"]' + b"\0" * 100)
    refused(path, Health.DAMAGED)


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    assert "waiting" in refused(tmp_path / "none.json", Health.MISSING)
    assert "waiting" in refused(tmp_path / "no" / "such" / "none.json", Health.MISSING)
    assert "folder" in refused(tmp_path, Health.UNREADABLE)
    file = tmp_path / "file"
    file.touch()
    assert "through a file" in refused(file / "p.json", Health.UNREADABLE)
    dangling, loop = tmp_path / "dangling.json", tmp_path / "loop.json"
    dangling.symlink_to("nowhere.json")
    loop.symlink_to("loop.json")
    assert "link" in refused(dangling, Health.MISSING)
    assert "circle" in refused(loop, Health.UNREADABLE)
    assert "name of a file" in refused(tmp_path / ("x" * 300), Health.UNREADABLE)
    fifo = tmp_path / "fifo.json"
    os.mkfifo(fifo)
    assert "pipe or device" in refused(fifo, Health.UNREADABLE)
    assert "pipe or device" in refused(Path("/dev/null"), Health.UNREADABLE)
    evil = tmp_path / "a\x1b[2J\nb.json"
    assert "\x1b" not in refused(evil, Health.MISSING)


def test_a_huge_file_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.json"
    monkeypatch.setattr(reading, "LIMIT", 1 << 20)
    path.touch()
    os.truncate(path, (1 << 20) + 1)
    assert "MB" in refused(path, Health.UNREADABLE)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_closed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(b"[]")
    path.chmod(0)
    assert "permission" in JsonFile(path).read().problem


@pytest.mark.parametrize(
    "content",
    ["x" * 4000, "家族 👨‍👩‍👧 ﷽", "\u202eRTL", "\x1b]0;t\x07\x1b[2J", "[red]a[/red] {x}", "\ud83d",
    "", "a\nb"],
)  # fmt: skip
def test_any_content_is_kept_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(
        json.dumps([{"content": content, "status": None, "priority": 2, "id": None}] * 2)
    )
    store = JsonFile(path)
    found = store.read()
    assert found.snapshot is not None
    assert [t.content for t in found.snapshot.tasks] == [content] * 2
    before = path.read_bytes()
    assert store.write(veto_first, quietly).result is Result.WRITTEN
    assert path.read_bytes() == before.replace(b"null", b'"cancelled"', 1)


def test_numbers_keep_every_digit(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(b'[{"id": 1234567890123456789012345, "content": 1.50}, {"content": -0}]')
    found = JsonFile(path).read()
    assert found.snapshot is not None
    assert found.snapshot.tasks[0].id == "1234567890123456789012345"
    assert found.snapshot.tasks[0].content == "1.50"


def big_plan(count: int, size: int) -> bytes:
    task = {"content": "x" * size, "status": "pending", "priority": "low"}
    return json.dumps([{**task, "id": str(i)} for i in range(count)], indent=2).encode()


@pytest.mark.parametrize(("count", "size"), [(10_000, 40), (10_000, 950), (5, 2_000_000)])
def test_large_plans_are_read_and_written_in_good_time(
    tmp_path: Path, count: int, size: int
) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(big_plan(count, size))
    store = JsonFile(path)
    began = time.monotonic()
    found = store.read()
    assert time.monotonic() - began < 1.0
    assert found.snapshot is not None
    assert len(found.snapshot.tasks) == count
    began = time.monotonic()
    assert store.write(lambda ts: veto_first(ts)[::-1], quietly).result is Result.WRITTEN
    assert time.monotonic() - began < 4.0


def test_a_refused_change_names_the_task(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(b'["a", {"content": "b"}]')
    commit = JsonFile(path).write(veto_first, quietly)
    assert commit.result is Result.FAILED
    assert commit.refused == (0,)
    assert "plain text" in commit.problem
    assert path.read_bytes() == b'["a", {"content": "b"}]'


@pytest.mark.parametrize("probe", [True, False])
@pytest.mark.parametrize("way", ["truncate", "rename", "bun"])
def test_a_busy_writer_never_shows_a_false_plan(tmp_path: Path, way: str, probe: bool) -> None:
    path = tmp_path / "p.json"
    plans = [big_plan(n, 30) for n in (3, 40, 300)]
    path.write_bytes(plans[0])
    stop = threading.Event()

    def agent() -> None:
        turn = 0
        while not stop.wait(0.002):
            turn += 1
            write[way](path, plans[turn % 3])

    thread = threading.Thread(target=agent)
    thread.start()
    store = JsonFile(path, probe=probe)
    good = 0
    try:
        for _ in range(25):
            found = store.read()
            assert found.health in (Health.OK, Health.BEING_WRITTEN)
            if found.snapshot is not None:
                good += 1
                assert found.snapshot.raw in plans
    finally:
        stop.set()
        thread.join()
    assert good or not probe


def truncate(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def rename(path: Path, data: bytes) -> None:
    other = path.with_suffix(".tmp")
    other.write_bytes(data)
    other.rename(path)


def bun(path: Path, data: bytes) -> None:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK)
    except BlockingIOError:
        return
    os.write(fd, data)
    os.ftruncate(fd, len(data))
    os.close(fd)


write: dict[str, Callable[[Path, bytes], None]] = {
    "truncate": truncate,
    "rename": rename,
    "bun": bun,
}


def test_a_file_that_its_writer_keeps_open_is_shown_but_not_written(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text('[{"content": "a", "status": "pending"}]')
    store = JsonFile(path)
    with path.open("r+"):
        assert store.read().health is Health.BEING_WRITTEN
        time.sleep(0.6)
        reading = store.read()
        assert reading.health is Health.OK
        assert reading.snapshot is not None
        assert store.write(veto_first, quietly).result is Result.BUSY
    assert store.write(veto_first, quietly).result is Result.WRITTEN
