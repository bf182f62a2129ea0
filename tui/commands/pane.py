"""`steerpane` and `steerpane demo`: the pane itself."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import termios
from collections.abc import Callable
from dataclasses import replace

from tui.commands.failure import Code, Failure
from tui.commands.opening import session_of, store_of
from tui.config import Config, load
from tui.feeds import HostFeed
from tui.host.sample import Sample, Signal
from tui.paths import plan_dir
from tui.startup import defer_collection
from tui.worker import PlanWorker

_SLOWEST, _FASTEST = 0.01, 1000.0
_PACE = 5.0
"""How much faster the demo's host moves than a real one, for what counts as an end of something."""


def pane(options: argparse.Namespace) -> int:
    """Open the pane on the plan that is meant."""
    defer_collection()
    config = _config(options)
    store = store_of(options.path)
    session = session_of(store, read_only=options.read_only, notices=config.problems)
    worker = PlanWorker(session)
    from tui.host.monitor import HostMonitor

    return _open(worker, HostMonitor([store.path.parent, *config.mounts], config.interval), config)


def demo(options: argparse.Namespace) -> int:
    """Open the pane on the deployment story."""
    from tui.demo.run import Demo
    from tui.host.signals import Signals

    config = _config(options)
    if not _SLOWEST <= options.speed <= _FASTEST:
        raise Failure(Code.USAGE, f"--speed must be from {_SLOWEST} to {_FASTEST:g}")
    with Demo(options.speed, detect=Signals(pace=_PACE * options.speed).feed) as story:
        store = store_of(str(story.plan_path))
        worker = PlanWorker(session_of(store, read_only=False, notices=config.problems))
        story.start()
        try:
            return _open(worker, story.host, config)
        finally:
            worker.stop()
            worker.join(1.0)
            # The plan will never be seen again: what was decided about it goes with it.
            shutil.rmtree(plan_dir(store.name, store.path, store.session), ignore_errors=True)


def _config(options: argparse.Namespace) -> Config:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure(
            Code.USAGE,
            "the pane needs a terminal; `steerpane status` and `steerpane watch` do without",
        )
    config = load()
    screen = config.screen
    if options.theme is not None:
        screen = replace(screen, theme=options.theme)
    if options.ascii:
        screen = replace(screen, ascii=True)
    return replace(config, screen=screen)


def _open(worker: PlanWorker, host: HostFeed, config: Config) -> int:
    worker.begin()
    # Over a slow link every byte counts, and Textual reads this once, when it is imported.
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    from tui.app import SteerpaneApp

    app = SteerpaneApp(worker, _Noted(host, worker), config.screen)
    before = termios.tcgetattr(sys.stdin)
    try:
        app.open()
    finally:
        # After a SIGSTOP the app takes its own raw mode for the one to go back to.
        with contextlib.suppress(termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
    return app.return_code or 0


class _Noted:
    """A host feed whose signals are kept in the plan's journal too."""

    def __init__(self, host: HostFeed, worker: PlanWorker) -> None:
        self._host, self._worker = host, worker
        self.stop = host.stop

    def start(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        """Begin; every signal goes into the journal on its way."""

        def note(sample: Sample, signals: tuple[Signal, ...]) -> None:
            self._worker.note(signals)
            post(sample, signals)

        self._host.start(note)
