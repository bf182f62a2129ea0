"""The lines above the plan: how far it is, what is being done, and what is wrong."""

from __future__ import annotations

from pathlib import PurePath

from tui.plan.text import neutralise
from tui.settings import ScreenSettings
from tui.view import Health, View
from tui.widgets.ink import Ink, Line, bar, clip, fill, length, measure, wrap
from tui.widgets.listing import Tally
from tui.widgets.painted import Painted
from tui.widgets.wording import REACH, health, running, took


class Header(Painted):
    """Title or trouble, progress, and the task in progress, in one to five lines."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._view: View | None = None
        self._tally = Tally()

    def show(self, view: View, tally: Tally) -> None:
        """Take over a new view."""
        self._view = view
        self._tally = tally
        self.sync()

    def wanted(self, width: int) -> int:
        """Return how many lines would show everything."""
        return len(self._all(width)) if self._view else 1

    def draw(self, width: int, height: int) -> list[Line]:
        """Return as many of the lines as there is room for, the most telling ones."""
        if self._view is None:
            return [((" steerpane", Ink.HEAD),)]
        if height >= 4 or not self._the_view.rows:
            return self._all(width)[:height]
        trouble = self._trouble(width, 1)
        now = self._current(width)
        if height == 1:
            return trouble or [self._compact(width)]
        lines = [self._progress(width), *(trouble or ([now] if now else []))]
        if height == 3:
            lines = [*(trouble or [self._title(width)]), self._progress(width)]
            lines += [now] if now else []
        return lines

    def _all(self, width: int) -> list[Line]:
        now = self._current(width)
        return [
            *(self._trouble(width, 3) or [self._title(width)]),
            *([self._progress(width)] if self._the_view.rows else []),
            *([now] if now else []),
            ((self.glyphs.rule * width, Ink.RULE),),
        ]

    def _title(self, width: int) -> Line:
        view = self._the_view
        right = "read-only" if view.read_only else REACH[view.reach]
        name = PurePath(neutralise(view.path)).name or "steerpane"
        store = f" {self.glyphs.dot} {view.store}" if view.store else ""
        if measure(name + store) + measure(right) + 3 > width:
            store = ""
        room = width - 3 - measure(right) - measure(store)
        if room < 8:
            return ((f" {clip(name, width - 2, self.glyphs.ellipsis)}", Ink.HEAD),)
        left: Line = (
            (f" {clip(name, room, self.glyphs.ellipsis)}", Ink.HEAD),
            (store, Ink.DIM),
        )
        return fill(left, ((right, Ink.WARN if view.read_only else Ink.DIM),), width - 1)

    def _progress(self, width: int) -> Line:
        count = self._tally.progress
        share = self._tally.done / self._tally.total if self._tally.total else 0.0
        room = width - measure(count) - 3
        ink = Ink.GOOD if self._tally.finished else Ink.ACCENT
        return (
            (f" {count} ", Ink.STRONG),
            *bar(share, max(1, room), self.glyphs.full, self.glyphs.empty, ink),
        )

    def _current(self, width: int) -> Line:
        view = self._the_view
        row = self._tally.current
        if row is None and (against := self._tally.against) is not None:
            # The file says what the user decided; what the agent is doing is another matter.
            text = f"! the agent started: {against.content}"
            return ((f" {clip(text, width - 2, self.glyphs.ellipsis)}", Ink.BAD),)
        if row is None:
            finished = self._tally.finished
            text = "all done" if finished else "nothing in progress" if view.rows else ""
            return ((f" {text}", Ink.GOOD if finished else Ink.DIM),) if text else ()
        time = took(row, self.clock(), self.glyphs)
        room = width - 4 - measure(time) - (1 if time else 0)
        left: Line = (
            (f" {self.glyphs.running} ", Ink.ACCENT),
            (clip(row.content, room, self.glyphs.ellipsis), Ink.STRONG),
        )
        return fill(left, ((time, Ink.ACCENT),), width - 1)

    def _compact(self, width: int) -> Line:
        count: Line = ((f" {self._tally.progress}", Ink.STRONG),)
        return (*count, *self._current(width - length(count)))

    def _trouble(self, width: int, limit: int) -> list[Line]:
        """Return what is wrong with the plan's store and how old the shown rows are."""
        view = self._the_view
        # Without any task the plan's own pane says it, and at more length.
        if not view.rows:
            return []
        if view.health is Health.OK:
            lines = wrap(view.problem, width - 2, limit, self.glyphs.ellipsis)
            return [((f" {line}", Ink.WARN),) for line in lines if view.problem]
        mild = view.health is Health.BEING_WRITTEN
        gone = view.health is Health.MISSING
        text = "the plan is gone" if gone else health(view.health, self.glyphs)
        if view.good_at is not None:
            text += f", last good {running(self.clock() - view.good_at)} ago"
        # What is over in a moment must not push the list down.
        if limit > 1 and view.problem and not mild:
            text += f": {view.problem}"
        count = f"{self._tally.progress} " if limit == 1 and self.size.height == 1 else ""
        ink = Ink.WARN if mild else Ink.BAD
        lines = wrap(f"{count}! {text}", width - 2, limit, self.glyphs.ellipsis)
        return [((f" {line}", ink),) for line in lines]

    @property
    def _the_view(self) -> View:
        assert self._view is not None
        return self._view
