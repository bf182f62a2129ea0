"""Steering is pure: the agent's plan and the user's directives in, the wanted plan out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.plan.directives import Anchor, Base, Directive, Kind, State
from tui.plan.draft import Draft
from tui.plan.judging import Reverts, Verdict, judge, taken_back
from tui.plan.model import Priority, Status, Task
from tui.plan.steering import Bound, overwritten, stands, steer


def plan(*words: str) -> tuple[Task, ...]:
    """Tasks `key` or `key:status` or `key:status:priority`, with the words as the agent's."""
    out = []
    for word in words:
        key, _, rest = word.partition(":")
        status, _, priority = (rest or "pending").partition(":")
        found = Priority(priority) if priority else None
        raw = priority or None
        out.append(Task(key, Status(status), found, raw_status=status, raw_priority=raw, key=key))
    return tuple(out)


def bound(kind: Kind, key: str, **more: object) -> Bound:
    places = {n: more.pop(n) for n in ("before", "after", "base_after", "later") if n in more}
    more.setdefault("text", key)
    directive = Directive(f"d-{kind}-{key}", kind, key, 0.0, **more)  # type: ignore[arg-type]
    return Bound(directive, key, **places)  # type: ignore[arg-type]


def ended(b: Bound, base: Base) -> Bound:
    d = replace(b.directive, in_force=False, written=True, base=base, state=State.RESTORED)
    return replace(b, directive=d)


def in_turn(found: list[Bound]) -> list[Bound]:
    """Let each know which tasks are moved after it, as in a ledger."""
    moves = [b.directive.in_force and b.directive.kind is Kind.MOVE for b in found]
    keys = [b.key if m else "" for b, m in zip(found, moves, strict=True)]
    return [replace(b, later=frozenset(keys[i + 1 :]) - {"", b.key}) for i, b in enumerate(found)]


def show(tasks: Sequence[Task]) -> list[str]:
    return [f"{t.key}:{t.status}" for t in tasks]


def order(tasks: Sequence[Task]) -> str:
    return "".join(t.key for t in tasks)


def test_nothing_decided_is_the_same_plan() -> None:
    assert steer(plan("a", "b"), []) == plan("a", "b")
    assert steer((), []) == ()


class TestVeto:
    @pytest.mark.parametrize(
        ("status", "wanted"),
        [
            ("pending", "cancelled"),
            ("in_progress", "cancelled"),
            ("cancelled", "cancelled"),
            ("completed", "completed"),
        ],
    )
    def test_status(self, status: str, wanted: str) -> None:
        assert show(steer(plan(f"a:{status}"), [bound(Kind.VETO, "a")])) == [f"a:{wanted}"]

    def test_the_store_chooses_its_word(self) -> None:
        (task,) = steer(plan("a"), [bound(Kind.VETO, "a")])
        assert task.raw_status is None

    def test_contested_is_left_alone(self) -> None:
        assert steer(plan("a"), [bound(Kind.VETO, "a", state=State.CONTESTED)]) == plan("a")

    def test_taking_it_back_gives_the_agents_very_word(self) -> None:
        back = ended(bound(Kind.VETO, "a"), Base(status="to-do"))
        (task,) = steer(plan("a:cancelled"), [back])
        assert (task.status, task.raw_status) == (Status.PENDING, "to-do")

    def test_taking_it_back_does_not_touch_what_the_agent_did_since(self) -> None:
        back = ended(bound(Kind.VETO, "a"), Base(status="pending"))
        assert steer(plan("a:completed"), [back]) == plan("a:completed")

    def test_it_is_not_put_under_way_beside_another(self) -> None:
        back = ended(bound(Kind.VETO, "a"), Base(status="in_progress"))
        assert show(steer(plan("a:cancelled", "b:in_progress"), [back])) == [
            "a:pending",
            "b:in_progress",
        ]
        assert show(steer(plan("a:cancelled", "b"), [back])) == ["a:in_progress", "b:pending"]


