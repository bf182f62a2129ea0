"""The selected task in full: its text, state, and what the user decided about it."""

from __future__ import annotations

from tui.figures import lasted
from tui.glyphs import Glyphs
from tui.settings import ScreenSettings
from tui.view import Row
from tui.widgets.ink import Ink, Line, crop, measure, wrap
from tui.widgets.painted import Painted
from tui.widgets.wording import mark_ink, mark_sentence, priority_words, took


def facts(row: Row, now: float, glyphs: Glyphs, width: int) -> str:
    """Return status and time of a task in one line of words, and its priority if it fits."""
    text = row.status.value.replace("_", " ")
    time = took(row, now, glyphs)
    if row.took is not None:
        text += f", took {lasted(row.took, row.exact)}"
    elif time:
        text += f" for {time}"
    whole = f"{text} {glyphs.dot} {priority_words(row.priority)}"
    return whole if measure(whole) <= width else text


class Detail(Painted):
    """A few lines below the plan; the pager shows what does not fit."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._row: Row | None = None

    def show(self, row: Row | None) -> None:
        """Take over the selected task."""
        self._row = row
        self.sync()

    def draw(self, width: int, height: int) -> list[Line]:
        """Return a rule, the task's text and its facts."""
        out: list[Line] = [((self.glyphs.rule * width, Ink.RULE),)]
        row = self._row
        if row is None:
            return out
        state: Line = (
            (f" {row.position} ", Ink.FAINT),
            (facts(row, self.clock(), self.glyphs, width - 6), Ink.DIM),
        )
        marks: list[Line] = []
        for mark in row.marks:
            # The text gives way to what the user must know, but keeps a line.
            left = height - 3 - len(marks)
            if left > 0:
                sentence = mark_sentence(mark, row.status)
                lines = wrap(sentence, width - 2, min(3, left), self.glyphs.ellipsis)
                marks += [((f" {line}", mark_ink(mark.state)),) for line in lines]
        room = max(1, height - 2 - len(marks))
        texts = wrap(row.content, width - 2, room, self.glyphs.ellipsis)
        out += [((f" {text}", Ink.TEXT),) for text in texts]
        return [*out, crop(state, width - 1), *marks]


def full_text(row: Row, width: int, now: float, glyphs: Glyphs) -> list[Line]:
    """Return everything about a task, for the pager."""
    out: list[Line] = [
        ((text, Ink.STRONG),) for text in wrap(row.content, width, 1000, glyphs.ellipsis)
    ]
    out += [(), ((facts(row, now, glyphs, width), Ink.DIM),)]
    for mark in row.marks:
        out += [
            ((t, mark_ink(mark.state)),)
            for t in wrap(mark_sentence(mark, row.status), width, 20, glyphs.ellipsis)
        ]
    return out
