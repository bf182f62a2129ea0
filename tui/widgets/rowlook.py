"""One task of the checklist as lines: sign, priority, text, decision, time."""

from __future__ import annotations

from dataclasses import dataclass

from tui.glyphs import Glyphs
from tui.plan.model import Priority, Status
from tui.plan.steering import Kind
from tui.view import Row
from tui.widgets.ink import Ink, Line, clip, fill, length, measure, wrap
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
        decided, time = self._decided(row, asked), self._time(row)
        gap: Line = ((" ", Ink.TEXT),) if decided and time else ()
        right = (*decided, *gap, *time)
        room = self.width - 1 - length(lead)
        whole = measure(row.content) + _with_gap(right) <= room
        if limit == 1 or whole:
            text = clip(row.content, room - _with_gap(right), self.glyphs.ellipsis)
            return [fill((*lead, (text, text_ink)), right, self.width - 1)]
        # Signs fit beside the time; words would crowd the text out, and go to its end.
        words: Line = ()
        if self.width >= WORDS_FROM:
            right, words = time, decided
        texts = wrap(row.content, room, limit, self.glyphs.ellipsis, _with_gap(right))
        indent = (lead[0], (" " * (length(lead) - 1), Ink.TEXT))
        out: list[Line] = [fill((*lead, (texts[0], text_ink)), right, self.width - 1)]
        out += [(*indent, (text, text_ink)) for text in texts[1:]]
        if not words:
            return out
        if len(out) > 1 and length(out[-1]) + _with_gap(words) < self.width:
            return [*out[:-1], fill(out[-1], words, self.width - 1)]
        return [*out, fill(indent, words, self.width - 1)]

    def _inks(self, row: Row) -> tuple[str, Ink, Ink]:
        """Return the sign, its ink and the text's ink; a decision in force has its own sign."""
        sign = self.glyphs.status(row.status)
        steered = row.steered
        if steered is None or row.status in (Status.IN_PROGRESS, Status.COMPLETED):
            return sign, _SIGN_INK[row.status], _TEXT_INK[row.status]
        if steered.kind is Kind.VETO:
            return self.glyphs.veto, Ink.WARN, Ink.STRUCK
        return self.glyphs.hold, Ink.WARN, Ink.DIM

    def _decided(self, row: Row, asked: str) -> Line:
        """Return what the user decided, or has just asked for."""
        if asked:
            return ((f"{asked}{self.glyphs.ellipsis}", Ink.WARN),)
        if not row.marks:
            return ()
        mark = row.marks[0]
        if self.width >= WORDS_FROM:
            text = mark_words(mark, self.glyphs)
        else:
            text = self.glyphs.mark(mark) + self.glyphs.state(mark.state)
        return ((text, mark_ink(mark.state)),)

    def _time(self, row: Row) -> Line:
        time = took(row, self.now, self.glyphs)
        running = row.status is Status.IN_PROGRESS
        return ((time, Ink.ACCENT if running else Ink.DIM),) if time else ()


def _with_gap(line: Line) -> int:
    """Return the cells that something at the right edge takes from the text."""
    return length(line) + 1 if line else 0
