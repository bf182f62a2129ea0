"""Disks and GPUs at a steady pace, from one thread that never waits long for any answer."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tui.crash import keep
from tui.host.probe import reap
from tui.host.sample import Sample, Signal
from tui.host.signals import Signals
from tui.host.sources import Sources

# How long a look waits for its answers before the sample is posted with what there is.
_COLLECT = 0.5
_STOP_WITHIN = 0.04
_AFTER_FAILURE = 10.0


class HostMonitor:
    """The real host as a feed; `paths` are the plan's folder and whatever else the user named.

    Looks every `interval` seconds. An answer that comes late brings a sample of its own.
    """

    def __init__(self, paths: Sequence[Path], interval: float = 2.0, *, gpus: bool = True) -> None:
        self._make = partial(Sources, paths, gpus=gpus)
        self._sources = self._make()
        self._interval = interval
        self._thread: threading.Thread | None = None
        self._alive = self._wake = -1

    def start(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        """Begin; `post` is called from another thread with each sample and its signals."""
        self._wake, self._alive = os.pipe()
        self._thread = threading.Thread(
            target=self._run, args=(post,), name="host monitor", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End at once; a probe that hangs is left alone, never waited for."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        alive, self._alive = self._alive, -1
        os.close(alive)
        if thread is not threading.current_thread():
            thread.join(_STOP_WITHIN)

    def _run(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        try:
            while self._alive >= 0:
                try:
                    self._look_until_stopped(post)
                except Exception as error:
                    # Figures that stand still would pass for fresh ones: say it, and begin anew.
                    self._sources.close()
                    self._sources = self._make()
                    post(
                        Sample(time.time(), gpu_problem=f"not looking at the host: {keep(error)}"),
                        (),
                    )
                    select.select([self._wake], [], [], _AFTER_FAILURE)
        finally:
            self._sources.close()
            os.close(self._wake)
            _reap_briefly()

    def _look_until_stopped(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        sources, signals = self._sources, Signals()
        look = time.monotonic()
        collecting = False
        while self._alive >= 0:
            now = time.monotonic()
            if now >= look:
                sources.ask(now)
                collecting, until = True, now + _COLLECT
                look = max(look + self._interval, now)
            heard = sources.hear((until if collecting else look) - now, self._wake)
            now = time.monotonic()
            if collecting:
                due = now >= until or not sources.waiting(now, _COLLECT)
                collecting = not due
            else:
                due = heard
            if due and self._alive >= 0:
                sample = sources.sample(now, time.time())
                post(sample, signals.feed(sample))


def look(paths: Sequence[Path], *, gpus: bool = True, timeout: float = 2.0) -> Sample:
    """Return one sample after all answers or `timeout` seconds, whichever comes first."""
    sources = Sources(paths, gpus=gpus, patience=0.0)
    started = now = time.monotonic()
    sources.ask(now)
    try:
        while sources.waiting(now, timeout) and now - started < timeout:
            sources.hear(started + timeout - now)
            now = time.monotonic()
        return sources.sample(now, time.time())
    finally:
        sources.close()
        _reap_briefly()


def _reap_briefly() -> None:
    """Give killed children the moment they need to end, so that no zombies stay behind."""
    patience = time.monotonic() + _STOP_WITHIN / 2
    while not reap() and time.monotonic() < patience:
        time.sleep(0.002)
