"""A plan in one JSON file that the agent writes anew each time: the todo snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tui.stores.base import Commit, Project, Reading, Snapshot, Stamp
from tui.stores.document import commit, strategy
from tui.stores.json_tasks import NotAPlan, TaskList, read_tasks
from tui.stores.reading import Suspicion, Unread, read_document, shown, stamp_of
from tui.view import Health, Reach
from tui.watching.fstype import Mode, mode_for


class JsonFile:
    """A bare array of tasks, or an object with `todos` or `tasks`, in one file.

    `probe` False keeps reads and writes from taking leases, for agents that open their file with
    O_NONBLOCK and would be refused for a few microseconds.
    """

    name = "json"
    reach = Reach.OVERWRITTEN

    def __init__(self, path: Path, session: str = "", probe: bool = True) -> None:
        self.session = session
        self.writing: str = strategy(path)
        self._path = path
        # A lease says nothing about writers on the other side of a network or FUSE mount.
        self._probe = probe and mode_for(path) is not Mode.POLL
        self._suspicion = Suspicion()

    @property
    def path(self) -> Path:
        """The file, as the user named it."""
        return self._path

    def stamp(self) -> Stamp | None:
        """What `stat` says now, or None when there is nothing."""
        return stamp_of(self._path)

    def read(self) -> Reading:
        """Read the plan whole; waits some 50 ms for a writer at most.

        A file that does not parse is being written, and damaged once it has stayed so for three
        seconds: read again while this says BEING_WRITTEN, even if nothing changes.
        """
        try:
            found, tasks = read_document(self._path, read_tasks, self._suspicion, self._probe)
        except Unread as unread:
            return Reading(unread.health, problem=unread.problem)
        except NotAPlan as error:
            reason = f"{shown(self._path)} {error}: name the agent's todo file"
            return Reading(Health.NOT_A_PLAN, problem=reason)
        return Reading(Health.OK, _snapshot(tasks, found.data, found.stamp))

    def write(self, project: Project, announce: Callable[[bytes], None]) -> Commit:
        """Bring the file to `project(its tasks)`, or change nothing."""
        # Imported late: the first paint only reads.
        from tui.stores.json_edit import steer_bytes

        self.writing = strategy(self._path)
        outcome = commit(
            self._path,
            lambda data: steer_bytes(data, project),
            probe=self._probe,
            announce=announce,
        )
        if outcome.stamp is None:
            return Commit(outcome.result, problem=outcome.problem, refused=outcome.refused)
        tasks = read_tasks(outcome.data)
        return Commit(outcome.result, _snapshot(tasks, outcome.data, outcome.stamp))


def _snapshot(tasks: TaskList, data: bytes, stamp: Stamp) -> Snapshot:
    return Snapshot(tasks.tasks, data, stamp, time.time(), tasks.notes)
