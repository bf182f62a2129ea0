"""The roster: the tasks of a plan as last seen, so that each keeps its key across snapshots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
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
                task.named(f"t{self._next + j}" if i is None else self._known[i].key)
                for j, (task, i) in enumerate(zip(tasks, found.of, strict=True))
            ),
            found.doubts,
        )

    def adopt(self, tasks: Sequence[Task], guarded: Iterable[str], kept: Iterable[str]) -> None:
        """Remember tasks that carry keys; those among `kept` that are absent stay as ghosts."""
        guard, keep = frozenset(guarded), frozenset(kept)
        present = {t.key for t in tasks}
        absent = [k for k in self._known if k.key in keep and k.key not in present]
        # The latest to leave come first. A guarded one is never forgotten: it is vetoed or held
        # whenever it comes back.
        others = frozenset([k.key for k in absent if k.key not in guard][:_GHOSTS])
        before = {k.key: k for k in self._known}
        self._known = tuple(_known(t, t.key in guard, before.get(t.key)) for t in tasks) + tuple(
            replace(k, guarded=k.key in guard, ghost=True)
            for k in absent
            if k.key in guard or k.key in others
        )
        self._next += len(tasks)

    def bind(
        self,
        subjects: Mapping[str, TaskRef],
        guarded: Iterable[str],
        tasks: Sequence[Task],
        unborn: Iterable[str] = (),
    ) -> tuple[dict[str, str], tuple[Doubt, ...]]:
        """Find which of the current tasks (with keys) each subject of a ledger is.

        A subject that is none of them becomes a ghost under a key of its own, and is recognised
        when it comes back. `unborn` are additions that were in no store so far: no task is one of
        them by mere likeness.
        """
        bound: dict[str, str] = {}
        guard, coming = frozenset(guarded), frozenset(unborn)
        by_key = {t.key: t for t in tasks}
        named = refs(tasks, contents={ref.content for ref in subjects.values()})
        exact = {(ref.content, ref.nth): by_key[key] for key, ref in named.items()}
        strangers: dict[str, Known] = {}
        doubts: list[Doubt] = []
        for subject, ref in subjects.items():
            task = exact.get((ref.content, ref.nth))
            if task is not None and (ref.id is None or task.id in (None, ref.id)):
                bound[subject] = task.key
                continue
            known = Known(f"s{subject}", ref.content, ref.id, guarded=subject in guard, ghost=True)
            if ref.gone or subject in coming:
                bound[subject] = known.key
            elif ref.nth and (ref.content, 0) in exact:
                # One of several equal tasks, of which some have gone: which are left?
                bound[subject] = known.key
                doubts += [Doubt(known, ref.content)] if known.guarded else []
            strangers[subject] = known
        taken = set(bound.values())
        free = [t for t in tasks if t.key not in taken]
        unbound = [subject for subject in strangers if subject not in bound]
        found = match([strangers[subject] for subject in unbound], free)
        for task, i in zip(free, found.of, strict=True):
            if i is not None:
                bound[unbound[i]] = task.key
        for subject, known in strangers.items():
            if bound.setdefault(subject, known.key) == known.key:
                self._known += (known,)
        return bound, (*doubts, *found.doubts)


def _known(task: Task, guarded: bool, before: Known | None) -> Known:
    if (
        before is not None
        and before.status is task.status
        and before.content == task.content
        and before.id == task.id
        and before.guarded is guarded
        and not before.ghost
    ):
        return before  # as most of a long plan is from one look to the next
    return Known(task.key, task.content, task.id, task.status, guarded)


def refs(
    tasks: Sequence[Task], keys: Collection[str] = (), contents: Iterable[str] = ()
) -> dict[str, TaskRef]:
    """Return how a ledger names the tasks with these keys, and all with these contents, by key."""
    texts = {t.content for t in tasks if t.key in keys} | set(contents)
    seen: Counter[str] = Counter()
    out: dict[str, TaskRef] = {}
    for task in tasks:
        if task.content in texts:
            out[task.key] = TaskRef(task.content, task.id, seen[task.content])
            seen[task.content] += 1
    return out