class TestHold:
    @pytest.mark.parametrize(
        ("status", "wanted"),
        [
            ("pending", "pending"),
            ("in_progress", "pending"),
            ("cancelled", "cancelled"),
            ("completed", "completed"),
        ],
    )
    def test_status(self, status: str, wanted: str) -> None:
        assert show(steer(plan(f"a:{status}"), [bound(Kind.HOLD, "a")])) == [f"a:{wanted}"]

    def test_it_takes_a_standing_vetos_place(self) -> None:
        veto = ended(bound(Kind.VETO, "a"), Base(status="pending"))
        (task,) = steer(plan("a:cancelled"), [veto, bound(Kind.HOLD, "a")])
        assert (task.status, task.raw_status) == (Status.PENDING, "pending")
        working = ended(bound(Kind.VETO, "a"), Base(status="in_progress"))
        assert show(steer(plan("a:cancelled"), [working, bound(Kind.HOLD, "a")])) == ["a:pending"]

    def test_what_the_agent_cancels_itself_stays_cancelled(self) -> None:
        hold = bound(Kind.HOLD, "a", base=Base(status="pending"))
        assert steer(plan("a:cancelled"), [hold]) == plan("a:cancelled")

    def test_the_same_value_decided_anew_changes_no_word(self) -> None:
        old = ended(bound(Kind.HOLD, "a"), Base(status="in_progress"))
        assert steer(plan("a"), [old, bound(Kind.HOLD, "a")]) == plan("a")


class TestPriority:
    def test_it_is_set_and_the_store_chooses_its_word(self) -> None:
        low = bound(Kind.PRIORITY, "a", priority=Priority.LOW)
        (task,) = steer(plan("a:pending:high"), [low])
        assert (task.priority, task.raw_priority) == (Priority.LOW, None)
        assert steer(plan("a:pending:low"), [low]) == plan("a:pending:low")

    def test_not_on_what_is_done(self) -> None:
        low = bound(Kind.PRIORITY, "a", priority=Priority.LOW)
        assert steer(plan("a:completed:high"), [low]) == plan("a:completed:high")

    @pytest.mark.parametrize(
        ("raw", "priority"), [("P1", Priority.HIGH), (None, None), ("soon", None)]
    )
    def test_taking_it_back(self, raw: str | None, priority: Priority | None) -> None:
        low = bound(Kind.PRIORITY, "a", priority=Priority.LOW)
        (task,) = steer(plan("a:pending:low"), [ended(low, Base(priority=raw))])
        assert (task.priority, task.raw_priority) == (priority, raw)


class TestMove:
    @pytest.mark.parametrize(
        ("place", "wanted"),
        [
            ({"before": "b"}, "adbc"),
            ({"after": "b"}, "abcd"),
            ({"after": "a", "before": "b"}, "adbc"),
            ({"before": "gone"}, "abcd"),
            ({"after": "gone", "before": "a"}, "dabc"),
            ({"after": "b", "before": "a"}, "abcd"),
            ({"anchor": Anchor(edge="first")}, "dabc"),
            ({"anchor": Anchor(edge="last")}, "abcd"),
        ],
    )
    def test_places(self, place: dict[str, object], wanted: str) -> None:
        assert order(steer(plan(*"abcd"), [bound(Kind.MOVE, "d", **place)])) == wanted

    def test_first_is_behind_what_is_done_or_under_way(self) -> None:
        first = bound(Kind.MOVE, "d", anchor=Anchor(edge="first"))
        assert order(steer(plan("a:completed", "b:in_progress", "c", "d"), [first])) == "abdc"

    def test_what_is_done_does_not_move(self) -> None:
        move = bound(Kind.MOVE, "b", before="a")
        assert order(steer(plan("a", "b:completed"), [move])) == "ab"

    def test_the_later_of_two_that_both_want_the_end_is_last(self) -> None:
        last = Anchor(edge="last")
        moves = [
            bound(Kind.MOVE, "a", anchor=last, later=frozenset("b")),
            bound(Kind.MOVE, "b", anchor=last),
        ]
        assert order(steer(plan(*"abc"), moves)) == "cab"
        draft = Draft(plan(*"cab"))
        assert all(stands(b, draft) for b in moves)

    def test_a_task_moved_later_does_not_drag_its_neighbour_along(self) -> None:
        moves = [
            bound(Kind.MOVE, "b", after="a", later=frozenset("a")),
            bound(Kind.MOVE, "a", anchor=Anchor(edge="last")),
        ]
        assert order(steer(plan(*"abc"), moves)) == "bca"

    def test_moves_that_contradict_each_other_come_to_an_end(self) -> None:
        ring = in_turn([bound(Kind.MOVE, k, after=a) for k, a in ("ab", "bc", "cd", "da")])
        once = steer(plan(*"abcd"), ring)
        assert sorted(order(once)) == list("abcd")
        assert steer(once, ring) == once

    def test_taking_back(self) -> None:
        move = ended(bound(Kind.MOVE, "c", before="a", base_after="b"), Base(after="b"))
        assert order(steer(plan(*"cabd"), [move])) == "abcd"
        first = ended(bound(Kind.MOVE, "c", before="a"), Base())
        assert order(steer(plan(*"cabd"), [first])) == "cabd"
        lost = ended(bound(Kind.MOVE, "c", before="a", base_after="gone"), Base(after="gone"))
        assert order(steer(plan(*"cabd"), [lost])) == "cabd"

    def test_several_are_taken_back_the_latest_first(self) -> None:
        first = ended(bound(Kind.MOVE, "b", before="a", base_after="a"), Base(after="a"))
        second = ended(bound(Kind.MOVE, "c", before="b", base_after="a"), Base(after="a"))
        assert order(steer(plan(*"cba"), [first, second])) == "abc"


