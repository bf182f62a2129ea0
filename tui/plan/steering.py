"""What the user decided, and what the plan becomes under it: `(plan, directives) -> plan`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tui.plan.model import Priority


class Kind(StrEnum):
    """What a directive is about; it owns one field of one task."""

    VETO = "veto"
    HOLD = "hold"
    PRIORITY = "priority"
    MOVE = "move"
    ADD = "add"


class State(StrEnum):
    """How far a directive has come; see DESIGN rule 2."""

    RECORDED = "recorded"
    STORED = "stored"
    DELIVERED = "delivered"
    ACKNOWLEDGED = "acknowledged"
    CONTESTED = "contested"
    DEFIED = "defied"
    RESTORED = "restored"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Mark:
    """What a screen shows of a directive on a task."""

    kind: Kind
    state: State
    reason: str = ""
    priority: Priority | None = None
