"""What happened lately, beside the plan on a wide screen and in the log."""

from __future__ import annotations

import time
from collections.abc import Sequence

from tui.glyphs import Glyphs
from tui.settings import ScreenSettings
from tui.widgets.disks import heading
from tui.widgets.happenings import Happening
from tui.widgets.ink import Ink, Line
from tui.widgets.painted import Painted


def log_lines(happenings: Sequence[Happening], width: int, glyphs: Glyphs) -> list[Line]:
    """Return the happenings with their local time, the newest first."""
    if not happenings:
        return [(("Nothing has happened yet.", Ink.FAINT),)]
    out: list[Line] = []
    for happening in reversed(happenings):
        stamp = time.strftime("%H:%M", time.localtime(happening.at))
        for n, line in enumerate(happening.lines(width - 6, glyphs)):
            lead = f"{stamp} " if n == 0 else " " * 6
            out.append(((lead, Ink.FAINT), *line))
    return out


class Lately(Painted):
    """The newest happenings, as many as there is room for."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._happenings: tuple[Happening, ...] = ()

    def show(self, happenings: Sequence[Happening]) -> None:
        """Take over the newest happenings."""
        self._happenings = tuple(happenings[-50:])
        self.sync()

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the heading and the log's newest lines."""
        lines = log_lines(self._happenings, width - 2, self.glyphs)[: height - 1]
        return [
            heading("Lately", (), width, self.glyphs),
            *(((" ", Ink.TEXT), *line) for line in lines),
        ]