class TestAdd:
    def test_it_is_put_in_its_place_with_its_priority(self) -> None:
        add = bound(Kind.ADD, "n", after="a", text="New", priority=Priority.HIGH)
        tasks = steer(plan(*"ab"), [add])
        assert tasks[1] == Task("New", priority=Priority.HIGH, key="n")
        assert order(steer(plan(*"ab"), [bound(Kind.ADD, "n")])) == "abn"
        assert order(steer((), [bound(Kind.ADD, "n", before="a")])) == "n"

    def test_not_again_after_the_agent_took_it_up(self) -> None:
        add = bound(Kind.ADD, "n", state=State.ACKNOWLEDGED)
        assert steer(plan(*"ab"), [add]) == plan(*"ab")

    def test_taking_back(self) -> None:
        add = ended(bound(Kind.ADD, "n"), Base())
        assert order(steer(plan(*"anb"), [add])) == "ab"
        assert order(steer(plan("a", "n:in_progress"), [add])) == "an"

    def test_what_the_agent_put_in_its_own_words_is_the_agents(self) -> None:
        add = ended(bound(Kind.ADD, "n", text="Other words"), Base())
        assert order(steer(plan(*"anb"), [add])) == "anb"

    def test_a_vetoed_addition_goes_in_one_step(self) -> None:
        add = ended(bound(Kind.ADD, "n"), Base())
        veto = ended(bound(Kind.VETO, "n"), Base(status="pending"))
        assert order(steer(plan("a", "n:cancelled"), [add, veto])) == "a"


class TestOverwritten:
    def test_what_the_agent_had(self) -> None:
        tasks = plan("a:in_progress", "b:pending:high", "c")
        directives = [
            bound(Kind.VETO, "a"),
            bound(Kind.PRIORITY, "b", priority=Priority.LOW),
            bound(Kind.MOVE, "c", before="b"),
            bound(Kind.ADD, "n"),
            bound(Kind.HOLD, "c"),
        ]
        assert overwritten(tasks, directives) == {
            "d-veto-a": Base(status="in_progress"),
            "d-priority-b": Base(priority="high"),
            "d-move-c": Base(after="b"),
            "d-add-n": Base(),
        }

    def test_our_own_earlier_value_is_looked_through(self) -> None:
        low = bound(Kind.PRIORITY, "a", priority=Priority.LOW)
        earlier = ended(low, Base(priority="P1"))
        later = bound(Kind.PRIORITY, "a", priority=Priority.MEDIUM)
        later = replace(later, directive=replace(later.directive, id="later"))
        assert overwritten(plan("a:pending:low"), [earlier, later]) == {
            "later": Base(priority="P1")
        }

    def test_a_move_is_noted_by_the_agents_task_before_it(self) -> None:
        directives = [bound(Kind.ADD, "n", after="a"), bound(Kind.MOVE, "b", before="a")]
        assert overwritten(plan(*"ab"), directives)["d-move-b"] == Base(after="a")


class TestJudging:
    @pytest.mark.parametrize(
        ("kind", "status", "verdict"),
        [
            (Kind.VETO, "pending", Verdict.REVERTED),
            (Kind.VETO, "in_progress", Verdict.STARTED),
            (Kind.VETO, "completed", Verdict.FINISHED),
            (Kind.VETO, "cancelled", Verdict.KEPT),
            (Kind.HOLD, "pending", Verdict.KEPT),
            (Kind.HOLD, "cancelled", Verdict.KEPT),
            (Kind.HOLD, "in_progress", Verdict.STARTED),
            (Kind.HOLD, "completed", Verdict.FINISHED),
            (Kind.ADD, "completed", Verdict.KEPT),
            (Kind.PRIORITY, "completed", Verdict.IDLE),
            (Kind.PRIORITY, "pending", Verdict.REVERTED),
            (Kind.MOVE, "cancelled", Verdict.IDLE),
        ],
    )
    def test_verdicts(self, kind: Kind, status: str, verdict: Verdict) -> None:
        b = bound(kind, "a", priority=Priority.LOW)
        assert judge(b, Draft(plan(f"a:{status}"))) is verdict
        assert judge(b, Draft(plan("x"))) is Verdict.MISSING

    def test_moves(self) -> None:
        b = bound(Kind.MOVE, "b", before="a")
        assert judge(b, Draft(plan(*"ab"))) is Verdict.REVERTED
        assert judge(b, Draft(plan(*"ba"))) is Verdict.KEPT

    def test_an_order_of_the_agents_own_agrees_only_by_chance(self) -> None:
        b, draft = bound(Kind.MOVE, "b", before="a"), Draft(plan(*"ba"))
        assert taken_back(b, draft, reordered=True)
        assert not taken_back(b, draft, reordered=False)

    def test_the_fourth_revert_within_a_minute_is_enough(self) -> None:
        reverts = Reverts()
        assert [reverts.enough("d", t) for t in (0, 10, 20, 59)] == [False, False, False, True]
        assert [reverts.enough("d", t) for t in (60, 100, 121, 162, 170)] == [False] * 5
        assert not reverts.enough("other", 171)
        assert reverts.enough("d", 175)


