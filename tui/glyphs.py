"""The signs that are drawn: one cell each, every one with an ASCII twin."""

from __future__ import annotations

from dataclasses import dataclass

from tui.plan.model import Priority, Status
from tui.plan.steering import Kind, Mark, State


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs."""

    pending: str
    running: str
    completed: str
    cancelled: str
    veto: str
    hold: str
    high: str
    medium: str
    low: str
    moved: str
    added: str
    recorded: str
    stored: str
    delivered: str
    acknowledged: str
    cursor: str
    thumb: str
    full: str
    empty: str
    rule: str
    ellipsis: str
    dot: str
    arrow: str
    at_least: str
    degree: str

    @property
    def celsius(self) -> str:
        """Return the unit of a temperature, as short as it goes."""
        return self.degree if self.degree == "C" else f"{self.degree}C"

    def status(self, status: Status) -> str:
        """Return the sign of a status."""
        return {
            Status.PENDING: self.pending,
            Status.IN_PROGRESS: self.running,
            Status.COMPLETED: self.completed,
            Status.CANCELLED: self.cancelled,
        }[status]

    def priority(self, priority: Priority | None) -> str:
        """Return the sign of a priority, a blank for none."""
        if priority is None:
            return " "
        return {
            Priority.HIGH: self.high,
            Priority.MEDIUM: self.medium,
            Priority.LOW: self.low,
        }[priority]

    def kind(self, kind: Kind) -> str:
        """Return the sign of a directive."""
        return {
            Kind.VETO: self.veto,
            Kind.HOLD: self.hold,
            Kind.PRIORITY: self.high,
            Kind.MOVE: self.moved,
            Kind.ADD: self.added,
        }[kind]

    def mark(self, mark: Mark) -> str:
        """Return the sign of what the user decided about a task."""
        if mark.kind is Kind.PRIORITY:
            return self.priority(mark.priority or Priority.MEDIUM)
        return self.kind(mark.kind)

    def state(self, state: State) -> str:
        """Return the sign of how far a directive has come; `!` is always trouble."""
        return {
            State.RECORDED: self.recorded,
            State.STORED: self.stored,
            State.DELIVERED: self.delivered,
            State.ACKNOWLEDGED: self.acknowledged,
        }.get(state, "!")


UNICODE = Glyphs(
    pending="○",
    running="▶",
    completed="✔",
    cancelled="✗",
    veto="⊘",
    hold="‖",
    high="▲",
    medium="•",
    low="▽",
    moved="↕",
    added="+",
    recorded="…",
    stored="↓",
    delivered="»",
    acknowledged="✔",
    cursor="▌",
    thumb="▐",
    full="━",
    empty="─",
    rule="─",
    ellipsis="…",
    dot="·",
    arrow="→",
    at_least="≥",
    degree="°",
)

ASCII = Glyphs(
    pending=".",
    running=">",
    completed="x",
    cancelled="-",
    veto="X",
    hold="=",
    high="^",
    medium=":",
    low="v",
    moved="%",
    added="+",
    recorded=".",
    stored="s",
    delivered="d",
    acknowledged="a",
    cursor="|",
    thumb="#",
    full="=",
    empty="-",
    rule="-",
    ellipsis="~",
    dot="-",
    arrow="->",
    at_least=">",
    degree="C",
)


def glyphs_for(ascii_only: bool) -> Glyphs:
    """Return the signs for a terminal."""
    return ASCII if ascii_only else UNICODE
