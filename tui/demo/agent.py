"""A scripted agent that works through its plan file as a polite coding agent does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from tui.demo.clock import StoryClock
from tui.demo.planfile import Todo, content_of, read, rewrite, status_in
from tui.demo.story import step_for
from tui.plan.model import Status

TICK = 0.2
"""Real seconds between two looks at the plan: how fast a veto stops the work that goes on."""


class ScriptedAgent:
    """Works on the tasks in the file's order, and reads the file again before every move.

    A cancelled task is skipped, or stopped when it is being worked on; a task that the user added
    is worked on like any other. When nothing is left the agent idles, with an eye on the file.
    """

    def __init__(
        self,
        path: Path,
        clock: StoryClock,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        """Work on the plan at `path`; `wait` passes real seconds and says whether to stop."""
        self._path = path
        self._clock = clock
        self._stop = threading.Event()
        self._wait = wait or self._stop.wait
        self._thread = threading.Thread(target=self.run, name="demo agent", daemon=True)

    def start(self) -> None:
        """Begin to work, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Lay the work down, at once; harmless when it never began."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)

    def run(self) -> None:
        """Work until told to stop, in the caller's thread."""
        self._clock.open()
        self._pause(self._clock.left())
        done: str | None = None
        while not self._stop.is_set():
            try:
                task = self._move_on(done)
            except (OSError, ValueError):
                # Half-written, or gone for a moment: the plan is not ours alone.
                self._pause(TICK)
                continue
            done = None
            if task is None:
                self._clock.idle()
                self._pause(TICK)
            elif self._work(task):
                done = task
        self._clock.stop()

    def _pause(self, seconds: float) -> None:
        if self._wait(seconds):
            self._stop.set()

    def _move_on(self, done: str | None) -> str | None:
        """Report what is done, take up the next task in one write, and return its content."""

        def change(todos: list[Todo]) -> list[Todo]:
            moved = list(todos)
            if done is not None:
                _set(moved, done, Status.IN_PROGRESS, Status.COMPLETED)
            if not any(status_in(each) is Status.IN_PROGRESS for each in moved):
                _set(moved, None, Status.PENDING, Status.IN_PROGRESS)
            return moved

        todos = rewrite(self._path, change)
        return next((content_of(t) for t in todos if status_in(t) is Status.IN_PROGRESS), None)

    def _work(self, task: str) -> bool:
        """Work on a task to its end and return True; False when it was stopped."""
        self._clock.begin(step_for(task))
        last = False
        while not last:
            left = self._clock.left()
            last = left <= TICK
            self._pause(min(TICK, left))
            if self._stop.is_set() or not self._wanted(task):
                self._clock.stop()
                return False
        self._clock.finish()
        return True

    def _wanted(self, task: str) -> bool:
        try:
            todos = read(self._path)
        except (OSError, ValueError):
            return True
        return any(
            content_of(each) == task and status_in(each) is Status.IN_PROGRESS for each in todos
        )


def _set(todos: list[Todo], content: str | None, old: Status, new: Status) -> None:
    """Move the first task that stands at `old` to `new`; content None: whichever it is."""
    for place, each in enumerate(todos):
        if status_in(each) is old and content in (None, content_of(each)):
            todos[place] = {**each, "status": new.value}
            return