STATUS = st.sampled_from(list(Status))
TASKS = st.lists(st.tuples(STATUS, st.sampled_from([None, *Priority])), max_size=6).map(
    lambda rows: tuple(
        Task(f"text {i}", s, p, raw_status=s.value, raw_priority=p, origin=i, key="abcdef"[i])
        for i, (s, p) in enumerate(rows)
    )
)
PLACE = st.sampled_from(["", *"abcdefg"])


@st.composite
def bounds(draw: st.DrawFn) -> Bound:
    kind = draw(st.sampled_from(list(Kind)))
    key = f"n{draw(st.integers(0, 1))}" if kind is Kind.ADD else draw(st.sampled_from("abcdefg"))
    in_force = draw(st.booleans())
    directive = Directive(
        "",
        kind,
        key,
        0.0,
        priority=draw(st.sampled_from(list(Priority))),
        anchor=Anchor(edge=draw(st.sampled_from(["", "first", "last"]))),
        text=key,
        base=Base(draw(STATUS).value, draw(st.sampled_from([None, "high"]))),
        state=draw(st.sampled_from(list(State))),
        in_force=in_force,
        written=draw(st.booleans()),
    )
    before, after = (p if p != key else "" for p in (draw(PLACE), draw(PLACE)))
    return Bound(directive, key, before, after, draw(PLACE))


def one_per_field(found: list[Bound]) -> list[Bound]:
    """As a ledger has it: one directive in force per field of a task."""
    seen: set[tuple[str, str]] = set()
    out: list[Bound] = []
    for b in reversed(found):
        place = (b.key, b.directive.kind.field)
        if not b.directive.in_force or place not in seen:
            out.append(b)
            seen |= {place} if b.directive.in_force else set()
    named = enumerate(reversed(out))
    return in_turn([replace(b, directive=replace(b.directive, id=f"d{i}")) for i, b in named])


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(TASKS, st.lists(bounds(), max_size=6).map(one_per_field))
def test_whatever_is_decided(tasks: tuple[Task, ...], decided: list[Bound]) -> None:
    given_tasks, given_bounds = tasks, list(decided)
    wanted = steer(tasks, decided)
    assert tasks == given_tasks
    assert decided == given_bounds

    added = {b.key for b in decided if b.directive.kind is Kind.ADD}
    mine = [t for t in wanted if t.key not in added]
    assert sorted(t.key for t in mine) == sorted(t.key for t in tasks)
    assert len({t.key for t in wanted}) == len(wanted)

    was = {t.key: t for t in tasks}
    fields = {(b.key, b.directive.kind.field) for b in decided}
    for task in mine:
        before = was[task.key]
        assert (task.content, task.id, task.origin) == (before.content, before.id, before.origin)
        if before.status is Status.COMPLETED or (task.key, "status") not in fields:
            assert (task.status, task.raw_status) == (before.status, before.raw_status)
        if (task.key, "priority") not in fields:
            assert (task.priority, task.raw_priority) == (before.priority, before.raw_priority)
    unmoved = [t.key for t in mine if (t.key, "order") not in fields]
    assert unmoved == [t.key for t in tasks if t.key in unmoved]

    for b in decided:
        if b.directive.in_force and b.directive.id in overwritten(tasks, decided):
            assert b.directive.state is not State.CONTESTED


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(TASKS, st.lists(bounds(), max_size=5).map(one_per_field))
def test_a_second_time_changes_nothing(tasks: tuple[Task, ...], decided: list[Bound]) -> None:
    # What was given back is settled in the ledger as soon as it is stored.
    wanted = steer(tasks, decided)
    held = [b for b in decided if b.directive.in_force]
    assert steer(wanted, held) == steer(steer(wanted, held), held)
    if len(held) == len(decided):
        assert steer(wanted, decided) == wanted
