"""Which tasks a list shows, and which neighbours a task has; no drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tui.plan.model import Status
from tui.plan.steering import State
from tui.view import Row

FOLD = -1
"""Stands for the one line that all completed tasks are folded into."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a plan's panes count, counted once: a plan may have thousands of tasks.

    `total` leaves the cancelled tasks out; `mixed` tells that the priorities differ; `against` is
    a task that the agent has started against a veto or hold.
    """

    done: int = 0
    total: int = 0
    current: Row | None = None
    mixed: bool = False
    against: Row | None = None

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Tally:
        """Count the rows of a view."""
        statuses = [row.status for row in rows]
        running = Status.IN_PROGRESS
        return cls(
            done=statuses.count(Status.COMPLETED),
            total=len(statuses) - statuses.count(Status.CANCELLED),
            current=rows[statuses.index(running)] if running in statuses else None,
            mixed=bool(rows) and any(row.priority is not rows[0].priority for row in rows),
            against=next((row for row in rows if row.marks and _defied(row)), None),
        )

    @property
    def progress(self) -> str:
        """Return how far the plan is: `3/5`."""
        return f"{self.done}/{self.total}"

    @property
    def finished(self) -> bool:
        """True when all tasks that count are completed, and there are some."""
        return self.total > 0 and self.done == self.total


def _defied(row: Row) -> bool:
    mark = row.steered
    started = row.status is not Status.COMPLETED
    return mark is not None and mark.state is State.DEFIED and started


def listed(rows: Sequence[Row], needle: str = "", fold: bool = False) -> list[int]:
    """Return the indices of the rows to show: those with every word of `needle` in their text.

    Folding puts one FOLD in the place of the first completed task and leaves the others out.
    """
    words = needle.casefold().split()
    if words:
        shown = []
        for index, row in enumerate(rows):
            text = row.content.casefold()
            if all(word in text for word in words):
                shown.append(index)
    else:
        shown = list(range(len(rows)))
    if not fold:
        return shown
    folded: list[int] = []
    seen = False
    for index in shown:
        if rows[index].status is not Status.COMPLETED:
            folded.append(index)
        elif not seen:
            folded.append(FOLD)
            seen = True
    return folded


def neighbour(rows: Sequence[Row], index: int, step: int) -> Row | None:
    """Return the nearest task before (-1) or after (1) that can be jumped: not a completed one."""
    index += step
    while 0 <= index < len(rows):
        if rows[index].status is not Status.COMPLETED:
            return rows[index]
        index += step
    return None


class Cursor:
    """Which task is selected, by its key, however the list changes under it.

    It follows the task in progress until the user takes it elsewhere, and again from when the
    user takes it back there; `following` tells which.
    """

    def __init__(self) -> None:
        self.key = ""
        self.following = True
        self._current = ""

    def place(self, key: str) -> None:
        """Select a task because the user asked for it."""
        self.key = key
        self.following = key == self._current

    def adapt(
        self,
        current: str,
        rows: Sequence[Row],
        where: Mapping[str, int],
        was: Mapping[str, int],
    ) -> None:
        """Keep to the same task in a new list, or to the next one when it is gone."""
        moved = current and current != self._current
        self._current = current
        if self.following and moved:
            self.key = current
        if self.key in where or not rows:
            return
        if self.key:
            self.key = rows[min(was.get(self.key, 0), len(rows) - 1)].key
        else:
            first = next((r for r in rows if not r.status.terminal), rows[0])
            self.key = first.key
