"""The base of every pane: lines computed as values, and only the changed ones drawn again."""

from __future__ import annotations

import re
from abc import abstractmethod
from itertools import zip_longest

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from tui.glyphs import glyphs_for
from tui.settings import ScreenSettings
from tui.widgets.ink import Ink, Line, differing

INKS = {f"ink--{ink}" for ink in Ink}
"""The component classes of a screen with painted panes.

The screen has them for all its panes: on every pane they would cost a third of the start.
"""

# Every text is neutralised before it is drawn; this is the last line before the terminal.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_GROUNDS = (Ink.CURSOR, Ink.ALARM)


class Painted(Widget):
    """A pane that draws itself as lines of inked parts.

    A line that begins with the ink CURSOR or ALARM has that ink's background over its whole width.
    """

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(id=name)
        self.glyphs = glyphs_for(settings.ascii)
        self.clock = settings.clock
        self._lines: list[Line] = []
        self._laid_for = Size()
        self._styles_by_ink: dict[tuple[Ink, Ink | None], Style] = {}

    @abstractmethod
    def draw(self, width: int, height: int) -> list[Line]:
        """Return the lines to show now, at most `height` of them."""

    def fit(self) -> None:
        """Adapt to a new size, before anything is drawn for it."""

    def sync(self) -> None:
        """Draw what has changed since the last time, which may be nothing."""
        was = self._lines
        self._lay()
        changed = []
        for y, (old, new) in enumerate(zip_longest(was, self._lines, fillvalue=())):
            if old != new:
                start, end = differing(old, new, self.size.width)
                changed.append(Region(start, y, end - start, 1))
        if changed:
            self.refresh(*changed)

    def _lay(self) -> None:
        """Compute the lines for the size as it is."""
        width, height = self.size
        if self.size != self._laid_for:
            self._laid_for = self.size
            self.fit()
        self._lines = self.draw(width, height)[:height] if width and height else []

    def on_resize(self) -> None:
        """Lay the lines out for the new size."""
        self.sync()

    def notify_style_update(self) -> None:
        """Forget the colours that a theme or a style sheet has replaced."""
        self._styles_by_ink.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """Return one line in colour."""
        if self.size != self._laid_for:
            # The first frame of a new size is drawn before anybody is told of it.
            self._lay()
        width = self.size.width
        line = self._lines[y] if y < len(self._lines) else ()
        ground = line[0][1] if line and line[0][1] in _GROUNDS else None
        segments = [
            Segment(
                text if text.isprintable() else _CONTROLS.sub("?", text), self._style(ink, ground)
            )
            for text, ink in line
            if text
        ]
        return Strip(segments).adjust_cell_length(width, self._style(Ink.TEXT, ground))

    def _style(self, ink: Ink, ground: Ink | None) -> Style:
        key = (ink, ground)
        if (style := self._styles_by_ink.get(key)) is None:
            of = self.screen.get_component_rich_style
            style = self.rich_style + of(f"ink--{ink}", partial=True)
            if ground is not None:
                under = of(f"ink--{ground}", partial=True)
                style += Style(bgcolor=under.bgcolor, reverse=under.reverse)
            self._styles_by_ink[key] = style
        return style
