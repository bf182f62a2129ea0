"""The agent's words mapped to ours, and what a plan says of itself."""

from __future__ import annotations

import dataclasses

import pytest

from tui.plan.model import Plan, Priority, Status, Task, priority_from, status_from


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("pending", Status.PENDING),
        ("in_progress", Status.IN_PROGRESS),
        ("In-Progress", Status.IN_PROGRESS),
        ("  DOING ", Status.IN_PROGRESS),
        ("done", Status.COMPLETED),
        ("canceled", Status.CANCELLED),
        ("won't   fix", Status.CANCELLED),
        ("", Status.PENDING),
        ("a word of the agent's own", Status.PENDING),
    ],
)
def test_status_words(word: str, status: Status) -> None:
    assert status_from(word) is status


@pytest.mark.parametrize(
    ("word", "priority"),
    [("High", Priority.HIGH), (" p2 ", Priority.MEDIUM), ("minor", Priority.LOW), ("soon", None)],
)
def test_priority_words(word: str, priority: Priority | None) -> None:
    assert priority_from(word) is priority


@pytest.mark.parametrize("status", Status)
def test_every_status_is_its_own_word(status: Status) -> None:
    assert status_from(status.value) is status
    assert status.terminal is (status in (Status.COMPLETED, Status.CANCELLED))


def test_a_task_under_a_key_is_otherwise_the_same() -> None:
    values = ("text", Status.COMPLETED, Priority.LOW, "7", "Doing", "done", "p4", 3, "")
    task = Task(*values)
    assert len(dataclasses.fields(Task)) == len(values)
    assert task.named("k") == dataclasses.replace(task, key="k")


def test_progress_leaves_cancelled_tasks_out() -> None:
    plan = Plan(
        (
            Task("a", Status.COMPLETED),
            Task("b", Status.CANCELLED),
            Task("c", Status.IN_PROGRESS),
            Task("d", Status.IN_PROGRESS),
        )
    )
    assert (plan.done, plan.total) == (1, 3)
    assert not plan.finished


@pytest.mark.parametrize(
    ("statuses", "finished"),
    [((), False), (("completed", "cancelled"), True), (("completed", "pending"), False)],
)
def test_finished(statuses: tuple[str, ...], finished: bool) -> None:
    plan = Plan(tuple(Task(s, Status(s)) for s in statuses))
    assert plan.finished is finished
