"""Story time while the story is told: it runs at each step's own rate and stops at its end."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from tui.demo.story import IDLE_RATE, LEAD_IN, Progress, Step, Work


class StoryClock:
    """Turns real seconds into story seconds, and remembers the work; safe across threads.

    It stands still until the agent opens the story. Within a step it never runs past the step's
    end, however late the agent wakes up, so every telling passes through the same figures.
    """

    def __init__(
        self,
        speed: float = 1.0,
        progress: Progress | None = None,
        real: Callable[[], float] = time.monotonic,
    ) -> None:
        """Stand at `progress`; raises ValueError for a speed that is not a positive number."""
        if not (math.isfinite(speed) and speed > 0):
            raise ValueError(f"speed must be a positive number, not {speed}")
        self._speed = speed
        self._real = real
        self._lock = threading.Lock()
        self._progress = progress or Progress()
        self._anchor = real()
        self._rate = 0.0
        self._limit = math.inf

    def progress(self) -> Progress:
        """How far the telling is right now."""
        with self._lock:
            return self._settle()

    def left(self) -> float:
        """Real seconds until the lead-in or the step that runs is over."""
        with self._lock:
            return (self._limit - self._settle().now) / self._rate if self._rate else 0.0

    def open(self) -> None:
        """Run through what is left of the lead-in."""
        with self._lock:
            self._run(LEAD_IN.rate, max(0.0, self._settle().now))

    def begin(self, step: Step) -> None:
        """Work on a step until it is complete; what was done of it earlier counts."""
        with self._lock:
            progress = self._settle()
            if progress.current is None or progress.current.step != step:
                works = (*self._lay_down().works, Work(step, progress.now))
                self._progress = progress = replace(progress, works=works)
            # A reopened task is complete already: then there is nothing to wait for.
            rest = max(0.0, step.duration - progress.effort(step))
            self._run(step.rate, progress.now + rest)

    def stop(self) -> None:
        """Lay down the work that goes on, done or not, and stand still."""
        with self._lock:
            self._settle()
            self._lay_down()
            self._run(0.0, math.inf)

    def finish(self) -> None:
        """Complete the step that runs, which may be a hair's breadth from its end."""
        with self._lock:
            self._settle()
            self._progress = replace(self._progress, now=self._limit)
            self._lay_down()
            self._run(0.0, math.inf)

    def idle(self) -> None:
        """Let time pass without work."""
        with self._lock:
            self._settle()
            self._lay_down()
            self._run(IDLE_RATE, math.inf)

    def _settle(self) -> Progress:
        real = self._real()
        now = self._progress.now + (real - self._anchor) * self._rate
        self._anchor = real
        self._progress = replace(self._progress, now=min(now, self._limit))
        return self._progress

    def _lay_down(self) -> Progress:
        progress = self._progress
        if progress.current is not None:
            work = replace(progress.current, ended=progress.now)
            self._progress = replace(progress, works=(*progress.works[:-1], work))
        return self._progress

    def _run(self, rate: float, limit: float) -> None:
        self._rate = rate * self._speed
        self._limit = limit
