"""The worker: what is known is told at once, what happens as it comes, and failures too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.unit.memory_store import MemoryStore, task
from tui import worker as working
from tui.acts import Act, Verb
from tui.session import Session
from tui.stores.base import Reading
from tui.view import Health, Update
from tui.worker import PlanWorker


class Fragile(MemoryStore):
    """A store whose reading fails for as long as it is told to, as a mistake of ours would."""

    error: Exception | None = None
    reads = 0

    def read(self) -> Reading:
        self.reads += 1
        if self.error is not None:
            raise self.error
        return super().read()


class Told:
    """Keeps what a worker posts."""

    def __init__(self) -> None:
        self.updates: list[Update] = []

    def until(self, holds: Callable[[Update], bool]) -> Update:
        end = time.monotonic() + 4
        while not self.updates or not holds(self.updates[-1]):
            assert time.monotonic() < end, self.updates[-1:]
            time.sleep(0.005)
        return self.updates[-1]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(working, "_HEARTBEAT", 0.03)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def store() -> Fragile:
    return Fragile(task("Check"), task("Delete"))


@pytest.fixture
def worker(store: Fragile, tmp_path: Path) -> Iterator[PlanWorker]:
    worker = PlanWorker(Session(store, tmp_path / "ledger"))
    yield worker
    worker.stop()
    worker.join(2)


def test_what_was_read_before_it_is_shown_is_told_by_the_one_who_starts(
    worker: PlanWorker,
) -> None:
    told = Told()
    worker.begin()
    time.sleep(0.1)
    worker.start(told.updates.append)
    assert [row.content for row in told.updates[0].view.rows] == ["Check", "Delete"]


def test_acts_and_writes_of_the_agent_are_told(worker: PlanWorker, store: Fragile) -> None:
    told = Told()
    worker.start(told.updates.append)
    first = told.until(lambda update: bool(update.view.rows))
    worker.act(Act(Verb.VETO, first.view.rows[1].key))
    assert told.until(lambda update: bool(update.notices)).notices == ("Vetoed: Delete",)
    store.rewrite(task("Check", "in_progress"), task("Delete"))
    told.until(lambda update: update.view.current is not None)


def test_a_failure_is_told_once_and_over_when_it_is_over(
    worker: PlanWorker, store: Fragile, tmp_path: Path
) -> None:
    told = Told()
    worker.start(told.updates.append)
    told.until(lambda update: update.view.health is Health.OK)
    store.error = RuntimeError("sur\x1b[31mprise")
    store.rewrite(task("Check"), task("Delete"), task("Add"))
    failed = told.until(lambda update: update.view.health is Health.UNREADABLE)
    assert failed.view.problem.startswith("unexpected RuntimeError: surprise (the traceback is in ")
    assert len(failed.view.rows) == 2
    count = len(told.updates)
    reads = store.reads
    while store.reads < reads + 3:
        time.sleep(0.005)
    assert len(told.updates) == count
    log = (tmp_path / "state/steerpane/crash.log").read_text()
    assert log.count("RuntimeError") == 1
    store.error = None
    told.until(lambda update: update.view.health is Health.OK and len(update.view.rows) == 3)


def test_it_ends_soon_after_a_stop_even_while_it_fails(worker: PlanWorker, store: Fragile) -> None:
    store.error = RuntimeError()
    worker.start(Told().updates.append)
    worker.stop()
    began = time.monotonic()
    worker.join(2)
    assert time.monotonic() - began < 1
