"""From what the user asks for to a ledger event, or to why it makes no sense."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tui.acts import Act, Edge, Place, Verb
from tui.deciding import MAX_TEXT, Already, Desk, Refused, decide
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
from tui.plan.model import Priority, Status, Task


def task(key: str, status: str = "pending", priority: str | None = None) -> Task:
    found = None if priority is None else Priority(priority)
    return Task(
        f"text {key}", Status(status), found, key=key, raw_status=status, raw_priority=priority
    )


TASKS = (task("a", "completed"), task("b", "in_progress"), task("c"), task("d", "pending", "low"))


class Table:
    """A desk whose ledger grows with each decision; nothing is ever stored."""

    def __init__(self, *tasks: Task, wanted: tuple[Task, ...] | None = None) -> None:
        self.tasks = tasks or TASKS
        self.wanted = self.tasks if wanted is None else wanted
        self.events: list[Event] = []
        self.subjects: dict[str, str] = {}
        self.names: Iterator[int] = count()

    def desk(self) -> Desk:
        return Desk(
            self.tasks,
            self.wanted,
            fold(self.events),
            self.subjects,
            lambda: f"id{next(self.names)}",
            77.0,
        )

    def ask(self, verb: Verb, key: str = "", **more: object) -> Event:
        event, self.said = decide(Act(verb, key, **more), self.desk())  # type: ignore[arg-type]
        self.events.append(event)
        keys = {t.content: t.key for t in self.wanted}
        self.subjects |= {s: keys.get(ref.content, s) for s, ref in event.subjects.items()}
        return event

    def directive(self, verb: Verb, key: str = "", **more: object) -> Directive:
        event = self.ask(verb, key, **more)
        assert event.directive is not None
        return event.directive

    def stored(self, directive: Directive, state: State = State.STORED) -> None:
        self.events.append(
            Event(f"x{len(self.events)}", Op.STATE, 0.0, (directive.id,), state=state, written=True)
        )

    def in_force(self) -> list[Kind]:
        return [d.kind for d in fold(self.events).directives if d.in_force]


@pytest.fixture
def table() -> Table:
    return Table()


class TestStopping:
    @pytest.mark.parametrize("verb", [Verb.VETO, Verb.HOLD])
    def test_a_task(self, table: Table, verb: Verb) -> None:
        event = table.ask(verb, "b", reason="  why \n")
        d = event.directive
        assert d is not None
        assert (d.kind.value, d.reason, d.at) == (verb.value, "why", 77.0)
        assert d.base == Base(status="in_progress")
        assert event.subjects == {d.subject: TaskRef("text b")}
        assert event.id == d.id

    @pytest.mark.parametrize("verb", [Verb.VETO, Verb.HOLD, Verb.PRIORITY, Verb.MOVE])
    def test_not_what_is_done_or_gone(self, table: Table, verb: Verb) -> None:
        more = {"priority": Priority.HIGH, "place": Place(edge=Edge.FIRST)}
        with pytest.raises(Refused, match="completed already"):
            table.ask(verb, "a", **more)
        with pytest.raises(Refused, match="no longer"):
            table.ask(verb, "zz", **more)
        assert table.events == []

    def test_not_twice(self, table: Table) -> None:
        table.ask(Verb.VETO, "b", reason="why")
        with pytest.raises(Already, match="vetoed already"):
            table.ask(Verb.VETO, "b")
        with pytest.raises(Already):
            table.ask(Verb.VETO, "b", reason="why")
        table.ask(Verb.VETO, "b", reason="another")

    @pytest.mark.parametrize("state", [State.CONTESTED, State.DEFIED])
    def test_insisting(self, table: Table, state: State) -> None:
        first = table.directive(Verb.VETO, "b")
        table.stored(first, state)
        again = table.directive(Verb.VETO, "b")
        assert again.subject == first.subject
        assert table.in_force() == [Kind.VETO]

    def test_not_what_the_agent_has_cancelled(self) -> None:
        table = Table(task("x", "cancelled"))
        for verb in (Verb.VETO, Verb.HOLD):
            with pytest.raises(Refused, match="cancelled it"):
                table.ask(verb, "x")

    def test_a_hold_takes_a_vetos_place_and_knows_the_agents_word(self, table: Table) -> None:
        table.stored(table.directive(Verb.VETO, "b"))
        table.tasks = table.wanted = (task("b", "cancelled"),)
        assert table.directive(Verb.HOLD, "b").base == Base(status="in_progress")
        assert table.in_force() == [Kind.HOLD]

    def test_an_addition_that_is_not_stored_yet(self, table: Table) -> None:
        add = table.directive(Verb.ADD, text="New one")
        table.wanted = (*TASKS, Task("New one", key=add.subject))
        table.subjects[add.subject] = add.subject
        assert table.directive(Verb.VETO, add.subject).base == Base()
        assert table.directive(Verb.PRIORITY, add.subject, priority=Priority.LOW).base == Base()
        place = Place(before="c")
        assert table.directive(Verb.MOVE, add.subject, place=place).subject == add.subject
        assert table.directive(Verb.ADD, text="Next", place=Place(after=add.subject)).anchor == (
            Anchor(after=add.subject)
        )


class TestPriority:
    def test_a_task(self, table: Table) -> None:
        d = table.directive(Verb.PRIORITY, "d", priority=Priority.HIGH)
        assert (d.priority, d.base) == (Priority.HIGH, Base(priority="low"))

    def test_not_the_same_again(self, table: Table) -> None:
        with pytest.raises(Already, match="low already"):
            table.ask(Verb.PRIORITY, "d", priority=Priority.LOW)

    def test_none_takes_all_of_the_users_back(self, table: Table) -> None:
        first = table.directive(Verb.PRIORITY, "d", priority=Priority.HIGH)
        second = table.directive(Verb.PRIORITY, "d", priority=Priority.MEDIUM)
        event = table.ask(Verb.PRIORITY, "d")
        assert event.of == (first.id, second.id)
        assert table.in_force() == []
        with pytest.raises(Refused, match="nothing about it"):
            table.ask(Verb.PRIORITY, "d")


class TestMoving:
    @pytest.mark.parametrize(
        ("key", "place", "anchor"),
        [
            ("d", Place(before="c"), ("c", "", "")),
            ("b", Place(after="c"), ("", "c", "")),
            ("d", Place(edge=Edge.FIRST), ("", "", "first")),
            ("b", Place(edge=Edge.LAST), ("", "", "last")),
            # Behind b already: to be right behind it takes a second neighbour.
            ("d", Place(after="b"), ("c", "b", "")),
            ("b", Place(before="d"), ("d", "c", "")),
            ("d", Place(before="c", after="b"), ("c", "b", "")),
        ],
    )
    def test_places(
        self, table: Table, key: str, place: Place, anchor: tuple[str, str, str]
    ) -> None:
        d = table.directive(Verb.MOVE, key, place=place)
        before, after = (table.subjects.get(s, "") for s in (d.anchor.before, d.anchor.after))
        assert (before, after, d.anchor.edge) == anchor

    def test_where_it_was(self, table: Table) -> None:
        base = table.directive(Verb.MOVE, "d", place=Place(before="b")).base
        assert table.subjects[base.after] == "c"
        first = Table(task("x"), task("y"))
        assert first.directive(Verb.MOVE, "x", place=Place(after="y")).base == Base()

    @pytest.mark.parametrize(
        ("key", "place"),
        [
            ("d", Place(after="c")),
            ("c", Place(before="d")),
            ("d", Place(edge=Edge.LAST)),
            ("c", Place(edge=Edge.FIRST)),
            ("b", Place(edge=Edge.FIRST)),
        ],
    )
    def test_not_where_it_is_already(self, table: Table, key: str, place: Place) -> None:
        with pytest.raises(Already, match="there already"):
            table.ask(Verb.MOVE, key, place=place)

    @pytest.mark.parametrize(
        "place", [None, Place(before="c"), Place(after="c"), Place(before="zz"), Place(after="zz")]
    )
    def test_not_nowhere(self, table: Table, place: Place | None) -> None:
        with pytest.raises(Refused):
            table.ask(Verb.MOVE, "c", place=place)
        assert table.events == []


class TestAdding:
    def test_a_task(self, table: Table) -> None:
        event = table.ask(
            Verb.ADD, text=" New\n\x1b[31mone\x07 ", priority=Priority.LOW, place=Place(before="c")
        )
        d = event.directive
        assert d is not None
        assert (d.text, d.priority) == ("New one", Priority.LOW)
        assert event.subjects[d.subject] == TaskRef("New one")
        assert event.subjects[d.anchor.before] == TaskRef("text c")
        assert table.directive(Verb.ADD, text="Another").anchor == Anchor(edge="last")

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            (" \n\x1b[0m", "no text"),
            ("x" * (MAX_TEXT + 1), "longer"),
            ("text b", "that very text"),
        ],
    )
    def test_not_without_sense(self, table: Table, text: str, why: str) -> None:
        with pytest.raises(Refused, match=why):
            table.ask(Verb.ADD, text=text)


class TestTakingBack:
    def test_restore_takes_back_everything_about_a_task(self, table: Table) -> None:
        table.ask(Verb.VETO, "d")
        table.ask(Verb.HOLD, "d")
        table.ask(Verb.PRIORITY, "d", priority=Priority.HIGH)
        table.ask(Verb.MOVE, "d", place=Place(before="c"))
        table.ask(Verb.VETO, "c")
        assert len(table.ask(Verb.RESTORE, "d").of) == 4
        assert table.in_force() == [Kind.VETO]
        with pytest.raises(Refused):
            table.ask(Verb.RESTORE, "d")

    def test_release_lets_go_on_whatever_was_decided_before_the_hold(self, table: Table) -> None:
        table.ask(Verb.VETO, "d")
        with pytest.raises(Refused):
            table.ask(Verb.RELEASE, "d")
        table.ask(Verb.HOLD, "d")
        table.ask(Verb.PRIORITY, "d", priority=Priority.HIGH)
        table.ask(Verb.RELEASE, "d")
        assert table.in_force() == [Kind.PRIORITY]

    def test_undo_and_redo_name_the_act(self, table: Table) -> None:
        with pytest.raises(Refused, match="nothing to undo"):
            table.ask(Verb.UNDO)
        veto = table.directive(Verb.VETO, "d")
        table.ask(Verb.RESTORE, "d")
        table.ask(Verb.UNDO)
        assert table.said == "Undone: restore."
        assert table.ask(Verb.UNDO).of == (veto.id,)
        assert table.said == "Undone: veto."
        table.ask(Verb.REDO)
        assert table.said == "Redone: veto."
        assert table.in_force() == [Kind.VETO]
        table.ask(Verb.HOLD, "c")
        with pytest.raises(Refused, match="nothing to redo"):
            table.ask(Verb.REDO)


def test_one_task_has_one_name(table: Table) -> None:
    first = table.directive(Verb.VETO, "d")
    assert table.directive(Verb.PRIORITY, "d", priority=Priority.HIGH).subject == first.subject
    moved = table.directive(Verb.MOVE, "c", place=Place(after="d"))
    assert moved.anchor.after == first.subject


def test_an_empty_ledger_and_plan() -> None:
    table = Table()
    table.tasks = table.wanted = ()
    assert table.directive(Verb.ADD, text="First").text == "First"
    assert fold([]) == Ledger()
