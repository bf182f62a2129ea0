"""What changed between two plans of one session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from tui.plan.model import Plan, Status, Task


class Change(StrEnum):
    """The kinds of transition."""

    STARTED = "started"
    COMPLETED = "completed"
    PIVOT = "pivot"
    CANCELLED = "cancelled"
    REOPENED = "reopened"
    ADDED = "added"
    REMOVED = "removed"
    REWORDED = "reworded"
    REPLACED = "replaced"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Transition:
    """One change of the agent's plan.

    `keys` and `contents` name the tasks concerned, in plan order; a pivot names the task that
    finished and then the one that started. `took` is the finished task's time in seconds, with
    `took_exact` False when its start was not seen (then it is at least that long). `before` is
    the old wording of a reworded task. `done` and `total` are the plan's progress afterwards.
    """

    change: Change
    keys: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()
    at: float = 0.0
    took: float | None = None
    took_exact: bool = True
    before: str = ""
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """When a task was seen to start and to end, in seconds since the epoch.

    `exact` is False when the task was already in progress at the first look.
    """

    start: float
    end: float | None = None
    exact: bool = True


def timed(
    tasks: Iterable[Task],
    spans: Mapping[str, Span],
    earlier: Mapping[str, Span],
    fresh: Span,
    at: float,
) -> dict[str, Span]:
    """Return the spans of these tasks, by key, after a look at the plan.

    `spans` are those known so far; `earlier` those of a former run, by content. `fresh` is the
    span of a task found under way, `at` when one that is no longer so has ended.
    """
    out: dict[str, Span] = {}
    for task in tasks:
        span = spans.get(task.key) or earlier.get(task.content)
        if task.status is Status.IN_PROGRESS:
            if span is None or span.end is not None:
                span = fresh
        elif span is not None and span.end is None:
            # A clock that was set back does not make a task end before it started.
            ended = replace(span, end=max(span.start, at))
            span = None if task.status is Status.PENDING else ended
        if span is not None:
            out[task.key] = span
    return out


def compare(
    old: Plan, new: Plan, at: float, spans: Mapping[str, Span] | None = None
) -> tuple[Transition, ...]:
    """Return what happened between two plans whose tasks carry keys, the weightiest first.

    Tasks are the same when their keys are. One task finishing while one other starts is a single
    pivot. When no task survived, the plan was replaced and nothing else is said, for a list of
    "removed" and "added" would only repeat both plans.
    """
    spans = spans or {}
    was = {t.key: t for t in old.tasks}
    now = {t.key: t for t in new.tasks}
    progress = {"at": at, "done": new.done, "total": new.total}

    def transition(change: Change, tasks: Iterable[Task], **more: object) -> Transition:
        listed = tuple(tasks)
        return Transition(
            change,
            tuple(t.key for t in listed),
            tuple(t.content for t in listed),
            **progress,  # type: ignore[arg-type]
            **more,  # type: ignore[arg-type]
        )

    if was and now and not was.keys() & now.keys():
        return (transition(Change.REPLACED, new.tasks),)

    changed = [
        t
        for t in new.tasks
        if (old_task := was.get(t.key)) is None
        or old_task.status is not t.status
        or old_task.content != t.content
    ]

    def entered(status: Status) -> list[Task]:
        return [
            t
            for t in changed
            if t.status is status and (t.key not in was or was[t.key].status is not status)
        ]

    started, completed = entered(Status.IN_PROGRESS), entered(Status.COMPLETED)
    # A task that arrives already completed was not seen to happen: it is merely added.
    completed = [t for t in completed if t.key in was]
    cancelled = [t for t in entered(Status.CANCELLED) if t.key in was]
    reopened = [
        t
        for t in changed
        if t.key in was and was[t.key].status.terminal and t.status is Status.PENDING
    ]
    out: list[Transition] = []

    def took(task: Task) -> dict[str, object]:
        span = spans.get(task.key)
        return {} if span is None else {"took": max(0.0, at - span.start), "took_exact": span.exact}

    if len(completed) == 1 and len(started) == 1:
        out.append(transition(Change.PIVOT, (completed[0], started[0]), **took(completed[0])))
    else:
        out += [transition(Change.COMPLETED, (t,), **took(t)) for t in completed]
        out += [transition(Change.STARTED, (t,)) for t in started]
    if cancelled:
        out.append(transition(Change.CANCELLED, cancelled))
    if reopened:
        out.append(transition(Change.REOPENED, reopened))
    added = [t for t in changed if t.key not in was]
    removed = [t for t in old.tasks if t.key not in now]
    if added:
        out.append(transition(Change.ADDED, added))
    if removed:
        out.append(transition(Change.REMOVED, removed))
    out += [
        transition(Change.REWORDED, (t,), before=was[t.key].content)
        for t in changed
        if t.key in was and was[t.key].content != t.content
    ]
    if new.finished and not old.finished:
        out.append(transition(Change.FINISHED, ()))
    return tuple(out)
