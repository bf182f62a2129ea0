"""What the panes say of times, of the plan's store and of directives, in words."""

from __future__ import annotations

from tui.figures import short
from tui.glyphs import Glyphs
from tui.plan.model import Priority, Status
from tui.plan.steering import Kind, Mark, State
from tui.view import Health, Reach, Row
from tui.widgets.ink import Ink


def running(seconds: float) -> str:
    """Return a time that is still growing, in steps of five seconds and then of a minute.

    A coarser step means that less is drawn, for days.
    """
    if seconds < 5:
        return "<5s"
    return short(seconds // 5 * 5 if seconds < 60 else seconds)


def took(row: Row, now: float, glyphs: Glyphs) -> str:
    """Return the time column of a task: how long it runs or ran, marked when a lower bound."""
    if row.took is not None:
        text = short(row.took)
    elif row.since is not None and not row.status.terminal:
        seconds = now - row.since
        if not row.exact and seconds < 5:
            return ""  # at least nothing says nothing
        text = running(seconds)
    else:
        return ""
    return text if row.exact else f"{glyphs.at_least}{text}"


_HEALTH = {
    Health.MISSING: "no plan yet",
    Health.BEING_WRITTEN: "being written",
    Health.DAMAGED: "damaged",
    Health.UNREADABLE: "cannot be read",
    Health.NOT_A_PLAN: "not a plan",
}


def health(state: Health, glyphs: Glyphs) -> str:
    """Return in words how the last look went, nothing when well."""
    text = _HEALTH.get(state, "")
    return text + glyphs.ellipsis if state is Health.BEING_WRITTEN else text


REACH = {
    Reach.LIVE: "live",
    Reach.OVERWRITTEN: "agent may overwrite",
    Reach.WATCH_ONLY: "watch only",
}


def mark_words(mark: Mark, glyphs: Glyphs) -> str:
    """Return a directive and its state in two words."""
    what = {
        Kind.PRIORITY: mark.priority.value if mark.priority else "priority",
        Kind.MOVE: "moved",
        Kind.ADD: "added",
    }.get(mark.kind, mark.kind.value)
    return f"{what} {glyphs.dot} {mark.state.value}"


def mark_ink(state: State) -> Ink:
    """Return the ink of a directive's state."""
    if state in (State.CONTESTED, State.DEFIED):
        return Ink.BAD
    if state is State.ACKNOWLEDGED:
        return Ink.GOOD
    return Ink.WARN if state is State.RECORDED else Ink.ACCENT


def mark_sentence(mark: Mark, status: Status) -> str:
    """Return in plain words what the user decided about a task and what has become of it."""
    did = "finished" if status is Status.COMPLETED else "started"
    waits = mark.kind is Kind.HOLD and status is Status.PENDING
    what = {
        Kind.VETO: "Your veto",
        Kind.HOLD: "Your hold",
        Kind.PRIORITY: f"Your priority ({mark.priority.value if mark.priority else 'none'})",
        Kind.MOVE: "Your move",
        Kind.ADD: "Your task",
    }[mark.kind]
    fate = {
        State.RECORDED: "is kept here; in the agent's file the task just waits"
        if waits
        else "is recorded here, not yet in the agent's file",
        State.STORED: "is in the agent's file",
        State.DELIVERED: "was handed to the agent",
        State.ACKNOWLEDGED: "was kept by the agent",
        State.CONTESTED: "was overwritten too often and is left alone; decide again to insist",
        State.DEFIED: f"was defied: the agent {did} it all the same",
        State.RESTORED: "was taken back",
        State.LAPSED: "has lapsed: the task left the plan",
    }[mark.state]
    return f"{what} {fate}." + (f" Reason: {mark.reason}" if mark.reason else "")


def priority_words(priority: Priority | None) -> str:
    """Return a priority in words."""
    return f"{priority.value} priority" if priority else "no priority"
