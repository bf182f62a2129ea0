"""A plan being worked on, so that places are looked up and not searched for."""

from __future__ import annotations

from collections.abc import Iterable

from tui.plan.model import Task


class Draft:
    """A plan being worked on: its tasks by key, and their order."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self.plan = {task.key: task for task in tasks}
        self.order = list(self.plan)
        self._places: dict[str, int] | None = None

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks in order."""
        return tuple(self.plan[key] for key in self.order)

    def place(self, key: str) -> int | None:
        """Return where a task is, counted from 0, or None when it is not in the plan."""
        if self._places is None:
            self._places = {k: i for i, k in enumerate(self.order)}
        return self._places.get(key)

    def insert(self, task: Task, index: int) -> None:
        """Put a new task before the one at this index."""
        self.plan[task.key] = task
        self.order.insert(index, task.key)
        self._places = None

    def remove(self, key: str) -> Task:
        """Take a task out and return it."""
        self.order.remove(key)
        self._places = None
        return self.plan.pop(key)
