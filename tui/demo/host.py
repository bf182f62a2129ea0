"""The simulated host: samples drawn from the telling's progress, at a steady pace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from tui.demo.clock import StoryClock
from tui.demo.disks import disks
from tui.demo.gpus import gpus
from tui.demo.story import Progress
from tui.host.sample import Sample, Signal

Detect = Callable[[Sample], tuple[Signal, ...]]
"""What finds the signals in one sample after another."""


def no_signals(_: Sample) -> tuple[Signal, ...]:
    """A detector that finds nothing."""
    return ()


def sample(progress: Progress, at: float) -> Sample:
    """The whole host at one point of the telling, dated `at`."""
    return Sample(at=at, disks=disks(progress, at), gpus=gpus(progress, at))


class DemoHost:
    """The `HostFeed` of the demo; `interval` is real seconds between samples."""

    def __init__(
        self,
        clock: StoryClock,
        detect: Detect = no_signals,
        interval: float = 1.0,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Show what `clock` says, dated by `wall`."""
        self._clock = clock
        self._detect = detect
        self._interval = interval
        self._wall = wall
        self._stop = threading.Event()

    def start(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        """Begin; `post` is called from another thread, the first time at once."""
        threading.Thread(target=self._run, args=(post,), name="demo host", daemon=True).start()

    def stop(self) -> None:
        """End, without waiting for a `post` that is under way: it may be waiting for the caller."""
        self._stop.set()

    def _run(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        while not self._stop.is_set():
            now = sample(self._clock.progress(), self._wall())
            post(now, self._detect(now))
            self._stop.wait(self._interval)
