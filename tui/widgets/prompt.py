"""The line that asks: for a text, or for one key.

It never takes the focus. Keys reach it through the app in the order in which they were typed, so
that what is typed ahead over a slow line is never taken for commands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from textual import events

from tui.plan.text import neutralise
from tui.settings import ScreenSettings
from tui.widgets.ink import Ink, Line, clip, measure, wrap
from tui.widgets.painted import Painted

_LIMIT = 500
_LINES = 3


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. With `answers` one of these keys is wanted, else a text.

    `done` gets the text or key; `changed` gets the text at every key; `cancelled` is called
    when the user gives up. `hint` stands where nothing is typed yet.
    """

    text: str
    done: Callable[[str], None]
    answers: Mapping[str, str] | None = None
    changed: Callable[[str], None] | None = None
    cancelled: Callable[[], None] | None = None
    initial: str = ""
    hint: str = ""


class Prompt(Painted):
    """Asks one question at a time."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._question: Question | None = None
        self._text = ""
        self._at = 0

    @property
    def open(self) -> bool:
        """True while a question waits for its answer."""
        return self._question is not None

    def ask(self, question: Question) -> None:
        """Put a question; one that is still open is given up."""
        self.cancel()
        self._question = question
        self._text = question.initial
        self._at = len(self._text)
        self.sync()

    def cancel(self) -> None:
        """Give the open question up."""
        question, self._question = self._question, None
        if question and question.cancelled:
            question.cancelled()

    def wanted(self, width: int) -> int:
        """Return how many lines the question takes."""
        return len(self._all(width, _LINES + 2)) if self._question else 0

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the question and below it the text, which is never left out."""
        return self._all(width, height)[-height:] if self._question else []

    def paste(self, text: str) -> None:
        """Take a pasted text as if it were typed on one line."""
        if self._question and self._question.answers is None:
            self._insert(neutralise(text))
            self._changed()

    def take(self, event: events.Key) -> None:
        """Take one key."""
        question = self._question
        if question is None:
            return
        if event.key in ("escape", "ctrl+c"):
            self.cancel()
        elif question.answers is not None:
            if event.key in question.answers:
                self._question = None
                question.done(event.key)
            else:
                self.cancel()
        elif event.key == "enter":
            self._question = None
            question.done(self._text.strip())
        else:
            self._edit(event)
            self._changed()

    def _changed(self) -> None:
        if self._question and self._question.changed:
            self._question.changed(self._text)
        self.sync()

    def _insert(self, text: str) -> None:
        self._text = (self._text[: self._at] + text + self._text[self._at :])[:_LIMIT]
        self._at = min(len(self._text), self._at + len(text))

    def _edit(self, event: events.Key) -> None:
        text, at = self._text, self._at
        match event.key:
            case "backspace" | "ctrl+h" if at:
                self._text, self._at = text[: at - 1] + text[at:], at - 1
            case "delete" | "ctrl+d":
                self._text = text[:at] + text[at + 1 :]
            case "ctrl+u":
                self._text, self._at = text[at:], 0
            case "ctrl+k":
                self._text = text[:at]
            case "ctrl+w":
                kept = text[:at].rstrip()
                kept = kept[: kept.rfind(" ") + 1]
                self._text, self._at = kept + text[at:], len(kept)
            case "left":
                self._at = max(0, at - 1)
            case "right":
                self._at = min(len(text), at + 1)
            case "home" | "ctrl+a":
                self._at = 0
            case "end" | "ctrl+e":
                self._at = len(text)
            case _ if event.is_printable and event.character:
                self._insert(neutralise(event.character) or " ")

    def _all(self, width: int, height: int) -> list[Line]:
        question = self._question
        assert question is not None
        limit = max(1, min(_LINES, height - 2))
        lines = wrap(question.text, width - 2, limit, self.glyphs.ellipsis)
        out: list[Line] = [((self.glyphs.rule * width, Ink.RULE),)]
        out += [((f" {line}", Ink.STRONG),) for line in lines]
        if question.answers is not None:
            answer: Line = ((" ", Ink.TEXT),)
            for key, word in question.answers.items():
                answer += ((key, Ink.KEY), (f" {word}  ", Ink.DIM))
            return [*out, (*answer, ("Esc", Ink.KEY), (" no", Ink.DIM))]
        before, after = self._text[: self._at], self._text[self._at :]
        room = width - 4
        # The end of what stands before the caret is always in sight.
        while before and measure(before) >= room:
            before = before[max(1, (measure(before) - room) // 2) :]
        under, rest = after[:1] or " ", after[1:]
        shown = (rest, Ink.TEXT) if self._text else (f" {question.hint}", Ink.FAINT)
        rest = clip(shown[0], room - measure(before) - 1, self.glyphs.ellipsis)
        line = (before, Ink.TEXT), (under, Ink.CARET), (rest, shown[1])
        return [*out, ((" > ", Ink.ACCENT), *line)]
