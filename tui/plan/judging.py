"""What a snapshot that the agent wrote itself says about a directive."""

from __future__ import annotations

from collections import defaultdict, deque
from enum import StrEnum

from tui.plan.directives import Kind
from tui.plan.draft import Draft
from tui.plan.model import Status
from tui.plan.steering import Bound, stands

_REVERTS, _WITHIN = 4, 60.0


class Verdict(StrEnum):
    """What an agent's own snapshot says about a directive."""

    KEPT = "kept"
    REVERTED = "reverted"
    STARTED = "started"
    FINISHED = "finished"
    MISSING = "missing"
    IDLE = "idle"


def judge(b: Bound, draft: Draft) -> Verdict:
    """Judge one directive by a snapshot that the agent wrote itself.

    `started` and `finished` are for vetoes and holds only. `idle`: the directive has nothing to
    say about a task in this state (a priority or move of a task that is done).
    """
    d, task = b.directive, draft.plan.get(b.key)
    if task is None:
        return Verdict.MISSING
    if d.kind in (Kind.VETO, Kind.HOLD):
        if task.status is Status.COMPLETED:
            return Verdict.FINISHED
        if task.status is Status.IN_PROGRESS:
            return Verdict.STARTED
        kept = task.status is Status.CANCELLED or d.kind is Kind.HOLD
    elif d.kind is not Kind.ADD and task.status.terminal:
        return Verdict.IDLE
    else:
        kept = stands(b, draft)
    return Verdict.KEPT if kept else Verdict.REVERTED


def taken_back(b: Bound, draft: Draft, *, reordered: bool) -> bool:
    """Return whether the agent has its own word in the field again, be it the same as ours.

    `reordered`: the tasks that were there before are in another order than they were in the store.
    """
    d = b.directive
    if b.key not in draft.plan:
        return not d.in_force or d.kind is Kind.ADD
    if d.kind is Kind.MOVE and draft.plan[b.key].status is Status.COMPLETED:
        return False  # completed tasks do not move, so nothing was put back
    # An order of the agent's own may agree with a move by chance. A task that it lets wait itself
    # is not to be called under way again.
    agreed = d.kind is Kind.HOLD or (d.kind is Kind.MOVE and reordered)
    return agreed or not stands(b, draft)


class Reverts:
    """How often the agent overwrote each directive of late."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = defaultdict(deque)

    def enough(self, directive: str, now: float) -> bool:
        """Count one more; True for the fourth within a minute, which ends the argument."""
        times = self._times[directive]
        times.append(now)
        while times[0] < now - _WITHIN:
            times.popleft()
        if len(times) < _REVERTS:
            return False
        times.clear()
        return True
