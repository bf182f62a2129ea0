"""One task of the checklist as lines: sign, priority, text, decision, time."""

from __future__ import annotations

from dataclasses import dataclass

from tui.plan.model import Priority, Status
from tui.plan.steering import Kind
from tui.view import Row
from tui.widgets.glyphs import Glyphs
from tui.widgets.ink import Ink, Line, clip, fill, length, wrap
from tui.widgets.wording import mark_ink, mark_words, took

WORDS_FROM = 40
"""From this width on a directive is told in words, below it by its signs."""

_SIGN_INK = {
    Status.PENDING: Ink.DIM,
    Status.IN_PROGRESS: Ink.ACCENT,
    Status.COMPLETED: Ink.GOOD,
    Status.CANCELLED: Ink.DIM,
}
_TEXT_INK = {
    Status.PENDING: Ink.TEXT,
    Status.IN_PROGRESS: Ink.STRONG,
    Status.COMPLETED: Ink.DIM,
    Status.CANCELLED: Ink.STRUCK,
}
_PRIORITY_INK = {Priority.HIGH: Ink.WARN, Priority.MEDIUM: Ink.DIM, Priority.LOW: Ink.FAINT}


@dataclass(frozen=True, slots=True)
class Look:
    """What all rows of a list have in common; the last cell of `width` stays free."""

    width: int
    glyphs: Glyphs
    now: float
    priorities: bool

    def lines(self, row: Row, asked: str, selected: bool, limit: int) -> list[Line]:
        """Return the task in at most `limit` lines; `asked` is an act that is still under way."""
        sign, sign_ink, text_ink = self._inks(row)
        lead: Line = (
            (self.glyphs.cursor if selected else " ", Ink.CURSOR if selected else Ink.TEXT),
            (f"{sign} ", sign_ink),
        )
        if self.priorities:
            mark = self.glyphs.priority(row.priority)
            lead += ((f"{mark} ", _PRIORITY_INK.get(row.priority or Priority.LOW, Ink.FAINT)),)
        right = self._right(row, asked)
        indent = length(lead)
        room = self.width - 1 - indent - length(right) - (1 if right else 0)
        if limit == 1:
            texts = [clip(row.content, room, self.glyphs.ellipsis)]
        else:
            texts = wrap(row.content, room, limit, self.glyphs.ellipsis)
        out = [fill((*lead, (texts[0], text_ink)), right, self.width - 1)]
        gap = (" " * (indent - 1), Ink.TEXT)
        return [*out, *((lead[0], gap, (text, text_ink)) for text in texts[1:])]

    def _inks(self, row: Row) -> tuple[str, Ink, Ink]:
        """Return the sign, its ink and the text's ink; a decision in force has its own sign."""
        sign = self.glyphs.status(row.status)
        steered = row.steered
        if steered is None or row.status in (Status.IN_PROGRESS, Status.COMPLETED):
            return sign, _SIGN_INK[row.status], _TEXT_INK[row.status]
        if steered.kind is Kind.VETO:
            return self.glyphs.veto, Ink.WARN, Ink.STRUCK
        return self.glyphs.hold, Ink.WARN, Ink.DIM

    def _right(self, row: Row, asked: str) -> Line:
        """Return what stands at the right edge: the decision and the time."""
        time = took(row, self.now, self.glyphs)
        right: Line = ()
        if asked:
            right = ((f"{asked}{self.glyphs.ellipsis}", Ink.WARN),)
        elif row.marks:
            mark = row.marks[0]
            if self.width >= WORDS_FROM:
                text = mark_words(mark, self.glyphs)
            else:
                text = self.glyphs.kind(mark.kind) + self.glyphs.state(mark.state)
            right = ((text, mark_ink(mark.state)),)
        if time:
            running = row.status is Status.IN_PROGRESS
            gap: Line = ((" ", Ink.TEXT),) if right else ()
            right += (*gap, (time, Ink.ACCENT if running else Ink.DIM))
        return right
