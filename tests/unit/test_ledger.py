"""The ledger on disk: whole lines or none, shared by processes, and never taken for empty."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import signal
from pathlib import Path

import pytest

from tui.ledger import LedgerFile, new_id
from tui.plan.directives import (
    Anchor,
    Base,
    Directive,
    Event,
    Kind,
    Ledger,
    Op,
    State,
    TaskRef,
    fold,
)
from tui.plan.model import Priority

ROOT = os.geteuid() == 0


def decide(name: str, kind: Kind = Kind.VETO, **more: object) -> Event:
    subject = f"s-{name}"
    directive = Directive(name, kind, subject, 12.5, **more)  # type: ignore[arg-type]
    return Event(name, Op.DECIDE, 12.5, directive=directive, subjects={subject: TaskRef("text")})


EVENTS = [
    decide("veto", reason="it is needed \U0001f600 \ud800 \udcff\n\x1b[31m"),
    decide("hold", Kind.HOLD, base=Base(status="in-progress")),
    decide("priority", Kind.PRIORITY, priority=Priority.LOW, base=Base(priority="P1")),
    decide("move", Kind.MOVE, anchor=Anchor(before="s1", after="s2"), base=Base(after="s3")),
    decide("first", Kind.MOVE, anchor=Anchor(edge="first")),
    decide("add", Kind.ADD, text="\ud800 new " + "long " * 20_000, priority=Priority.HIGH),
    Event("r", Op.RESTORE, 13.0, of=("veto", "hold"), reason="it is needed after all"),
    Event("u", Op.UNDO, 14.0, of=("r",)),
    Event("d", Op.REDO, 15.0, of=("r",)),
    Event("s1", Op.STATE, 16.0, of=("move",), state=State.STORED, written=True, base=Base("x")),
    Event("s2", Op.STATE, 16.0, of=("move",), settled=True),
    Event("s3", Op.STATE, 17.0, of=("add",), written=True, base=Base()),
    Event("e", Op.STATE, 18.0, echo="0123456789abcdef"),
    Event("f", Op.FOLLOW, 19.0, subjects={"s-veto": TaskRef("\udfff", "id 7", 3, gone=True)}),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.id)
def test_every_kind_of_event_comes_back_the_same(tmp_path: Path, event: Event) -> None:
    LedgerFile(tmp_path).append(event)
    line = (tmp_path / "ledger.jsonl").read_bytes()
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert LedgerFile._parse(line) == event


def test_the_whole_comes_back_the_same(tmp_path: Path) -> None:
    writer = LedgerFile(tmp_path)
    assert writer.append(*EVENTS) == fold(EVENTS)
    reader = LedgerFile(tmp_path)
    assert reader.changed()
    assert reader.read() == fold(EVENTS)
    assert reader.damaged == 0


def test_no_file_is_an_empty_ledger(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path / "not" / "there")
    assert not ledger.changed()
    assert ledger.read() == Ledger()
    assert ledger.append() == Ledger()
    assert not (tmp_path / "not").exists()


def test_the_folder_and_file_are_the_users_alone(tmp_path: Path) -> None:
    LedgerFile(tmp_path / "state").append(decide("a"))
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "state" / "ledger.jsonl").stat().st_mode & 0o777 == 0o600


def test_only_what_others_wrote_is_a_change(tmp_path: Path) -> None:
    one, other = LedgerFile(tmp_path), LedgerFile(tmp_path)
    one.append(decide("a"))
    assert not one.changed()
    assert other.changed()
    other.read()
    assert not other.changed()
    other.append(decide("b"))
    # What another wrote before our own append was read along with it, and is news all the same.
    one.append(decide("c"))
    assert one.changed()
    assert len(one.read().directives) == 3
    assert not one.changed()


def test_a_torn_last_line_is_ended_and_left_out(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path)
    ledger.append(decide("a"))
    whole = ledger.path.read_bytes()
    ledger.path.write_bytes(whole + whole[:40])
    ledger.append(decide("b"))
    assert ledger.path.read_bytes().startswith(whole + whole[:40] + b"\n")
    found = LedgerFile(tmp_path)
    assert [d.id for d in found.read().directives] == ["a", "b"]
    assert found.damaged == 1


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"{}",
        b'{"id": "x", "op": "explode", "at": 1}',
        b'{"id": "x", "op": "undo", "at": "noon"}',
        b'{"id": "x", "op": "undo", "at": 1' + b"0" * 400 + b"}",
        b'{"id": "x", "op": "decide", "at": 1, "kind": "veto"}',
        b'{"id": "x", "op": "decide", "at": 1, "kind": "move", "subject": "s", "priority": "p9"}',
        b'{"id": "x", "op": "follow", "at": 1, "subjects": {"s": {"content": 5}}}',
        b'{"id": "x", "op": "follow", "at": 1, "subjects": {"s": {"content": "a", "nth": "b"}}}',
        b'{"id": "x", "op": "follow", "at": 1, "subjects": {"s": {"content": "a", "new": "b"}}}',
        b'{"id": "x", "op": "follow", "at": 1, "subjects": [1]}',
        b'{"id": "x", "op": "state", "at": 1, "of": ["a"], "state": "happy"}',
        b'{"id": "x", "op": "state", "at": 1, "of": ["a"], "base": {"status": 3}}',
        b'{"id": "x", "op": "state", "at": 1, "of": 7}',
        b"[" * 100_000,
    ],
    ids=range(18),
)
def test_damaged_lines_stay_in_the_file_and_are_counted(tmp_path: Path, line: bytes) -> None:
    ledger = LedgerFile(tmp_path)
    ledger.append(decide("a"))
    ledger.path.write_bytes(ledger.path.read_bytes() + line + b"\n\n")
    assert [d.id for d in ledger.append(decide("b")).directives] == ["a", "b"]
    assert ledger.damaged == 1
    assert line in ledger.path.read_bytes()


def test_a_file_that_was_deleted_is_empty_again(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path)
    ledger.append(decide("a"))
    ledger.path.unlink()
    assert ledger.changed()
    assert ledger.read() == Ledger()


def test_a_folder_in_the_ledgers_place_is_an_error_and_not_an_empty_ledger(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path)
    ledger.path.mkdir()
    with pytest.raises(OSError, match="directory"):
        ledger.read()
    with pytest.raises(OSError, match="directory"):
        ledger.append(decide("a"))


@pytest.mark.skipif(ROOT, reason="root may read everything")
def test_a_folder_without_rights_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    LedgerFile(folder).append(decide("a"))
    folder.chmod(0)
    try:
        with pytest.raises(PermissionError):
            LedgerFile(folder).changed()
        with pytest.raises(PermissionError):
            LedgerFile(folder).append(decide("b"))
    finally:
        folder.chmod(0o700)


def _append_many(folder: Path, who: int, count: int) -> None:
    ledger = LedgerFile(folder)
    for number in range(count):
        ledger.append(decide(f"{who}-{number}", reason="x" * 5_000))


def test_two_processes_appending_at_once_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append_many, args=(tmp_path, who, 40)) for who in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
        assert worker.exitcode == 0
    ledger = LedgerFile(tmp_path)
    names = [d.id for d in ledger.read().directives]
    assert ledger.damaged == 0
    assert sorted(names) == sorted(f"{who}-{n}" for who in range(2) for n in range(40))
    for who in range(2):
        mine = [name for name in names if name.startswith(f"{who}-")]
        assert mine == [f"{who}-{n}" for n in range(40)]


def test_without_room_the_file_stays_as_it_was(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path)
    ledger.append(decide("a"))
    before = ledger.path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, hard))
    try:
        with pytest.raises(OSError, match=r"space|large"):
            ledger.append(decide("b", reason="long" * 100))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert ledger.path.read_bytes() == before
    assert [d.id for d in ledger.append(decide("c")).directives] == ["a", "c"]


def test_lines_of_a_later_version_keep_what_is_known(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path)
    ledger.append(decide("a"))
    line = json.loads(ledger.path.read_text())
    ledger.path.write_text(json.dumps(line | {"v": 2, "mood": "hopeful"}) + "\n")
    assert [d.id for d in ledger.read().directives] == ["a"]


def test_names_are_short_and_all_different() -> None:
    names = {new_id() for _ in range(1_000)}
    assert len(names) == 1_000
    assert {len(name) for name in names} == {8}
