"""The protocol that every store speaks: read whole, and write back what steering made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from tui.plan.model import Task
from tui.view import Health, Reach

Stamp = tuple[int, int, int, int, int]
"""(st_dev, st_ino, st_size, st_mtime_ns, st_ctime_ns) of the file that was read."""

Project = Callable[[tuple[Task, ...]], tuple[Task, ...]]
"""Steering as a store sees it: pure and idempotent, from the agent's tasks to the wanted ones.

In the result a task with an `origin` is the snapshot's task of that index, with its status or
priority perhaps changed; a changed one carries in `raw_status` / `raw_priority` the exact word to
write, or None to let the store choose its own word. `priority=None, raw_priority=None` on a task
that had a priority takes the member away. A task without `origin` is to be added; one whose
`origin` is missing from the result (an addition that was undone) is taken out.
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One complete reading of a plan: the tasks, the bytes they came from, and when."""

    tasks: tuple[Task, ...]
    raw: bytes = field(repr=False)
    stamp: Stamp
    at: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a look at a store found; without a snapshot, `problem` says what is wrong."""

    health: Health
    snapshot: Snapshot | None = None
    problem: str = ""


class Result(StrEnum):
    """How a write ended."""

    UNCHANGED = "unchanged"
    WRITTEN = "written"
    BUSY = "busy"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Commit:
    """What became of a write.

    `unchanged`: the store already holds what is wanted; `written`: it does now; both with the
    snapshot that is in the store. `busy`: the agent is writing, try again; `failed`: `problem`
    says why in plain words, and nothing was changed. `refused` are the origins of tasks whose
    change this store cannot hold: without those changes the rest may be written.
    """

    result: Result
    snapshot: Snapshot | None = None
    problem: str = ""
    refused: tuple[int, ...] = ()


class Store(Protocol):
    """Where one plan lives."""

    name: str
    reach: Reach
    session: str
    writing: str

    @property
    def path(self) -> Path:
        """The file, folder or database that the user would name."""
        ...

    def stamp(self) -> Stamp | None:
        """What `stat` says now, or None when there is nothing; cheap, never raises."""
        ...

    def read(self) -> Reading:
        """Read the plan whole; waits a few hundredths of a second for a writer at most."""
        ...

    def write(self, project: Project, announce: Callable[[bytes], None]) -> Commit:
        """Bring the store to `project(its tasks)`, or change nothing.

        `announce` is called with the exact bytes just before they are published, so that whoever
        watches the store knows them for ours.
        """
        ...
