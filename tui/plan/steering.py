"""Steering: the pure function from the agent's plan and the user's directives to the wanted plan.

The agent owns content, status, priority, order and every unknown field; a directive in force makes
the user the owner of exactly one of them for one task. Facts win: what the agent reports completed
stays completed. The function is idempotent, and equal to the identity when nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tui.plan.directives import Directive, Kind, State
from tui.plan.model import Priority, Status, Task, priority_from, status_from

__all__ = ["Bound", "Kind", "Mark", "State", "Verdict", "judge", "stands", "steer"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What a screen shows of a directive on a task."""

    kind: Kind
    state: State
    reason: str = ""
    priority: Priority | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """A directive with the keys of the tasks that its subjects are in the plan at hand.

    `key` is never empty; `before`, `after` and `base_after` are empty when there is no such
    neighbour, or when it has left the plan.
    """

    directive: Directive
    key: str
    before: str = ""
    after: str = ""
    base_after: str = ""


def steer(tasks: Sequence[Task], bound: Iterable[Bound]) -> tuple[Task, ...]:
    """Return the plan as the user wants it.

    `bound` is in ledger order. Directives that are contested are not applied; values of ended
    directives that still stand in the plan are given back first.
    """
    everything = list(bound)
    plan = {task.key: task for task in tasks}
    order = [task.key for task in tasks]
    owned = {(b.key, b.directive.kind.field) for b in everything if _applies(b)}
    for b in everything:
        if b.directive.to_withdraw and (b.key, b.directive.kind.field) not in owned:
            _withdraw(b, plan, order)
    for b in everything:
        if _applies(b):
            _apply(b, plan, order)
    # Several moves may pull at each other: they are gone through again until they agree.
    moves = [b for b in everything if _applies(b) and b.directive.kind is Kind.MOVE]
    for _ in range(len(moves) + 1):
        if not [b for b in moves if _move(b, plan, order)]:
            break
    return tuple(plan[key] for key in order)


def _applies(b: Bound) -> bool:
    return b.directive.in_force and b.directive.state is not State.CONTESTED


def _apply(b: Bound, plan: dict[str, Task], order: list[str]) -> None:
    d, task = b.directive, plan.get(b.key)
    if task is None:
        if d.kind is Kind.ADD and d.state is not State.ACKNOWLEDGED:
            plan[b.key] = Task(d.text, priority=d.priority, key=b.key)
            order.insert(_index(b, plan, order), b.key)
        return
    match d.kind:
        case Kind.VETO if not task.status.terminal:
            plan[b.key] = _with_status(task, Status.CANCELLED)
        case Kind.HOLD:
            # A veto that this hold took the place of may still stand in the file.
            ours = task.status is Status.CANCELLED and status_from(d.base.status or "") not in (
                Status.CANCELLED,
                Status.COMPLETED,
            )
            if ours or task.status is Status.IN_PROGRESS:
                plan[b.key] = _with_status(task, Status.PENDING)
        case Kind.PRIORITY if not task.status.terminal and task.priority is not d.priority:
            plan[b.key] = replace(task, priority=d.priority, raw_priority=None)
        case _:
            pass


def _withdraw(b: Bound, plan: dict[str, Task], order: list[str]) -> None:
    """Give the field back to the agent, if what stands there is still ours."""
    d, task = b.directive, plan.get(b.key)
    if task is None or not stands(b, task, order):
        return
    match d.kind:
        case Kind.VETO | Kind.HOLD:
            base = status_from(d.base.status or "")
            others = any(t.status is Status.IN_PROGRESS for t in plan.values() if t.key != task.key)
            if base is Status.IN_PROGRESS and others:
                # The agent has gone on to something else: two at once would be untrue.
                plan[b.key] = _with_status(task, Status.PENDING)
            else:
                plan[b.key] = replace(task, status=base, raw_status=d.base.status)
        case Kind.PRIORITY:
            raw = d.base.priority
            plan[b.key] = replace(
                task, priority=None if raw is None else priority_from(raw), raw_priority=raw
            )
        case Kind.MOVE:
            order.remove(b.key)
            order.insert(order.index(b.base_after) + 1 if b.base_after in plan else 0, b.key)
        case Kind.ADD:
            order.remove(b.key)
            del plan[b.key]


def stands(b: Bound, task: Task, order: Sequence[str]) -> bool:
    """Return whether the plan shows the directive's value in its field."""
    match b.directive.kind:
        case Kind.VETO:
            return task.status is Status.CANCELLED
        case Kind.HOLD:
            base = status_from(b.directive.base.status or "")
            return task.status is Status.PENDING and base is Status.IN_PROGRESS
        case Kind.PRIORITY:
            return task.priority is b.directive.priority
        case Kind.MOVE:
            return task.status is not Status.COMPLETED and _placed(b, order)
        case Kind.ADD:
            return task.status is Status.PENDING


def _with_status(task: Task, status: Status) -> Task:
    return replace(task, status=status, raw_status=None)


def _placed(b: Bound, order: Sequence[str]) -> bool:
    """True when the order already agrees with a move; a lost neighbour asks for nothing."""
    here = order.index(b.key)
    if b.after:
        return b.after not in order or order.index(b.after) < here
    if b.before:
        return b.before not in order or order.index(b.before) > here
    return b.directive.anchor.edge != "last" or here == len(order) - 1


def _move(b: Bound, plan: dict[str, Task], order: list[str]) -> bool:
    """Carry one move out; returns whether anything changed."""
    task = plan.get(b.key)
    if task is None or task.status is Status.COMPLETED:
        return False
    if b.directive.anchor.edge == "first":
        waiting = next((k for k in order if plan[k].status is Status.PENDING), b.key)
        if order.index(waiting) >= order.index(b.key):
            return False
        order.remove(b.key)
        order.insert(order.index(waiting), b.key)
        return True
    if _placed(b, order):
        return False
    order.remove(b.key)
    order.insert(_index(b, plan, order), b.key)
    return True


def _index(b: Bound, plan: dict[str, Task], order: Sequence[str]) -> int:
    if b.after in order:
        return order.index(b.after) + 1
    if b.before in order:
        return order.index(b.before)
    if b.directive.anchor.edge == "first":
        return next((i for i, k in enumerate(order) if plan[k].status is Status.PENDING), 0)
    return len(order)


class Verdict(StrEnum):
    """What an agent's own snapshot says about a directive."""

    KEPT = "kept"
    REVERTED = "reverted"
    STARTED = "started"
    FINISHED = "finished"
    MISSING = "missing"
    IDLE = "idle"


def judge(b: Bound, plan: Mapping[str, Task], order: Sequence[str]) -> Verdict:
    """Judge one directive by a snapshot that the agent wrote itself: its tasks by key, in order.

    `started` and `finished` are for vetoes and holds only. `idle`: the directive has nothing to
    say about a task in this state (a priority or move of a task that is done).
    """
    d, task = b.directive, plan.get(b.key)
    if task is None:
        return Verdict.MISSING
    if d.kind in (Kind.VETO, Kind.HOLD):
        if task.status is Status.COMPLETED:
            return Verdict.FINISHED
        if task.status is Status.IN_PROGRESS:
            return Verdict.STARTED
        kept = task.status is Status.CANCELLED or d.kind is Kind.HOLD
    elif d.kind is Kind.ADD:
        kept = True
    elif task.status.terminal:
        return Verdict.IDLE
    elif d.kind is Kind.PRIORITY:
        kept = task.priority is d.priority
    else:
        kept = not _move(b, dict(plan), list(order))
    return Verdict.KEPT if kept else Verdict.REVERTED
