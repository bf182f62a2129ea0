"""The scripted agent on a real file, with time that passes only when the agent waits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tui.demo.agent import TICK, ScriptedAgent
from tui.demo.clock import StoryClock
from tui.demo.disks import GB, arrived, freed, used_on_shared
from tui.demo.moments import moment
from tui.demo.planfile import Todo, read, render, rewrite, todo
from tui.demo.story import BENCHMARK, CHECK, DELETE, DEPLOY, DOWNLOAD, STEPS
from tui.plan.model import Status

When = Callable[[], bool]


class Telling:
    """A telling in one thread: `when` a condition first holds, somebody else does something."""

    def __init__(self, folder: Path, at: str = "before") -> None:
        self.path = folder / "todos.json"
        self.real = 0.0
        start = moment(at)
        self.path.write_bytes(start.plan)
        self.clock = StoryClock(progress=start.progress, real=lambda: self.real)
        self.agent = ScriptedAgent(self.path, self.clock, self._wait)
        self.cues: list[tuple[When, Callable[[], None]]] = []
        self.until: When = lambda: False

    def when(self, condition: When, act: Callable[[], None]) -> None:
        self.cues.append((condition, act))

    def run(self, until: When | None = None) -> None:
        self.until = until or (lambda: all(s in ("completed", "cancelled") for s in self.statuses))
        self.agent.run()

    def _wait(self, seconds: float) -> bool:
        self.real += seconds
        for cue in [c for c in self.cues if c[0]()]:
            self.cues.remove(cue)
            cue[1]()
        assert self.real < 500, "the story never came to its end"
        return self.until()

    def at(self, seconds: float) -> When:
        return lambda: self.real >= seconds

    def during(self, content: str, seconds: float = 0.0) -> When:
        def check() -> bool:
            work = self.clock.progress().current
            now = self.clock.progress().now
            return work is not None and work.step.content == content and now - work.begun >= seconds

        return check

    def edit(self, change: Callable[[list[Todo]], None]) -> Callable[[], None]:
        def act() -> None:
            todos = read(self.path)
            change(todos)
            self.path.write_text(json.dumps({"todos": todos}))

        return act

    def mark(self, content: str, status: str) -> Callable[[], None]:
        def change(todos: list[Todo]) -> None:
            next(t for t in todos if t["content"] == content)["status"] = status

        return self.edit(change)

    def add(self, extra: Todo, place: int = 99) -> Callable[[], None]:
        return self.edit(lambda todos: todos.insert(place, extra))

    @property
    def statuses(self) -> list[str]:
        return [t["status"] for t in read(self.path)]

    @property
    def worked(self) -> list[str]:
        return [w.step.content for w in self.clock.progress().works]


@pytest.fixture
def telling(tmp_path: Path) -> Telling:
    return Telling(tmp_path)


def test_the_story_runs_to_its_end(telling: Telling) -> None:
    telling.run()
    assert telling.statuses == ["completed"] * 5
    assert telling.worked == [s.content for s in STEPS]
    assert telling.real == pytest.approx(90, abs=1)
    assert used_on_shared(telling.clock.progress()) == 762 * GB
    assert telling.path.read_bytes() == moment("end").plan
    assert list(telling.path.parent.iterdir()) == [telling.path]


def test_nothing_has_begun_in_the_lead_in(telling: Telling) -> None:
    telling.run(until=telling.at(4))
    assert telling.statuses == ["pending"] * 5
    assert telling.worked == []


def test_a_vetoed_delete_is_skipped_and_frees_nothing(telling: Telling) -> None:
    telling.when(telling.during(CHECK.content), telling.mark(DELETE.content, "cancelled"))
    telling.run()
    assert telling.statuses == ["completed", "cancelled", "completed", "completed", "completed"]
    assert DELETE.content not in telling.worked
    assert used_on_shared(telling.clock.progress()) == 1302 * GB


def test_a_delete_that_is_vetoed_midway_stops_within_a_moment(telling: Telling) -> None:
    seen: list[float] = []
    telling.when(telling.during(DELETE.content, 7), telling.mark(DELETE.content, "cancelled"))
    telling.when(telling.during(DELETE.content, 7), lambda: seen.append(telling.real))
    telling.when(
        lambda: bool(seen) and not telling.during(DELETE.content)(),
        lambda: seen.append(telling.real),
    )
    telling.run()
    assert seen[1] - seen[0] <= 0.3
    gone = freed(telling.clock.progress())
    assert 150 * GB < gone < 350 * GB


def test_a_download_that_is_vetoed_midway_stops_and_the_rest_goes_on(telling: Telling) -> None:
    veto = telling.mark(DOWNLOAD.content, "cancelled")
    telling.when(telling.during(DOWNLOAD.content, 800), veto)
    telling.run()
    assert telling.statuses == ["completed", "completed", "cancelled", "completed", "completed"]
    assert 200 * GB < arrived(telling.clock.progress()) < 300 * GB


def test_a_restored_download_takes_up_where_it_was(telling: Telling) -> None:
    veto = telling.mark(DOWNLOAD.content, "canceled")
    restore = telling.mark(DOWNLOAD.content, "pending")
    telling.when(telling.during(DOWNLOAD.content, 800), veto)
    telling.when(telling.during(DEPLOY.content, 50), restore)
    telling.run()
    assert telling.statuses == ["completed"] * 5
    assert telling.worked.count(DOWNLOAD.content) == 2
    assert telling.worked[-2:] == [DOWNLOAD.content, BENCHMARK.content]
    assert telling.clock.progress().complete(DOWNLOAD)


def test_the_files_order_is_the_order_of_work(telling: Telling) -> None:
    def delete_last(todos: list[Todo]) -> None:
        todos.append(todos.pop(1))

    telling.when(telling.during(CHECK.content), telling.edit(delete_last))
    telling.run()
    expected = [CHECK, DOWNLOAD, DEPLOY, BENCHMARK, DELETE]
    assert telling.worked == [s.content for s in expected]
    assert [t["content"] for t in read(telling.path)] == telling.worked


def test_added_tasks_are_worked_and_keep_what_the_user_wrote(telling: Telling) -> None:
    note = {"id": 7, "content": "Write the note – é", "status": "pending", "by": {"who": "user"}}
    telling.when(telling.during(CHECK.content), telling.add(note, 1))
    telling.when(telling.during(CHECK.content), telling.add(note, 2))
    telling.run()
    assert telling.worked[1:3] == [note["content"]] * 2
    assert read(telling.path)[1] == {**note, "status": "completed"}
    assert telling.statuses == ["completed"] * 7


def test_a_task_added_after_the_end_is_worked_too(tmp_path: Path) -> None:
    telling = Telling(tmp_path, at="end")
    extra = todo("One more thing", Status.PENDING)
    telling.when(telling.at(5), telling.add(extra))
    telling.run(until=telling.at(15))
    assert telling.statuses == ["completed"] * 6


def test_a_task_that_leaves_the_plan_is_no_longer_worked_on(telling: Telling) -> None:
    def drop(todos: list[Todo]) -> None:
        del todos[2]

    telling.when(telling.during(DOWNLOAD.content, 300), telling.edit(drop))
    telling.run()
    assert telling.statuses == ["completed"] * 4
    assert arrived(telling.clock.progress()) < 150 * GB


def test_the_agent_takes_up_the_task_of_a_later_moment(tmp_path: Path) -> None:
    telling = Telling(tmp_path, at="pivot")
    telling.run()
    assert telling.statuses == ["completed"] * 5
    assert telling.worked == [s.content for s in STEPS]
    assert telling.real == pytest.approx(DEPLOY.shown + BENCHMARK.shown, abs=1)


def test_a_broken_or_missing_file_is_waited_for(telling: Telling) -> None:
    whole: list[bytes] = []

    def damage() -> None:
        whole.append(telling.path.read_bytes())
        telling.path.write_bytes(whole[0][:50])

    def repair() -> None:
        telling.path.write_bytes(whole[0])

    telling.when(telling.at(8), damage)
    telling.when(telling.at(14), telling.path.unlink)
    telling.when(telling.at(16), repair)
    telling.run(until=telling.at(100))
    assert telling.statuses == ["completed"] * 5
    assert telling.worked == [s.content for s in STEPS]


def test_a_loop_of_edits_between_reading_and_writing_is_never_lost(tmp_path: Path) -> None:
    path = tmp_path / "todos.json"
    path.write_bytes(render([todo(s.content, Status.PENDING) for s in STEPS]))
    edits = 0

    def change(todos: list[Todo]) -> list[Todo]:
        nonlocal edits
        if edits < 25:
            edits += 1
            path.write_bytes(render([*read(path), todo(f"edit {edits}", Status.PENDING)]))
        return [{**todos[0], "status": "in_progress"}, *todos[1:]]

    wanted = rewrite(path, change)
    assert read(path) == wanted
    assert [t["content"] for t in wanted[5:]] == [f"edit {n}" for n in range(1, 26)]
    assert wanted[0]["status"] == "in_progress"


def test_edits_throughout_survive_the_whole_story(telling: Telling) -> None:
    for n in range(10):
        extra = todo(f"extra {n}", Status.CANCELLED)
        telling.when(telling.at(4 + n * 8.1), telling.add(extra))
    telling.run()
    assert telling.statuses == ["completed"] * 5 + ["cancelled"] * 10


def test_nothing_is_written_when_nothing_changes(tmp_path: Path) -> None:
    telling = Telling(tmp_path, at="end")
    telling.path.write_bytes(b'{"note": 1, "todos": []}')
    before = telling.path.stat()
    telling.run(until=telling.at(5))
    assert telling.path.stat() == before


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"todos":{}}', b'{"todos":[1]}', b"\xff"])
def test_what_is_no_plan_is_said_so(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "todos.json").write_bytes(raw)
    with pytest.raises(ValueError, match=r".+"):
        read(tmp_path / "todos.json")


def test_a_veto_is_seen_within_a_third_of_a_second() -> None:
    assert TICK < 0.3
