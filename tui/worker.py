"""The plan feed: a session in a thread of its own, poked by file events and by the user's acts."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tui.acts import Act
from tui.host.sample import Signal
from tui.plan.text import neutralise
from tui.session import Session
from tui.view import Health, Update, View

_HEARTBEAT = 1.0
"""Seconds between looks when nothing was heard: the ledger may have grown in another process."""

_SETTLE = 0.3
"""Seconds that a screen is given for its first paint."""
_POKE = object()
_Message = Act | tuple[Signal, ...] | object | None


class PlanWorker:
    """Runs one session; `act` and the file watcher only ever put something into its queue."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._inbox: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self._poked = threading.Event()
        self._stopped = threading.Event()
        self._posting = threading.Lock()
        self._post: Callable[[Update], None] | None = None
        self._early: list[Update] = []
        self._view = View()
        self._failure = ""
        # Daemons: a file system that hangs must not keep the program from ending.
        self._runner = threading.Thread(target=self._run, name="plan", daemon=True)
        self._watcher = threading.Thread(target=self._watch, name="plan watcher", daemon=True)

    def begin(self) -> None:
        """Read the plan already, while whoever will show it is still starting."""
        if self._runner.ident is None:
            self._runner.start()

    def start(self, post: Callable[[Update], None]) -> None:
        """Begin to watch; `post` is called with what is known already, then from the worker."""
        self.begin()
        with self._posting:
            for update in self._early:
                post(update)
            self._post = post
        self._watcher.start()

    def act(self, act: Act) -> None:
        """Hand over one act of the user's."""
        self._inbox.put(act)

    def note(self, signals: tuple[Signal, ...]) -> None:
        """Have what happened on the host kept in the plan's journal."""
        if signals:
            self._inbox.put(signals)

    def poke(self) -> None:
        """Ask for a look at the store; asking again before it was taken changes nothing."""
        if not self._poked.is_set():
            self._poked.set()
            self._inbox.put(_POKE)

    def stop(self) -> None:
        """Ask both threads to end; they are not waited for."""
        self._stopped.set()
        self._inbox.put(None)

    def join(self, seconds: float) -> None:
        """Wait a little for the threads to end after a stop."""
        for thread in (self._runner, self._watcher):
            if thread.ident is not None:
                thread.join(seconds)

    def _watch(self) -> None:
        # What it imports would compete with the first paint; it pokes when it begins.
        if not self._stopped.wait(_SETTLE):
            from tui.watching.watch import watch

            watch(self._session.store.path, self.poke, self._stopped)

    def _run(self) -> None:
        session = self._session
        self._attempt(session.look)
        while True:
            wait = _HEARTBEAT
            if session.due is not None:
                wait = max(0.0, min(wait, session.due - time.monotonic()))
            try:
                message = self._inbox.get(timeout=wait)
            except queue.Empty:
                self._attempt(session.look)
                continue
            if message is None:
                session.close()
                return
            if isinstance(message, Act):
                self._attempt(partial(self._acted, message))
            elif isinstance(message, tuple):
                self._attempt(partial(session.note, message))
            else:
                self._poked.clear()
                self._attempt(partial(session.look, poked=True))

    def _acted(self, act: Act) -> Update:
        return self._session.act(act).update

    def _attempt(self, step: Callable[[], Update | None]) -> None:
        """Take a step and tell what it brought; one that fails is told and does not end the rest.

        Without that a mistake of ours would leave a pane that looks well and shows an old plan.
        """
        try:
            update = step()
            if self._failure:
                update = update or Update(self._session.view)
        except Exception as error:
            self._failed(error)
            return
        self._failure = ""
        self._tell(update)

    def _failed(self, error: Exception) -> None:
        failure = repr(error)
        if failure != self._failure:
            from tui.crash import keep

            self._failure = failure
            problem = neutralise(keep(error))
            self._tell(Update(replace(self._view, health=Health.UNREADABLE, problem=problem)))
        # What is due stays due, and must not be tried again and again without a pause.
        self._stopped.wait(_HEARTBEAT)

    def _tell(self, update: Update | None) -> None:
        if update is None or self._stopped.is_set():
            return
        self._view = update.view
        with self._posting:
            if self._post is None:
                self._early.append(update)
            else:
                self._post(update)
