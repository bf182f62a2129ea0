"""What is said of the way from one plan to the next."""

from __future__ import annotations

import pytest

from tui.plan.model import Plan, Status, Task
from tui.plan.transitions import Change, Span, Transition, compare, timed


def plan(**statuses: str) -> Plan:
    """Tasks whose key is the name and whose content is its first part (`a__x` is key a__x)."""
    return Plan(
        tuple(Task(key.replace("__", " "), Status(s), key=key) for key, s in statuses.items())
    )


def said(old: Plan, new: Plan, spans: dict[str, Span] | None = None) -> list[Transition]:
    return list(compare(old, new, 100.0, spans))


def changes(old: Plan, new: Plan) -> list[tuple[Change, tuple[str, ...]]]:
    return [(t.change, t.keys) for t in said(old, new)]


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("pending", "in_progress", Change.STARTED),
        ("completed", "in_progress", Change.STARTED),
        ("pending", "completed", Change.COMPLETED),
        ("in_progress", "cancelled", Change.CANCELLED),
        ("completed", "pending", Change.REOPENED),
        ("cancelled", "pending", Change.REOPENED),
    ],
)
def test_one_task_changes(before: str, after: str, change: Change) -> None:
    assert changes(plan(a=before, z="pending"), plan(a=after, z="pending")) == [(change, ("a",))]


@pytest.mark.parametrize("status", [s.value for s in Status])
def test_nothing_changed(status: str) -> None:
    assert changes(plan(a=status), plan(a=status)) == []
    assert changes(Plan(), Plan()) == []


def test_pausing_a_task_is_not_worth_a_word() -> None:
    assert changes(plan(a="in_progress"), plan(a="pending")) == []


def test_one_finishing_while_one_starts_is_a_pivot() -> None:
    old = plan(a="in_progress", b="pending", c="pending")
    (pivot,) = said(old, plan(a="completed", b="in_progress", c="pending"), {"a": Span(40.0)})
    assert (pivot.change, pivot.keys, pivot.contents) == (Change.PIVOT, ("a", "b"), ("a", "b"))
    assert (pivot.took, pivot.took_exact) == (60.0, True)
    assert (pivot.done, pivot.total, pivot.at) == (1, 3, 100.0)


def test_two_finishing_are_told_one_by_one_and_no_pivot() -> None:
    old = plan(a="in_progress", b="in_progress", c="pending")
    assert changes(old, plan(a="completed", b="completed", c="in_progress")) == [
        (Change.COMPLETED, ("a",)),
        (Change.COMPLETED, ("b",)),
        (Change.STARTED, ("c",)),
    ]


def test_a_time_whose_start_was_not_seen_is_at_least_that_long() -> None:
    spans = {"a": Span(70.0, exact=False)}
    (done,) = said(plan(a="in_progress", b="pending"), plan(a="completed", b="pending"), spans)
    assert (done.took, done.took_exact) == (30.0, False)


def test_a_clock_set_back_gives_no_negative_time() -> None:
    spans = {"a": Span(500.0)}
    (done,) = said(plan(a="in_progress", b="pending"), plan(a="completed", b="pending"), spans)
    assert done.took == 0.0


def test_additions_removals_and_cancellations_are_grouped() -> None:
    old = plan(a="pending", b="pending", c="pending", d="pending", e="pending")
    new = plan(a="cancelled", b="cancelled", e="pending", x="pending", y="pending")
    assert changes(old, new) == [
        (Change.CANCELLED, ("a", "b")),
        (Change.ADDED, ("x", "y")),
        (Change.REMOVED, ("c", "d")),
    ]


def test_a_task_that_arrives_completed_is_only_added() -> None:
    assert changes(plan(a="pending"), plan(a="pending", b="completed", c="cancelled")) == [
        (Change.ADDED, ("b", "c"))
    ]


def test_a_task_that_arrives_under_way_is_started_and_added() -> None:
    assert changes(plan(a="pending"), plan(a="pending", b="in_progress")) == [
        (Change.STARTED, ("b",)),
        (Change.ADDED, ("b",)),
    ]


def test_rewording_tells_the_old_words() -> None:
    old = Plan((Task("one", key="a"), Task("two", key="b")))
    new = Plan((Task("one!", key="a"), Task("two", key="b")))
    (reworded,) = said(old, new)
    assert (reworded.change, reworded.contents, reworded.before) == (
        Change.REWORDED,
        ("one!",),
        "one",
    )


def test_a_plan_of_which_nothing_is_left_was_replaced() -> None:
    (replaced,) = said(plan(a="pending", b="pending"), plan(x="completed", y="completed"))
    assert (replaced.change, replaced.contents) == (Change.REPLACED, ("x", "y"))


def test_emptying_and_filling_are_no_replacement() -> None:
    assert changes(plan(a="pending"), Plan()) == [(Change.REMOVED, ("a",))]
    assert changes(Plan(), plan(a="pending")) == [(Change.ADDED, ("a",))]


def test_the_plan_finishes_once_and_last() -> None:
    old, new = plan(a="in_progress", b="completed"), plan(a="completed", b="completed")
    assert changes(old, new)[-1] == (Change.FINISHED, ())
    assert changes(new, new) == []


def test_reordering_is_not_worth_a_word() -> None:
    assert changes(plan(a="pending", b="pending"), plan(b="pending", a="pending")) == []


class TestTimed:
    def test_a_task_that_starts_is_timed_from_now_on(self) -> None:
        spans = timed(plan(a="in_progress").tasks, {}, {}, Span(10.0), 10.0)
        assert spans == {"a": Span(10.0)}

    def test_it_ends_when_it_is_done_and_is_forgotten_when_it_waits(self) -> None:
        running = {"a": Span(10.0), "b": Span(10.0)}
        tasks = plan(a="completed", b="pending").tasks
        assert timed(tasks, running, {}, Span(20.0), 20.0) == {"a": Span(10.0, 20.0)}

    def test_it_starts_anew_when_it_runs_again(self) -> None:
        ended = {"a": Span(1.0, 2.0)}
        assert timed(plan(a="in_progress").tasks, ended, {}, Span(9.0), 9.0) == {"a": Span(9.0)}

    def test_an_earlier_run_is_known_by_content(self) -> None:
        tasks = plan(a__x="completed", b="in_progress").tasks
        earlier = {"a x": Span(1.0, 2.0), "b": Span(3.0)}
        assert timed(tasks, {}, earlier, Span(9.0), 9.0) == {
            "a__x": Span(1.0, 2.0),
            "b": Span(3.0),
        }

    def test_a_clock_set_back_ends_nothing_before_its_start(self) -> None:
        spans = timed(plan(a="completed").tasks, {"a": Span(50.0)}, {}, Span(9.0), 9.0)
        assert spans == {"a": Span(50.0, 50.0)}

    def test_tasks_that_left_are_forgotten(self) -> None:
        assert timed((), {"a": Span(1.0)}, {}, Span(9.0), 9.0) == {}
