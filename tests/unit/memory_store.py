"""A store in memory that keeps the protocol, and an agent's hand to rewrite it with."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tui.plan.model import Priority, Status, Task
from tui.stores.base import Commit, Project, Reading, Result, Snapshot, Stamp
from tui.view import Health, Reach


def task(content: str, status: str = "pending", priority: str | None = None, **more: str) -> Task:
    """Return a task as a store reads it."""
    return Task(
        content,
        Status(status),
        None if priority is None else Priority(priority),
        raw_status=status,
        raw_priority=priority,
        **more,
    )


class MemoryStore:
    """Holds tasks; `rewrite` is the agent's, `write` is ours."""

    name = "memory"
    session = ""
    writing = "in memory"

    def __init__(self, *tasks: Task, reach: Reach = Reach.OVERWRITTEN) -> None:
        self.path = Path("/nowhere/plan.json")
        self.reach = reach
        self.held = tasks
        self.version = 1
        self.mtime = 1000.0
        self.health = Health.OK
        self.fail = ""
        self.busy = 0
        self.unspeakable: set[str] = set()  # contents of tasks whose change it cannot hold
        self.before_write: Callable[[], None] = lambda: None
        self.writes = 0

    def rewrite(self, *tasks: Task, mtime: float | None = None) -> None:
        """Replace the whole list, as an agent does."""
        self.held = tasks
        self.version += 1
        self.mtime = self.mtime + 10 if mtime is None else mtime

    def stamp(self) -> Stamp | None:
        return (1, 1, len(self.held), int(self.mtime * 1e9), self.version)

    def read(self) -> Reading:
        if self.health is not Health.OK:
            return Reading(self.health, None, f"it is {self.health}")
        return Reading(Health.OK, self._snapshot(self.held))

    def write(self, project: Project, announce: Callable[[bytes], None]) -> Commit:
        self.before_write()
        if self.fail:
            return Commit(Result.FAILED, None, self.fail)
        if self.busy:
            self.busy -= 1
            return Commit(Result.BUSY)
        projected = project(self._snapshot(self.held).tasks)
        refused = tuple(
            t.origin
            for t in projected
            if t.origin is not None
            and t.content in self.unspeakable
            and t.status is not self.held[t.origin].status
        )
        if refused:
            return Commit(Result.FAILED, None, "it has no word for that", refused)
        wanted = tuple(
            replace(
                t,
                origin=None,
                key="",
                raw_status=t.raw_status or t.status.value,
                raw_priority=t.raw_priority or (t.priority and t.priority.value),
            )
            for t in projected
        )
        if wanted == self.held:
            return Commit(Result.UNCHANGED, self._snapshot(self.held))
        announce(self._bytes(wanted))
        self.held = wanted
        self.version += 1
        self.writes += 1
        return Commit(Result.WRITTEN, self._snapshot(wanted))

    def _bytes(self, tasks: tuple[Task, ...]) -> bytes:
        return json.dumps([[t.content, t.raw_status, t.raw_priority, t.id] for t in tasks]).encode()

    def _snapshot(self, tasks: tuple[Task, ...]) -> Snapshot:
        numbered = tuple(replace(t, origin=i) for i, t in enumerate(tasks))
        stamp = self.stamp()
        assert stamp is not None
        return Snapshot(numbered, self._bytes(tasks), stamp, self.mtime)

    def statuses(self) -> list[str]:
        """Return the statuses in order."""
        return [t.status.value for t in self.held]

    def contents(self) -> list[str]:
        """Return the contents in order."""
        return [t.content for t in self.held]
