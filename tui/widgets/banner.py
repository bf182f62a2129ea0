"""Banners above the key bar: what just happened, and alarms that stay."""

from __future__ import annotations

from collections import deque
from functools import partial

from textual.message import Message

from tui.settings import ScreenSettings
from tui.view import Alarm
from tui.widgets.happenings import Happening
from tui.widgets.ink import Ink, Line, crop
from tui.widgets.painted import Painted

_AT_ONCE = 2
_PATIENCE = 4
"""With more than so many waiting, only the weightiest are still told; the log has them all."""


class Banner(Painted):
    """Two happenings at a time, each for some seconds; alarms above them until acknowledged.

    Notices about the user's own acts come on top of the two, the last two of them.
    """

    class Resized(Message):
        """The banner may want another height."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._seconds = settings.banner_seconds
        self._alarms: list[Happening] = []
        self._showing: list[Happening] = []
        self._waiting: deque[Happening] = deque()
        self._skipped = 0

    @property
    def alarmed(self) -> bool:
        """True while an alarm waits to be acknowledged."""
        return bool(self._alarms)

    def tell(self, happening: Happening) -> None:
        """Show a happening when its turn comes, an alarm at once."""
        if isinstance(happening.subject, Alarm):
            self._alarms.append(happening)
        elif isinstance(happening.subject, str):
            # It answers a key, so it does not wait; the older of two others makes room.
            notices = [h for h in self._showing if isinstance(h.subject, str)]
            self._showing = [h for h in self._showing if h not in notices[:-1]]
            self._show(happening)
        else:
            self._waiting.append(happening)
        self._fill()

    def acknowledge(self) -> Alarm | None:
        """Take away the oldest alarm and return it."""
        if not self._alarms:
            return None
        alarm = self._alarms.pop(0).subject
        self._fill()
        return alarm if isinstance(alarm, Alarm) else None

    def wanted(self, width: int) -> int:
        """Return how many lines there are to show, 0 when nothing is going on."""
        return len(self._all(width))

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the lines; in too small a room an alarm's first and a pivot's last line stay."""
        lines = self._all(width)
        return lines[:height] if self._alarms else lines[-height:]

    def _all(self, width: int) -> list[Line]:
        out: list[Line] = []
        if self._alarms:
            lines = self._alarms[0].lines(width - 2, self.glyphs)
            more = f" (1 of {len(self._alarms)})" if len(self._alarms) > 1 else ""
            out = [((" ", Ink.ALARM), *line) for line in lines]
            out.append(((f"   space acknowledges{more}", Ink.ALARM),))
        for happening in self._showing:
            out += [((" ", Ink.TEXT), *x) for x in happening.lines(width - 2, self.glyphs)]
        if self._skipped and self._showing:
            more = f" +{self._skipped} in the log"
            out[-1] = (*crop(out[-1], width - 1 - len(more)), (more, Ink.DIM))
        return out

    def _fill(self) -> None:
        """Let the next happenings have their turn."""
        if len(self._waiting) > _PATIENCE:
            weightiest = sorted(self._waiting, key=lambda h: (-h.weight, -h.at))[:_AT_ONCE]
            kept = [h for h in self._waiting if h in weightiest]
            self._skipped += len(self._waiting) - len(kept)
            self._waiting = deque(kept)
        while self._waiting and len(self._showing) < _AT_ONCE:
            self._show(self._waiting.popleft())
        if not self._showing:
            self._skipped = 0
        self.sync()
        self.post_message(self.Resized())

    def _show(self, happening: Happening) -> None:
        self._showing.append(happening)
        self.set_timer(self._seconds, partial(self._expire, happening))

    def _expire(self, happening: Happening) -> None:
        self._showing = [h for h in self._showing if h is not happening]
        self._fill()
