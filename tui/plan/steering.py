"""Steering: the pure function from the agent's plan and the user's directives to the wanted plan.

The agent owns content, status, priority, order and every unknown field; a directive in force makes
the user the owner of exactly one of them for one task. Facts win: what the agent reports completed
stays completed. The function is idempotent, and equal to the identity when nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tui.plan.directives import Base, Directive, Kind, State
from tui.plan.draft import Draft
from tui.plan.identity import normalise
from tui.plan.model import Priority, Status, Task, priority_from, status_from

__all__ = ["Bound", "Kind", "Mark", "State", "overwritten", "stands", "steer"]


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
    neighbour. `later` are the tasks that the user moved after this: it does not pull at them.
    """

    directive: Directive
    key: str
    before: str = ""
    after: str = ""
    base_after: str = ""
    later: frozenset[str] = frozenset()


def steer(tasks: Sequence[Task], bound: Iterable[Bound]) -> tuple[Task, ...]:
    """Return the plan as the user wants it.

    `bound` is in ledger order. Directives that are contested are not applied; values of ended
    directives that still stand in the plan are given back first.
    """
    return _steer(tasks, list(bound))[0]


def overwritten(tasks: Sequence[Task], bound: Iterable[Bound]) -> dict[str, Base]:
    """Return what the agent itself has where steering puts the user's values, by directive id.

    `after` is the key of the task before, not a subject. Directives whose value stands in the plan
    already are left out.
    """
    return _steer(tasks, list(bound))[1]


def _steer(
    tasks: Sequence[Task], everything: Sequence[Bound]
) -> tuple[tuple[Task, ...], dict[str, Base]]:
    if not everything:
        return tuple(tasks), {}
    draft = Draft(tasks)
    was = {b.key: draft.plan[b.key] for b in everything if b.key in draft.plan}
    bases: dict[str, Base] = {}
    applied = [b for b in everything if _applies(b)]
    owned = {(b.key, b.directive.kind) for b in applied}
    # The latest goes first, as when one undoes: each finds what was there when it came.
    for b in reversed(everything):
        kind = b.directive.kind
        stays = kind in (Kind.MOVE, Kind.ADD) and (b.key, kind) in owned
        if b.directive.to_withdraw and not stays:
            _withdraw(b, draft)
    added = {b.key for b in everything if b.directive.kind is Kind.ADD}
    moved = {
        b.key: b.base_after
        for b in everything
        if b.directive.kind is Kind.MOVE and b.directive.to_withdraw
    }
    for b in applied:
        if b.directive.kind is Kind.MOVE:
            after = moved[b.key] if b.key in moved else _task_before(b.key, draft, added)
            if _move(b, draft):
                bases[b.directive.id] = Base(after=after)
            continue
        before = draft.plan.get(b.key)
        _apply(b, draft)
        if draft.plan.get(b.key) is not before:
            bases[b.directive.id] = _base(b.directive.kind, before)
    # Several moves may pull at each other: they are gone through again until they agree.
    moves = [b for b in applied if b.directive.kind is Kind.MOVE]
    for _ in moves:
        if not sum(_move(b, draft) for b in moves):
            break
    for key, task in was.items():
        now = draft.plan.get(key)
        if now is not None and (now.status, now.priority) == (task.status, task.priority):
            draft.plan[key] = task  # taken back and decided anew: the agent's word stays as it is
    return draft.tasks, bases


def _task_before(key: str, draft: Draft, added: set[str]) -> str:
    """Return the agent's task before this one, empty when there is none."""
    before = reversed(draft.order[: draft.place(key)])
    return next((k for k in before if k not in added), "")


def _applies(b: Bound) -> bool:
    return b.directive.in_force and b.directive.state is not State.CONTESTED


def _base(kind: Kind, task: Task | None) -> Base:
    if task is None:
        return Base()
    if kind is Kind.PRIORITY:
        return Base(priority=task.raw_priority)
    return Base(status=task.raw_status or task.status.value)


