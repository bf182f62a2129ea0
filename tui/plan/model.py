"""The agent's plan as values: tasks, their status and priority, and the plan they form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """Where a task stands; stores map their own words onto these four."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        """True when the agent has nothing left to do for the task."""
        return self in (Status.COMPLETED, Status.CANCELLED)


class Priority(StrEnum):
    """How urgent a task is; an absent priority is None, not a fourth member."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


_STATUS_WORDS = {
    Status.PENDING: (
        "pending", "todo", "to do", "open", "new", "queued", "not started", "planned", "waiting",
        "blocked", "deferred", "",
    ),
    Status.IN_PROGRESS: (
        "in progress", "doing", "active", "started", "running", "wip", "working", "current",
        "ongoing", "review",
    ),
    Status.COMPLETED: (
        "completed", "complete", "done", "finished", "closed", "resolved", "success", "succeeded",
    ),
    Status.CANCELLED: (
        "cancelled", "canceled", "skipped", "dropped", "rejected", "abandoned", "wontfix",
        "won't fix", "vetoed", "deleted", "obsolete",
    ),
}  # fmt: skip
_STATUSES = {word: status for status, words in _STATUS_WORDS.items() for word in words}

_PRIORITY_WORDS = {
    Priority.HIGH: ("high", "critical", "urgent", "highest", "p0", "p1"),
    Priority.MEDIUM: ("medium", "normal", "med", "p2"),
    Priority.LOW: ("low", "lowest", "minor", "p3", "p4"),
}
_PRIORITIES = {word: priority for priority, words in _PRIORITY_WORDS.items() for word in words}


def status_from(word: str) -> Status:
    """Map a store's own status word to a status; what nobody knows counts as pending."""
    plain = " ".join(word.casefold().replace("_", " ").replace("-", " ").split())
    return _STATUSES.get(plain, Status.PENDING)


def priority_from(word: str) -> Priority | None:
    """Map a store's own priority word to a priority, or None when it says nothing we know."""
    return _PRIORITIES.get(word.strip().casefold())


@dataclass(frozen=True, slots=True)
class Task:
    """One line of an agent's plan.

    `key` is our own name for the task, stable across snapshots; it is empty until identity gave
    it one. `raw_status` and `raw_priority` are the store's own words (None: absent). `origin` is
    the task's index in the snapshot it was read from, or None for a task the user added. Fields
    we do not know stay in the store's bytes and are never copied here.
    """

    content: str
    status: Status = Status.PENDING
    priority: Priority | None = None
    id: str | None = None
    active_form: str | None = None
    raw_status: str | None = None
    raw_priority: str | None = None
    origin: int | None = None
    key: str = ""

    def named(self, key: str) -> Task:
        """Return the same task under a key; many times faster than `replace`."""
        return Task(
            self.content,
            self.status,
            self.priority,
            self.id,
            self.active_form,
            self.raw_status,
            self.raw_priority,
            self.origin,
            key,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """The ordered tasks of one agent session."""

    tasks: tuple[Task, ...] = ()

    @property
    def done(self) -> int:
        """How many tasks are completed."""
        return sum(t.status is Status.COMPLETED for t in self.tasks)

    @property
    def total(self) -> int:
        """How many tasks count: all but the cancelled ones."""
        return sum(t.status is not Status.CANCELLED for t in self.tasks)

    @property
    def finished(self) -> bool:
        """True when there are tasks and nothing is left to do."""
        return bool(self.tasks) and all(t.status.terminal for t in self.tasks)
