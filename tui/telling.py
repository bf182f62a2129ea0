"""Transitions, signals and alarms as one plain sentence each, for lines of text."""

from __future__ import annotations

from tui.figures import gibibytes, gigabytes, lasted
from tui.host.sample import Signal
from tui.plan.text import neutralise
from tui.plan.transitions import Change, Transition
from tui.view import Alarm


def tell(happening: Transition | Signal | Alarm) -> str:
    """Return what happened in one line."""
    match happening:
        case Transition():
            return _transition(happening)
        case Signal():
            return _signal(happening)
        case Alarm():
            return _alarm(happening)


def _alarm(a: Alarm) -> str:
    why = f" ({a.reason})" if a.reason else ""
    return f"ALARM: the agent {a.did} what you {a.asked}: {a.content}{why}"


def _transition(t: Transition) -> str:
    texts = [neutralise(content) for content in t.contents]
    took = "" if t.took is None else f" ({lasted(t.took, t.took_exact)})"
    match t.change:
        case Change.PIVOT:
            return f"{t.done}/{t.total} completed: {texts[0]}{took}; started: {texts[1]}"
        case Change.FINISHED:
            return f"{t.done}/{t.total} plan finished"
        case Change.REPLACED:
            return f"{t.done}/{t.total} new plan of {len(texts)} tasks"
        case Change.REWORDED:
            return f"{t.done}/{t.total} reworded: {neutralise(t.before)}; now: {texts[0]}"
        case _:
            return f"{t.done}/{t.total} {t.change}: {'; '.join(texts)}{took}"


def _signal(s: Signal) -> str:
    memory = s.event.of_memory
    size = f"{gibibytes(s.amount)} GiB of VRAM" if memory else gigabytes(s.amount)
    by = f" by {neutralise(s.by)}" if s.by else ""
    left = ""
    if s.left is not None:
        left = f", {gibibytes(s.left)} GiB free" if memory else f", {gigabytes(s.left)} free"
    return f"{neutralise(s.where)}: {size} {s.event.verb}{by}{left}"
