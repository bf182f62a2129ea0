"""Folding a ledger: the same events give every process the same directives."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.plan.directives import (
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


def decide(name: str, kind: Kind = Kind.VETO, subject: str = "s") -> Event:
    directive = Directive(name, kind, subject, 1.0)
    return Event(name, Op.DECIDE, 1.0, directive=directive, subjects={subject: TaskRef(subject)})


def on(op: Op, *of: str, name: str = "", **more: object) -> Event:
    return Event(name or f"{op}-{'-'.join(of)}", op, 1.0, of=of, **more)  # type: ignore[arg-type]


def in_force(ledger: Ledger) -> list[str]:
    return [d.id for d in ledger.directives if d.in_force]


def only(ledger: Ledger, name: str) -> Directive:
    return next(d for d in ledger.directives if d.id == name)


def test_nothing_is_nothing() -> None:
    assert fold([]) == Ledger()


def test_a_later_one_on_the_same_field_supersedes() -> None:
    ledger = fold([decide("a"), decide("b", Kind.HOLD), decide("c", Kind.PRIORITY)])
    assert in_force(ledger) == ["b", "c"]
    assert in_force(fold([decide("a"), decide("b", subject="other")])) == ["a", "b"]


def test_what_was_superseded_comes_back_when_the_later_one_goes() -> None:
    events = [decide("a"), decide("b", Kind.HOLD), on(Op.UNDO, "b")]
    assert in_force(fold(events)) == ["a"]
    events = [decide("a"), decide("b", Kind.HOLD), on(Op.RESTORE, "b")]
    assert in_force(fold(events)) == ["a"]


def test_what_comes_back_after_it_was_withdrawn_begins_again() -> None:
    stored = on(Op.STATE, "a", state=State.STORED, written=True)
    settled = on(Op.STATE, "a", settled=True)
    ledger = fold([decide("a"), stored, decide("b", Kind.HOLD), settled, on(Op.UNDO, "b")])
    back = only(ledger, "a")
    assert (back.state, back.in_force, back.written) == (State.RECORDED, True, False)
    kept = only(fold([decide("a"), stored, decide("b", Kind.HOLD), on(Op.UNDO, "b")]), "a")
    assert (kept.state, kept.written) == (State.STORED, True)


def test_defiance_outlives_the_loss_of_the_value() -> None:
    events = [decide("a"), on(Op.STATE, "a", state=State.DEFIED), on(Op.STATE, "a", settled=True)]
    assert only(fold(events), "a").state is State.DEFIED


def test_restored_and_undone_say_so_and_keep_what_is_to_be_withdrawn() -> None:
    stored = on(Op.STATE, "a", state=State.STORED, written=True, base=Base(status="todo"))
    for end in (on(Op.RESTORE, "a"), on(Op.UNDO, "a")):
        ended = only(fold([decide("a"), stored, end]), "a")
        assert (ended.state, ended.in_force) == (State.RESTORED, False)
        assert ended.to_withdraw
        assert ended.base == Base(status="todo")
        done = only(fold([decide("a"), stored, end, on(Op.STATE, "a", settled=True)]), "a")
        assert not done.to_withdraw


def test_a_redone_one_begins_again() -> None:
    stored = on(Op.STATE, "a", state=State.ACKNOWLEDGED)
    ledger = fold([decide("a"), stored, on(Op.UNDO, "a"), on(Op.REDO, "a")])
    assert only(ledger, "a").state is State.RECORDED
    assert ledger.undoable == ("a",)
    assert ledger.redoable == ()


def test_undoing_a_restore_brings_back_all_that_it_ended() -> None:
    restore = on(Op.RESTORE, "a", "b", name="r")
    events = [decide("a"), decide("b", Kind.PRIORITY), restore]
    assert in_force(fold(events)) == []
    assert in_force(fold([*events, on(Op.UNDO, "r")])) == ["a", "b"]
    assert in_force(fold([*events, on(Op.UNDO, "r"), on(Op.REDO, "r")])) == []


def test_a_new_act_ends_what_could_be_redone() -> None:
    ledger = fold([decide("a"), on(Op.UNDO, "a"), decide("b", Kind.MOVE)])
    assert ledger.redoable == ()
    assert ledger.undoable == ("b",)


def test_lapsed_is_over_and_supersedes_nothing() -> None:
    lapsed = on(Op.STATE, "b", state=State.LAPSED)
    ledger = fold([decide("a"), decide("b", Kind.HOLD), lapsed])
    assert in_force(ledger) == ["a"]


def test_following_a_rewording_and_knowing_an_echo() -> None:
    follow = Event("f", Op.FOLLOW, 2.0, subjects={"s": TaskRef("new", nth=1)})
    ledger = fold([decide("a"), follow, Event("e1", Op.STATE, 3.0, echo="abc")])
    assert ledger.subjects == {"s": TaskRef("new", nth=1)}
    assert (ledger.echo, ledger.echo_id) == ("abc", "e1")
    again = fold([Event("e1", Op.STATE, 3.0, echo="abc"), Event("e2", Op.STATE, 4.0, echo="abc")])
    assert again.echo_id == "e2"


@pytest.mark.parametrize(
    "stray",
    [
        on(Op.UNDO, "nobody"),
        on(Op.REDO, "a"),
        on(Op.RESTORE, "nobody"),
        on(Op.STATE, "nobody", state=State.STORED),
        Event("x", Op.DECIDE, 1.0),
        Event("x", Op.UNDO, 1.0),
        decide("a", Kind.HOLD, "elsewhere"),
    ],
)
def test_events_about_unknown_things_change_no_directive(stray: Event) -> None:
    plain = fold([decide("a")])
    assert fold([decide("a"), stray]).directives == plain.directives


def test_two_processes_undoing_the_same_act_undo_it_once() -> None:
    events = [decide("a"), decide("b", Kind.MOVE), on(Op.UNDO, "b"), on(Op.UNDO, "b", name="u2")]
    assert in_force(fold(events)) == ["a"]


@dataclass
class Naive:
    """The same rules said plainly: a stack of acts done, of which the state follows anew."""

    done: list[Event] = field(default_factory=list)
    undone: list[Event] = field(default_factory=list)

    def act(self, event: Event) -> None:
        self.done.append(event)
        self.undone = []

    def holds(self) -> list[str]:
        ended = {name for e in self.done if e.op is Op.RESTORE for name in e.of}
        latest: dict[tuple[str, str], str] = {}
        for event in self.done:
            d = event.directive
            if d is not None and d.id not in ended:
                latest[d.subject, d.kind.field] = d.id
        return sorted(latest.values())


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["decide", "decide", "restore", "undo", "undo", "redo"]),
        st.sampled_from(list(Kind)),
        st.sampled_from("pq"),
        st.integers(0, 9),
    ),
    max_size=25,
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(STEPS)
def test_any_series_of_acts_folds_like_the_plain_rules(
    steps: list[tuple[str, Kind, str, int]],
) -> None:
    naive, events = Naive(), []
    for number, (what, kind, subject, pick) in enumerate(steps):
        name = f"e{number}"
        match what:
            case "decide":
                event = decide(name, kind, subject)
                naive.act(event)
            case "restore":
                decided = [e.id for e in naive.done if e.op is Op.DECIDE] or ["nobody"]
                event = on(Op.RESTORE, decided[pick % len(decided)], name=name)
                naive.act(event)
            case "undo" if naive.done:
                naive.undone.append(naive.done.pop())
                event = on(Op.UNDO, naive.undone[-1].id, name=name)
            case "redo" if naive.undone:
                naive.done.append(naive.undone.pop())
                event = on(Op.REDO, naive.done[-1].id, name=name)
            case _:
                continue
        events.append(event)
        ledger = fold(events)
        assert sorted(in_force(ledger)) == naive.holds()
        assert list(ledger.undoable) == [e.id for e in naive.done]
        assert list(ledger.redoable) == [e.id for e in naive.undone]
        assert fold([replace(e) for e in events]) == ledger
