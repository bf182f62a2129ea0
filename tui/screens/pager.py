"""One page over the whole screen to read and scroll in: log, help, details."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen

from tui.settings import ScreenSettings
from tui.widgets.disks import heading
from tui.widgets.ink import Ink, Line
from tui.widgets.painted import INKS, Painted

Build = Callable[[int], list[Line]]
"""Makes the page's lines for a width; called again whenever something may have changed."""


class Page(Painted, can_focus=True):
    """A heading, as many lines as fit, and where in the text they are."""

    def __init__(self, settings: ScreenSettings, title: str, build: Build) -> None:
        super().__init__(settings, "page")
        self._title = title
        self._build = build
        self._top = 0
        self._total = 0

    def scroll(self, step: int) -> None:
        """Move the text by so many lines, as far as there are any."""
        last = max(0, self._total - self.room)
        self._top = max(0, min(last, self._top + step))
        self.sync()

    @property
    def room(self) -> int:
        """How many lines of the text are visible at once."""
        return max(1, self.size.height - 2)

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the page."""
        text = self._build(width - 2)
        self._total = len(text)
        room = max(1, height - 2)
        self._top = max(0, min(self._top, self._total - room))
        seen = text[self._top : self._top + room]
        lines: list[Line] = [heading(self._title, (), width, self.glyphs)]
        lines += [((" ", Ink.TEXT), *line) for line in seen]
        lines += [()] * (room - len(seen))
        hint: Line = ((" q", Ink.KEY), (" back", Ink.DIM))
        if self._total > room:
            place = f"{self._top + 1}-{self._top + len(seen)} of {self._total}"
            hint += (("  j k", Ink.KEY), (f" scroll  {place}", Ink.DIM))
        return [*lines, hint]


class Pager(Screen[None]):
    """Shows a page until it is left."""

    COMPONENT_CLASSES: ClassVar = INKS
    BINDINGS: ClassVar = [
        Binding("q,escape,enter", "leave", "back"),
        Binding("j,down", "scroll(1)", "down"),
        Binding("k,up", "scroll(-1)", "up"),
        Binding("pagedown,space,ctrl+d", "page(1)", "page down"),
        Binding("pageup,ctrl+u", "page(-1)", "page up"),
        Binding("g,home", "scroll(-100000)", "first line"),
        Binding("G,end", "scroll(100000)", "last line"),
    ]

    def __init__(self, settings: ScreenSettings, title: str, build: Build) -> None:
        super().__init__()
        self._page = Page(settings, title, build)

    def compose(self) -> ComposeResult:
        """Lay out the page alone."""
        yield self._page

    def renew(self) -> None:
        """Show what has changed in what the page tells."""
        self._page.sync()

    def action_leave(self) -> None:
        """Go back to the plan."""
        self.dismiss()

    def action_scroll(self, step: int) -> None:
        """Scroll by lines."""
        self._page.scroll(step)

    def action_page(self, direction: int) -> None:
        """Scroll by a page, keeping one line of the old one."""
        self._page.scroll(direction * max(1, self._page.room - 1))
