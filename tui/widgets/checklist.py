"""The plan as a live checklist."""

from __future__ import annotations

from textual import events
from textual.message import Message

from tui.plan.text import neutralise
from tui.settings import ScreenSettings
from tui.view import Health, Row, View
from tui.widgets.ink import Ink, Line, measure, wrap
from tui.widgets.listing import FOLD, Cursor, Tally, listed, neighbour
from tui.widgets.painted import Painted
from tui.widgets.rowlook import Look
from tui.widgets.wording import health

_WRAPPED = (3, 2)
"""How many lines the text of a task may take while the whole plan still fits."""
_TINY = 4
"""Up to this height the task under the cursor is shown without a neighbour."""


class Checklist(Painted, can_focus=True):
    """Every task in one line; in up to three while the whole plan fits on the pane."""

    class Selected(Message):
        """The cursor is on another task, or its task has changed."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._view: View | None = None
        self._where: dict[str, int] = {}
        self._shown: list[int] = []
        self._shown_set: set[int] = set()
        self._hits: list[int] = []
        self._top = 0
        self._tally = Tally()
        self._cursor = Cursor()
        self.needle = ""
        self.folded = settings.fold_completed
        self.asked: dict[str, str] = {}

    @property
    def rows(self) -> tuple[Row, ...]:
        """The tasks of the latest view."""
        return self._view.rows if self._view else ()

    @property
    def selected(self) -> Row | None:
        """The task under the cursor, or None when no task is shown."""
        index = self._where.get(self._cursor.key)
        return None if index is None or index not in self._shown_set else self.rows[index]

    @property
    def matches(self) -> int:
        """How many tasks the filter lets through."""
        return len(self._shown)

    def neighbour(self, step: int) -> Row | None:
        """Return the task that the selected one would jump when moved by a step."""
        index = self._where.get(self._cursor.key)
        return None if index is None else neighbour(self.rows, index, step)

    def latest(self, row: Row) -> Row:
        """Return a task as it is by now, or the row itself when the task has left the plan."""
        index = self._where.get(row.key)
        return row if index is None else self.rows[index]

    def show(self, view: View, tally: Tally) -> None:
        """Take over a new view; the cursor stays on its task."""
        was, self._view = self._where, view
        self._where = {row.key: index for index, row in enumerate(view.rows)}
        self._tally = tally
        current = tally.current
        at = self._cursor.key
        self._cursor.adapt(current.key if current else "", view.rows, self._where, was)
        self._relist(ahead=self._cursor.key != at)

    def set_filter(self, needle: str) -> None:
        """Show only the tasks with these words, or all for none."""
        self.needle = needle
        self._relist()

    def toggle_fold(self) -> None:
        """Fold the completed tasks into one line, or unfold them."""
        self.folded = not self.folded
        self._relist()

    def ask(self, key: str, what: str) -> None:
        """Show at once that something was asked for, until `answered`."""
        self.asked[key] = what
        self.sync()

    def answered(self) -> None:
        """Take back what `ask` has put on the rows; the view tells the outcome."""
        self.asked.clear()

    def go(self, step: int) -> None:
        """Move the cursor by so many tasks, as far as there are any."""
        shown = [index for index in self._shown if index != FOLD]
        if not shown:
            return
        index = self._where.get(self._cursor.key, -1)
        at = shown.index(index) if index in self._shown_set else 0
        target = shown[max(0, min(len(shown) - 1, at + step))]
        self._cursor.place(self.rows[target].key)
        self._reveal()
        self.sync()
        self.post_message(self.Selected())

    def page(self, share: float) -> None:
        """Move the cursor by a share of the pane's height."""
        step = max(1, round(abs(share) * (self.size.height - 1)))
        self.go(step if share > 0 else -step)

    def on_click(self, event: events.Click) -> None:
        """Select the task that was clicked."""
        if event.y < len(self._hits) and (index := self._hits[event.y]) != FOLD:
            self._cursor.place(self.rows[index].key)
            self.sync()
            self.post_message(self.Selected())

    def on_mouse_scroll_down(self) -> None:
        """Go on by three tasks."""
        self.go(3)

    def on_mouse_scroll_up(self) -> None:
        """Go back by three tasks."""
        self.go(-3)

    def fit(self) -> None:
        """Keep the cursor in sight in the new size."""
        self._reveal(ahead=self._cursor.following)

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the visible part of the list."""
        if not self._shown:
            return self._nothing(width)
        look = Look(width, self.glyphs, self.clock(), self._tally.mixed)
        if len(self._shown) <= height:
            for limit in _WRAPPED:
                blocks = [self._block(index, look, limit) for index in self._shown]
                if sum(map(len, blocks)) <= height:
                    self._hits = [i for i, b in zip(self._shown, blocks, strict=True) for _ in b]
                    return [line for block in blocks for line in block]
        self._hits = self._shown[self._top : self._top + height]
        lines = [self._block(index, look, 1)[0] for index in self._hits]
        return self._with_thumb(lines, height) if len(self._shown) > height else lines

    def _relist(self, ahead: bool = False) -> None:
        self._shown = listed(self.rows, self.needle, self.folded and not self.needle)
        self._shown_set = set(self._shown)
        index = self._where.get(self._cursor.key)
        if self._shown and index not in self._shown_set:
            near = min(
                (i for i in self._shown if i != FOLD),
                key=lambda i: abs(i - (index or 0)),
                default=None,
            )
            if near is not None:
                self._cursor.place(self.rows[near].key)
        self._reveal(ahead)
        self.sync()
        self.post_message(self.Selected())

    def _reveal(self, ahead: bool = False) -> None:
        """Scroll as little as brings the cursor's task and its neighbours into the pane.

        With `ahead`, scroll so far that most of what is seen is still to come.
        """
        height = self.size.height
        if not height:
            return
        index = self._where.get(self._cursor.key)
        if index is not None and index in self._shown_set:
            at = self._shown.index(index)
            margin = 1 if height > _TINY else 0
            below = height * 2 // 3 if ahead else margin
            if at + below >= self._top + height:
                self._top = at + below - height + 1
            self._top = min(self._top, at - margin)
        self._top = max(0, min(self._top, len(self._shown) - height))

    def _block(self, index: int, look: Look, limit: int) -> list[Line]:
        if index == FOLD:
            text = f"{self._tally.done} completed"
            return [((f" {self.glyphs.completed} ", Ink.GOOD), (text, Ink.DIM))]
        row = self.rows[index]
        return look.lines(row, self.asked.get(row.key, ""), row.key == self._cursor.key, limit)

    def _with_thumb(self, lines: list[Line], height: int) -> list[Line]:
        """Show in the last cell of the lines which part of the list they are."""
        total = len(self._shown)
        size = max(1, height * height // total)
        first = (height - size) * self._top // max(1, total - height)
        width = self.size.width
        out = list(lines)
        for y in range(first, min(first + size, len(out))):
            line = out[y]
            pad = width - 1 - sum(measure(text) for text, _ in line)
            out[y] = (*line, (" " * pad, Ink.TEXT), (self.glyphs.thumb, Ink.FAINT))
        return out

    def _nothing(self, width: int) -> list[Line]:
        """Return why there is nothing to see, in friendly words."""
        view = self._view
        if view is None:
            head, body = f"Looking for the plan{self.glyphs.ellipsis}", ""
        elif view.rows:
            head, body = "No task matches.", f"Filter: {self.needle}. Esc shows all tasks again."
        elif view.health is Health.OK:
            head, body = "The plan is empty.", "Tasks appear here as soon as the agent lists them."
        elif view.health is Health.MISSING:
            head = f"Waiting for a plan{self.glyphs.ellipsis}"
            body = view.problem or "It appears here as soon as the agent writes it."
            path = neutralise(view.path)
            body += "" if path in body else f" {path}"
        else:
            head, body = f"The plan is {health(view.health, self.glyphs)}.", view.problem
        more = self.glyphs.ellipsis
        lines: list[Line] = [()] if self.size.height > 4 else []
        lines += [((f" {text}", Ink.STRONG),) for text in wrap(head, width - 2, 2, more)]
        if body:
            lines += [((f" {text}", Ink.DIM),) for text in wrap(body, width - 2, 6, more)]
        return lines
