"""The journal: one writer among processes, times recovered, damage passed over."""

from __future__ import annotations

import json
import resource
import signal
from pathlib import Path

import pytest

from tui.host.sample import Event, Signal
from tui.journal import Journal
from tui.plan.directives import Kind
from tui.plan.transitions import Change, Span, Transition
from tui.view import Alarm


def started(task: str, at: float) -> Transition:
    return Transition(Change.STARTED, ("k",), (task,), at)


def completed(task: str, at: float, took: float | None, exact: bool = True) -> Transition:
    return Transition(Change.COMPLETED, ("k",), (task,), at, took, exact)


def records(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]


def test_times_are_recovered(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record(started("a", 100.0), completed("a", 160.0, 60.0))
    journal.record(completed("b", 170.0, 50.0, exact=False), completed("c", 171.0, None))
    journal.record(Transition(Change.PIVOT, ("k", "l"), ("d", "e"), 200.0, 20.0))
    journal.close()
    assert Journal(tmp_path).spans() == {
        "a": Span(100.0, 160.0),
        "b": Span(120.0, 170.0, exact=False),
        "d": Span(180.0, 200.0),
        "e": Span(200.0),
    }


def test_the_latest_start_counts(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record(started("a", 1.0), completed("a", 2.0, 1.0), started("a", 5.0))
    assert journal.spans() == {"a": Span(5.0)}


def test_what_is_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    alarm = Alarm("k", "task", Kind.VETO, True, "needed", 3.0)
    journal.record(
        Transition(Change.REWORDED, ("k",), ("new",), 1.0, before="old", done=1, total=2),
        alarm,
        Signal(Event.DISK_FREED, "/data", 5, 2.0),
    )
    reworded, told, freed = records(tmp_path)
    assert reworded == {
        "v": 1,
        "at": 1.0,
        "what": "reworded",
        "tasks": ["new"],
        "before": "old",
        "done": 1,
        "total": 2,
    }
    assert (told["what"], told["did"], told["against"]) == ("alarm", "finished", "veto")
    assert (freed["where"], freed["bytes"]) == ("/data", 5)


def test_nothing_to_record_makes_no_file(tmp_path: Path) -> None:
    Journal(tmp_path / "new").record()
    assert not (tmp_path / "new").exists()
    assert Journal(tmp_path / "new").spans() == {}


def test_the_first_process_writes_and_the_next_goes_on(tmp_path: Path) -> None:
    first, second = Journal(tmp_path), Journal(tmp_path)
    first.record(started("a", 1.0))
    second.record(started("a", 1.0))
    assert len(records(tmp_path)) == 1
    first.close()
    first.close()
    second.record(started("b", 2.0))
    first.record(started("c", 3.0))
    assert [r["tasks"] for r in records(tmp_path)] == [["a"], ["b"]]
    second.close()


@pytest.mark.parametrize(
    "line",
    [
        b"torn {",
        b"[1, 2]",
        b"\xff",
        b'{"what": "started", "tasks": "a", "at": 1}',
        b'{"what": "started", "tasks": ["a"], "at": "x"}',
        b'{"what": {"deep": 1}, "tasks": ["a"], "at": 1}',
        b'{"what": "pivot", "tasks": ["a"], "at": 1, "took": 1}',
        b'{"what": "completed", "tasks": ["a"], "at": 1, "took": "long"}',
        b"[" * 100_000,
    ],
    ids=range(9),
)
def test_damaged_lines_are_passed_over(tmp_path: Path, line: bytes) -> None:
    journal = Journal(tmp_path)
    journal.record(started("good", 1.0))
    journal.path.write_bytes(journal.path.read_bytes() + line + b"\n")
    journal.record(started("better", 2.0))
    assert journal.spans() == {"good": Span(1.0), "better": Span(2.0)}


def test_a_torn_line_does_not_swallow_the_next(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record(started("good", 1.0))
    journal.path.write_bytes(journal.path.read_bytes() + b'{"what": "sta')
    journal.record(started("better", 2.0))
    assert journal.spans() == {"good": Span(1.0), "better": Span(2.0)}


def test_a_long_journal_is_read_from_its_end(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record(*(started(f"task {n} {'x' * 200}", float(n)) for n in range(2_000)))
    spans = journal.spans()
    assert 500 < len(spans) < 2_000
    assert Span(1_999.0) in spans.values()


def test_without_room_it_is_not_kept_and_nothing_fails(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record(started("a", 1.0))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (journal.path.stat().st_size + 20, hard))
    try:
        journal.record(started("b", 2.0))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    journal.record(started("c", 3.0))
    assert journal.spans() == {"a": Span(1.0), "c": Span(3.0)}


def test_without_a_folder_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = Journal(tmp_path / "file" / "below")
    journal.record(started("a", 1.0))
    assert journal.spans() == {}
    journal.close()


def test_hostile_text_is_kept_as_it_is(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record(started("\ud800\x1b[31m\n", 1.0))
    assert len(journal.path.read_bytes().splitlines()) == 1
    assert journal.spans() == {"\ud800\x1b[31m\n": Span(1.0)}
