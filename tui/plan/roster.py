"""The roster: the tasks of a plan as last seen, so that each keeps its key across snapshots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tui.plan.directives import TaskRef
from tui.plan.identity import Doubt, Known, match
from tui.plan.model import Task

_GHOSTS = 50
"""Tasks that left the plan but have a directive on them and may come back."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A snapshot's tasks with their keys, and what could not be told for sure."""

    tasks: tuple[Task, ...]
    doubts: tuple[Doubt, ...] = ()


class Roster:
    """Who is who; `recognise` is pure, `adopt` makes a recognised snapshot the latest."""

    def __init__(self) -> None:
        self._known: tuple[Known, ...] = ()
        self._next = 1

    def recognise(self, tasks: Sequence[Task]) -> Recognised:
        """Give each task the key of the known task that it is, or a fresh one."""
        found = match(self._known, tasks)
        return Recognised(
            tuple(
                replace(task, key=f"t{self._next + j}" if i is None else self._known[i].key)
                for j, (task, i) in enumerate(zip(tasks, found.of, strict=True))
            ),
            found.doubts,
        )

    def adopt(self, tasks: Sequence[Task], guarded: Iterable[str], kept: Iterable[str]) -> None:
        """Remember tasks that carry keys; those among `kept` that are absent stay as ghosts."""
        guard, keep = frozenset(guarded), frozenset(kept)
        present = {t.key for t in tasks}
        ghosts = [k for k in self._known if k.key in keep and k.key not in present]
        self._known = tuple(
            Known(t.key, t.content, t.id, t.status, t.key in guard) for t in tasks
        ) + tuple(replace(k, guarded=k.key in guard) for k in ghosts[-_GHOSTS:])
        self._next += len(tasks)

    def bind(
        self, subjects: Mapping[str, TaskRef], guarded: Iterable[str], tasks: Sequence[Task]
    ) -> tuple[dict[str, str], tuple[Doubt, ...]]:
        """Find which of the current tasks (with keys) each subject of a ledger is.

        A subject that is none of them becomes a ghost under a key of its own, and is recognised
        when it comes back.
        """
        bound: dict[str, str] = {}
        guard = frozenset(guarded)
        exact = {(ref.content, ref.nth): task for task, ref in zip(tasks, refs(tasks), strict=True)}
        strangers: list[Known] = []
        for subject, ref in subjects.items():
            task = exact.get((ref.content, ref.nth))
            if task is not None and (ref.id is None or task.id in (None, ref.id)):
                bound[subject] = task.key
            else:
                strangers.append(
                    Known(f"s{subject}", ref.content, ref.id, guarded=subject in guard)
                )
        taken = set(bound.values())
        free = [t for t in tasks if t.key not in taken]
        found = match(strangers, free)
        for task, i in zip(free, found.of, strict=True):
            if i is not None:
                bound[strangers[i].key[1:]] = task.key
        for known in strangers:
            if known.key[1:] not in bound:
                bound[known.key[1:]] = known.key
                self._known += (known,)
        return bound, found.doubts


def refs(tasks: Sequence[Task]) -> tuple[TaskRef, ...]:
    """Return how a ledger names each of the tasks."""
    seen: Counter[str] = Counter()
    out: list[TaskRef] = []
    for task in tasks:
        out.append(TaskRef(task.content, task.id, seen[task.content]))
        seen[task.content] += 1
    return tuple(out)
