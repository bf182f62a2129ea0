"""`steerpane watch`: one line per transition, signal or alarm, until interrupted."""

from __future__ import annotations

import argparse
import queue
import signal
import sys
import time
from typing import Any

from tui.commands.opening import session_of, store_of
from tui.config import load
from tui.host.monitor import HostMonitor
from tui.host.sample import Sample, Signal
from tui.output import emit, happening
from tui.plan.text import neutralise
from tui.plan.transitions import Transition
from tui.telling import tell
from tui.view import Alarm, Health, Update, View
from tui.worker import PlanWorker


def watch(options: argparse.Namespace) -> int:
    """Keep the user's decisions in force and tell what happens; ends with 0 when interrupted."""
    config = load()
    store = store_of(options.path)
    worker = PlanWorker(session_of(store, read_only=options.read_only))
    host = HostMonitor([store.path.parent, *config.mounts], config.interval)
    inbox: queue.SimpleQueue[Update | tuple[Signal, ...] | None] = queue.SimpleQueue()

    def host_post(sample: Sample, signals: tuple[Signal, ...]) -> None:
        worker.note(signals)
        if signals:
            inbox.put(signals)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: inbox.put(None))
    for problem in config.problems:
        print(f"steerpane: {problem}", file=sys.stderr)  # noqa: T201
    worker.start(inbox.put)
    host.start(host_post)
    teller = _Teller(options.json)
    try:
        while (message := inbox.get()) is not None:
            teller.take(message)
    finally:
        worker.stop()
        host.stop()
    return 0


class _Teller:
    """Prints messages as they come, and the plan's health whenever it changes."""

    def __init__(self, json: bool) -> None:
        self._json = json
        self._health: tuple[Health, str] | None = None

    def take(self, message: Update | tuple[Signal, ...]) -> None:
        if isinstance(message, tuple):
            for s in message:
                self._happening(s)
            return
        self._plan(message.view)
        happenings: tuple[Alarm | Transition, ...] = (*message.alarms, *message.transitions)
        for h in happenings:
            self._happening(h)
        for notice in message.notices:
            self._line(notice, {"event": "notice", "text": notice, "at": time.time()})

    def _plan(self, view: View) -> None:
        health = (view.health, view.problem)
        if health == self._health or view.health is Health.BEING_WRITTEN:
            return
        self._health = health
        text = view.problem or str(view.health)
        if view.health is Health.OK:
            now = f", in progress: {view.current.content}" if view.current else ""
            text = f"watching {view.path}: {view.done}/{view.total} completed{now}"
        fields = {"event": "plan", "health": view.health.value, "problem": view.problem}
        self._line(text, {**fields, "path": view.path, "done": view.done, "total": view.total})

    def _happening(self, h: Transition | Alarm | Signal) -> None:
        self._line(tell(h), happening(h))

    def _line(self, text: str, fields: dict[str, Any]) -> None:
        if self._json:
            emit(fields)
        else:
            print(f"{time.strftime('%H:%M:%S')} {neutralise(text)}", flush=True)  # noqa: T201
