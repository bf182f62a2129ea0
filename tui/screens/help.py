"""The help page: every key, and what every sign means."""

from __future__ import annotations

from tui.glyphs import Glyphs
from tui.plan.model import Priority, Status
from tui.plan.steering import Kind, State
from tui.screens.keys import BINDINGS, shown
from tui.widgets.ink import Ink, Line, measure, wrap


def help_lines(width: int, glyphs: Glyphs) -> list[Line]:
    """Return the help, made from the bindings themselves."""
    column = min(16, max(8, width // 4))
    out: list[Line] = []
    title = ""
    for binding in BINDINGS:
        assert binding.group is not None
        if binding.group.description != title:
            title = binding.group.description
            out += [(), ((title, Ink.HEAD),)] if out else [((title, Ink.HEAD),)]
        out += _entry(shown(binding), binding.description, column, width, Ink.KEY)
    out += _entry("^p", "all of this as a searchable list", column, width, Ink.KEY)
    out += [(), (("Signs", Ink.HEAD),)]
    for sign, words in _signs(glyphs):
        out += _entry(sign, words, column, width, Ink.STRONG)
    return out


def _entry(key: str, words: str, column: int, width: int, ink: Ink) -> list[Line]:
    lines = wrap(words, width - column - 1, 5, "")
    # Keys that are wider than their column get a line of their own.
    if measure(key) > column:
        out: list[Line] = [((key, ink),)]
        lead = " " * (column + 1)
    else:
        out = []
        lead = key + " " * (column + 1 - measure(key))
    for text in lines:
        out.append(((lead, ink), (text, Ink.TEXT)))
        lead = " " * (column + 1)
    return out


def _signs(glyphs: Glyphs) -> list[tuple[str, str]]:
    return [
        (glyphs.status(Status.PENDING), "pending"),
        (glyphs.status(Status.IN_PROGRESS), "in progress"),
        (glyphs.status(Status.COMPLETED), "completed"),
        (glyphs.status(Status.CANCELLED), "cancelled"),
        (glyphs.kind(Kind.VETO), "vetoed by you"),
        (glyphs.kind(Kind.HOLD), "held by you"),
        (glyphs.kind(Kind.MOVE), "moved by you"),
        (glyphs.kind(Kind.ADD), "added by you"),
        (glyphs.priority(Priority.HIGH), "high priority"),
        (glyphs.priority(Priority.MEDIUM), "medium priority"),
        (glyphs.priority(Priority.LOW), "low priority"),
        (glyphs.state(State.RECORDED), "recorded: only here so far"),
        (glyphs.state(State.STORED), "stored: in the agent's file"),
        (glyphs.state(State.DELIVERED), "delivered: handed to the agent"),
        (glyphs.state(State.ACKNOWLEDGED), "acknowledged: the agent kept it"),
        (glyphs.state(State.DEFIED), "contested, defied or lapsed: look at it"),
        (glyphs.at_least, "at least so long: its start was not seen"),
    ]
