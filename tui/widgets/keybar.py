"""One line with the keys that are useful now."""

from __future__ import annotations

from collections.abc import Sequence

from tui.settings import ScreenSettings
from tui.widgets.ink import Ink, Line, crop, fill, length, measure
from tui.widgets.painted import Painted

_WORD_FROM = 32
"""From this width on the help key has its word beside it."""


class KeyBar(Painted):
    """The most useful keys first, cut to the width; help always stays."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._keys: tuple[tuple[str, str], ...] = ()
        self._note = ""

    def show(self, keys: Sequence[tuple[str, str]], note: str = "") -> None:
        """Take over the keys with their words, and a note that goes before them."""
        self._keys, self._note = tuple(keys), note
        self.sync()

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the line."""
        tail: Line = (("?", Ink.KEY), (" help" if width >= _WORD_FROM else "", Ink.DIM))
        room = width - 2 - length(tail)
        line: Line = ((" ", Ink.TEXT),)
        if self._note:
            line += ((f"{self._note}  ", Ink.WARN),)
        for key, word in self._keys:
            if length(line) + measure(key) + measure(word) + 3 > room:
                break
            line += ((key, Ink.KEY), (f" {word}  ", Ink.DIM))
        return [fill(crop(line, room), tail, width - 1)]
