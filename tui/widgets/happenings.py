"""What happened, as the lines of a banner or of the log."""

from __future__ import annotations

from dataclasses import dataclass

from tui.figures import gibibytes, gigabytes, short
from tui.glyphs import Glyphs
from tui.host.sample import Event, Signal
from tui.plan.text import neutralise
from tui.plan.transitions import Change, Transition
from tui.view import Alarm
from tui.widgets.ink import Ink, Line, clip, length, measure, wrap

_SINGLE = {
    Change.STARTED: ("started", Ink.ACCENT),
    Change.COMPLETED: ("completed", Ink.GOOD),
    Change.CANCELLED: ("cancelled", Ink.DIM),
    Change.REOPENED: ("reopened", Ink.WARN),
    Change.ADDED: ("added", Ink.ACCENT),
    Change.REMOVED: ("removed", Ink.DIM),
    Change.REWORDED: ("reworded", Ink.TEXT),
}


_NAME = 8
"""So many cells of a task's text stay at least."""


def _named(sign: str, ink: Ink, text: str, tail: str, width: int, glyphs: Glyphs) -> Line:
    """Return a sign, as much of a text as fits, and a tail that is cut last."""
    tail = clip(f" {tail}" if tail else "", width - measure(sign) - 1 - _NAME, glyphs.ellipsis)
    room = width - measure(sign) - 1 - measure(tail)
    return (f"{sign} ", ink), (clip(text, room, glyphs.ellipsis), Ink.STRONG), (tail, Ink.DIM)


def _transition(event: Transition, width: int, glyphs: Glyphs) -> list[Line]:
    """Return a transition as one line, or a pivot that does not fit as two."""
    time = ""
    if event.took is not None:
        time = ("" if event.took_exact else glyphs.at_least) + short(event.took)
    # A transition has the tasks' texts as the agent wrote them.
    texts = [neutralise(text) for text in event.contents[:2]]
    first = texts[0] if texts else ""
    if event.change is Change.FINISHED:
        return [
            (
                (f"{glyphs.completed} Plan finished", Ink.GOOD),
                (f" {event.done}/{event.total}", Ink.DIM),
            )
        ]
    if event.change is Change.REPLACED:
        return [((f"{glyphs.moved} New plan", Ink.ACCENT), (f" {event.total} tasks", Ink.DIM))]
    if event.change is Change.PIVOT:
        then = texts[1] if len(texts) > 1 else ""
        whole = (
            (f"{glyphs.completed} ", Ink.GOOD),
            (first, Ink.TEXT),
            (f" {time}" if time else "", Ink.DIM),
            (f" {glyphs.arrow} {glyphs.running} ", Ink.ACCENT),
            (then, Ink.STRONG),
        )
        if length(whole) <= width:
            return [whole]
        return [
            _named(glyphs.completed, Ink.GOOD, first, time, width, glyphs),
            _named(glyphs.running, Ink.ACCENT, then, "", width, glyphs),
        ]
    word, ink = _SINGLE[event.change]
    sign = {
        Change.STARTED: glyphs.running,
        Change.COMPLETED: glyphs.completed,
        Change.CANCELLED: glyphs.cancelled,
        Change.ADDED: glyphs.added,
    }.get(event.change, glyphs.moved)
    more = f"and {len(event.contents) - 1} more " if len(event.contents) > 1 else ""
    return [_named(sign, ink, first, f"{more}{word}{' ' + time if time else ''}", width, glyphs)]


def _signal(signal: Signal, width: int, glyphs: Glyphs) -> Line:
    """Return what happened on the host as one line."""
    memory = signal.event.of_memory
    size = f"{gibibytes(signal.amount)} GiB" if memory else gigabytes(signal.amount)
    freed = signal.event in (Event.DISK_FREED, Event.VRAM_RELEASED)
    tail = f" {glyphs.dot} {signal.by}" if signal.by else ""
    if signal.left is not None:
        left = f"{gibibytes(signal.left)} GiB" if memory else gigabytes(signal.left)
        tail += f" {glyphs.dot} {left} free"
    head = f"{signal.where} {size} {signal.event.verb}"
    sign = "-" if freed else "+"
    return (
        (f"{sign} ", Ink.GOOD if freed else Ink.WARN),
        (clip(head, width - 2, glyphs.ellipsis), Ink.STRONG),
        (clip(tail, width - 2 - measure(head), glyphs.ellipsis), Ink.DIM),
    )


def _alarm(alarm: Alarm, width: int, glyphs: Glyphs) -> list[Line]:
    """Return an alarm as what the agent did and the task it did it to."""
    did, asked = alarm.did.upper(), alarm.asked.upper()
    head = f"! AGENT {did} WHAT YOU {asked}"
    if measure(head) > width:
        head = f"! {asked} TASK {did}"
    why = f" {glyphs.dot} you said: {alarm.reason}" if alarm.reason else ""
    return [
        ((clip(head, width, glyphs.ellipsis), Ink.ALARM),),
        ((clip(f"  {alarm.content}{why}", width, glyphs.ellipsis), Ink.ALARM),),
    ]


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing worth telling, with its time; a plain text is a notice about the user's own act."""

    at: float
    subject: Transition | Signal | Alarm | str

    @property
    def weight(self) -> int:
        """How much it matters when not everything can be told, 3 the most."""
        match self.subject:
            case Alarm() | str():
                return 3
            case Transition(change=Change.PIVOT | Change.FINISHED | Change.REPLACED):
                return 3
            case Signal() | Transition(change=Change.STARTED | Change.COMPLETED):
                return 2
            case _:
                return 1

    def lines(self, width: int, glyphs: Glyphs) -> list[Line]:
        """Return it in lines of at most `width` cells."""
        match self.subject:
            case Alarm():
                return _alarm(self.subject, width, glyphs)
            case Transition():
                return _transition(self.subject, width, glyphs)
            case Signal():
                return [_signal(self.subject, width, glyphs)]
            case text:
                rest = wrap(text, width - 2, 3, glyphs.ellipsis)
                leads = (f"{glyphs.dot} ", *("  " for _ in rest[1:]))
                return [
                    ((lead, Ink.ACCENT), (line, Ink.TEXT))
                    for lead, line in zip(leads, rest, strict=True)
                ]