def _apply(b: Bound, draft: Draft) -> None:
    d, task = b.directive, draft.plan.get(b.key)
    if task is None:
        if d.kind is Kind.ADD and d.state is not State.ACKNOWLEDGED:
            draft.insert(Task(d.text, priority=d.priority, key=b.key), _index(b, draft))
        return
    match d.kind:
        case Kind.VETO if not task.status.terminal:
            draft.plan[b.key] = _with_status(task, Status.CANCELLED)
        case Kind.HOLD if task.status is Status.IN_PROGRESS:
            draft.plan[b.key] = _with_status(task, Status.PENDING)
        case Kind.PRIORITY if not task.status.terminal and task.priority is not d.priority:
            draft.plan[b.key] = replace(task, priority=d.priority, raw_priority=None)
        case _:
            pass


def _withdraw(b: Bound, draft: Draft) -> None:
    """Give the field back to the agent, if what stands there is still ours."""
    d, task = b.directive, draft.plan.get(b.key)
    if task is None or not stands(b, draft):
        return
    match d.kind:
        case Kind.VETO | Kind.HOLD:
            base = status_from(d.base.status or "")
            others = any(
                t.status is Status.IN_PROGRESS for t in draft.plan.values() if t.key != task.key
            )
            if base is Status.IN_PROGRESS and others:
                # The agent has gone on to something else: two at once would be untrue.
                draft.plan[b.key] = _with_status(task, Status.PENDING)
            else:
                draft.plan[b.key] = replace(task, status=base, raw_status=d.base.status)
        case Kind.PRIORITY:
            raw = d.base.priority
            draft.plan[b.key] = replace(
                task, priority=None if raw is None else priority_from(raw), raw_priority=raw
            )
        case Kind.MOVE:
            if b.base_after and draft.place(b.base_after) is None:
                return  # where it was is no longer to be found
            draft.remove(b.key)
            after = draft.place(b.base_after)
            draft.insert(task, 0 if after is None else after + 1)
        case Kind.ADD:
            draft.remove(b.key)


def stands(b: Bound, draft: Draft) -> bool:
    """Return whether the plan shows the directive's value in its field."""
    d, task = b.directive, draft.plan.get(b.key)
    if task is None:
        return False
    match d.kind:
        case Kind.VETO:
            return task.status is Status.CANCELLED
        case Kind.HOLD:
            base = status_from(d.base.status or "")
            return task.status is Status.PENDING and base is Status.IN_PROGRESS
        case Kind.PRIORITY:
            return task.priority is d.priority
        case Kind.MOVE:
            return task.status is not Status.COMPLETED and _placed(b, draft)
        case Kind.ADD:
            # What the agent took up or put in its own words is no longer ours to take out.
            ours = task.status is Status.PENDING and normalise(task.content) == normalise(d.text)
            return d.in_force or ours


def _with_status(task: Task, status: Status) -> Task:
    return replace(task, status=status, raw_status=None)


def _neighbours(b: Bound, draft: Draft) -> tuple[int | None, int | None]:
    """Return where the neighbours of a move are now: the one it goes after, the one before."""
    after = None if b.after in b.later else draft.place(b.after)
    before = None if b.before in b.later else draft.place(b.before)
    if after is not None and before is not None and before < after:
        before = None  # the agent has turned them round: nothing lies between them
    return after, before


def _placed(b: Bound, draft: Draft) -> bool:
    """True when the order already agrees with a move; a lost neighbour asks for nothing."""
    here = draft.place(b.key)
    if here is None:
        return True
    after, before = _neighbours(b, draft)
    if after is not None or before is not None:
        return (after is None or after < here) and (before is None or here < before)
    match b.directive.anchor.edge:
        case "first":
            return here <= _first_waiting(b, draft, here)
        case "last":
            return all(key in b.later for key in draft.order[here + 1 :])
        case _:
            return True


def _first_waiting(b: Bound, draft: Draft, otherwise: int) -> int:
    waiting = (
        i
        for i, key in enumerate(draft.order)
        if draft.plan[key].status is Status.PENDING and key not in b.later
    )
    return next(waiting, otherwise)


def _move(b: Bound, draft: Draft) -> bool:
    """Carry one move out; returns whether anything changed."""
    task = draft.plan.get(b.key)
    if task is None or task.status is Status.COMPLETED or _placed(b, draft):
        return False
    draft.remove(b.key)
    draft.insert(task, _index(b, draft))
    return True


def _index(b: Bound, draft: Draft) -> int:
    after, before = _neighbours(b, draft)
    if after is not None:
        return after + 1
    if before is not None:
        return before
    if b.directive.anchor.edge == "first":
        return _first_waiting(b, draft, 0)
    return len(draft.order)
