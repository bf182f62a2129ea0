"""One plan under watch: read its store, steer, write back, and tell what happened.

Nothing here waits or runs in the background: a caller asks it to `look` whenever something may
have changed and at `due`, and hands it the user's acts.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tui.acts import Act
from tui.deciding import Already, Desk, Refused, decide
from tui.host.sample import Signal
from tui.journal import Journal
from tui.ledger import new_id
from tui.plan.identity import Doubt
from tui.plan.model import Plan, Status, Task
from tui.plan.steering import steer
from tui.plan.text import neutralise
from tui.plan.transitions import Span, Transition, compare
from tui.steward import Steward
from tui.stores.base import Commit, Result, Snapshot, Store
from tui.view import Health, Reach, Update, View
from tui.viewing import rows

QUIET = 0.15
"""Seconds without a write of the agent's before its store is written to."""
_RETRY_BUSY, _RETRY_FAILED = (0.3, 5.0), (5.0, 60.0)
_BEING_WRITTEN = 0.1
_CLOCK_SLACK = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an act.

    `said` is one sentence for the user. `refused`: it makes no sense on this plan, or (`already`)
    it is so already. `recorded` is False then, and when the ledger could not be written.
    `unstored` is why it is recorded but not in the store, empty when it is.
    """

    update: Update
    said: str
    recorded: bool = True
    refused: bool = False
    already: bool = False
    unstored: str = ""


class Session:
    """The flow from store to view and from act to store; not thread-safe."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        *,
        read_only: bool = False,
        notices: tuple[str, ...] = (),
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self.due: float | None = None
        self._read_only = read_only
        self._clock, self._monotonic = clock, monotonic
        self._steward = Steward(folder, read_only=read_only, clock=clock, monotonic=monotonic)
        self._journal = Journal(folder)
        self._snapshot: Snapshot | None = None
        self._tasks: tuple[Task, ...] = ()
        self._wanted: tuple[Task, ...] = ()
        self._spans: dict[str, Span] = {}
        self._health, self._problem = Health.MISSING, ""
        self._quiet_from = 0.0
        self._retry_from = 0.0
        self._failures = 0
        self._failure = ""
        self._transitions: list[Transition] = []
        self._notices = list(notices)
        self._shown: View | None = None
        self._stale = True

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks as the user sees them, with their keys."""
        return self._tasks if self._read_only else self._wanted

    def look(self, *, poked: bool = False) -> Update | None:
        """Look at the store and the ledger, write if it is time to; None when nothing changed.

        `poked` reads the store even if its stamp is the same, as after two writes of equal length
        within one tick of the file system's clock.
        """
        again = self.due is not None and self.due <= self._monotonic()
        self._read(poked)
        if not self._stale and not again:
            return None
        self._replay()
        return self._update()

    def act(self, act: Act) -> Outcome:
        """Record one act, and store it at once if the agent's store is quiet."""
        self._read()
        desk = Desk(
            self._tasks,
            self._wanted,
            self._steward.ledger,
            self._steward.subjects,
            new_id,
            self._clock(),
        )
        try:
            event, said = decide(act, desk)
            self._steward.record(event)
        except Refused as refusal:
            already = isinstance(refusal, Already)
            return self._outcome(str(refusal), refused=True, already=already)
        except OSError as error:
            where = self._steward.file.path
            return self._outcome(f"Not recorded: {error.strerror or error} ({where}).", lost=True)
        self._failures, self._failure, self._retry_from = 0, "", 0.0
        self._replay()
        return self._outcome(said)

    def note(self, signals: tuple[Signal, ...]) -> None:
        """Keep what happened on the host in the journal."""
        if not self._read_only:
            self._journal.record(*signals)

    @property
    def view(self) -> View:
        """The plan as it is shown; with `read_only` as it is in the store."""
        return View(
            rows(self.tasks, self._steward.bound(), self._spans),
            self._health,
            self._problem,
            None if self._snapshot is None else self._snapshot.at,
            str(self.store.path),
            self.store.name,
            self.store.session,
            self.store.reach,
            self._read_only,
            self.store.writing,
        )

    @property
    def unstored(self) -> str:
        """Why the store lags behind what the user decided, empty when it does not."""
        if self._wanted == self._tasks:
            return ""
        if self._failure:
            return self._failure
        if self._read_only:
            return "this is read-only"
        if self.store.reach is Reach.WATCH_ONLY:
            return "this agent keeps its plan where nothing can be written back"
        if self._health is not Health.OK:
            return self._problem or f"the plan is {self._health}"
        return "the agent is writing just now"

    def close(self) -> None:
        """Let go of the journal, so that another process can go on with it."""
        self._journal.close()

    # -- reading -------------------------------------------------------------------------------

    def _read(self, poked: bool = False) -> None:
        """Take in a new snapshot and a changed ledger, if there are any."""
        if self._steward.refresh():
            self._stale = True
        seen = None if self._snapshot is None else self._snapshot.stamp
        if not poked and self._health is Health.OK and self.store.stamp() == seen:
            return
        self.due = None
        reading = self.store.read()
        problem = reading.problem
        if reading.snapshot is not None:
            problem = "; ".join(reading.snapshot.notes)
        if (reading.health, problem) != (self._health, self._problem):
            self._stale = True
        self._health, self._problem = reading.health, problem
        if reading.snapshot is not None:
            self._take(reading.snapshot)
        elif reading.health is Health.BEING_WRITTEN:
            self._wake(_BEING_WRITTEN)

    def _take(self, snapshot: Snapshot) -> None:
        old, self._snapshot = self._snapshot, snapshot
        if old is not None and old.raw == snapshot.raw:
            return
        self._stale = True
        age = max(0.0, self._clock() - snapshot.stamp[3] / 1e9)
        self._quiet_from = self._monotonic() + max(0.0, QUIET - age)
        self._retry_from = 0.0
        known = self._steward.roster.recognise(snapshot.tasks)
        if self._steward.ledger.echo == digest(snapshot.raw):
            self._adopt(known.tasks, snapshot, first=old is None)
            self._wanted = steer(self._tasks, self._steward.bound())
        else:
            self._hear(known.tasks, snapshot, first=old is None, doubts=known.doubts)

    def _hear(
        self,
        tasks: tuple[Task, ...],
        snapshot: Snapshot,
        *,
        first: bool,
        doubts: tuple[Doubt, ...] = (),
    ) -> None:
        """Take in what the agent wrote: tasks with keys."""
        before, at = self._wanted, _moment(snapshot, self._clock())
        self._steward.heard(tasks, doubts, at)
        if before and tasks and not {t.key for t in before} & {t.key for t in tasks}:
            self._steward.replaced()
        self._adopt(tasks, snapshot, first=first)
        self._wanted = steer(tasks, self._steward.bound())
        if not first:
            self._transitions += compare(Plan(before), Plan(self._wanted), at, self._spans)

    def _adopt(self, tasks: tuple[Task, ...], snapshot: Snapshot, *, first: bool) -> None:
        """Make these tasks what is in the store now, and keep when each started and ended."""
        self._tasks = tasks
        self._steward.adopt(tasks)
        at = _moment(snapshot, self._clock())
        known = self._journal.spans() if first else {}
        spans: dict[str, Span] = {}
        for task in tasks:
            span = self._spans.get(task.key) or known.get(task.content)
            if task.status is Status.IN_PROGRESS:
                if span is None or span.end is not None:
                    # Already under way at the first look: it started with that write or earlier.
                    start = min(snapshot.stamp[3] / 1e9, self._clock()) if first else at
                    span = Span(start, exact=not first)
            elif span is not None and span.end is None:
                span = None if task.status is Status.PENDING else replace(span, end=at)
            if span is not None:
                spans[task.key] = span
        self._spans = spans

    # -- steering and writing ------------------------------------------------------------------

    def _replay(self) -> None:
        """Project the ledger onto the plan and, when the agent is quiet, onto its store."""
        self._stale = False
        if self._snapshot is None:
            return
        self.due = None
        self._wanted = steer(self._tasks, self._steward.bound())
        if self._read_only or self.store.reach is Reach.WATCH_ONLY or self._health is not Health.OK:
            return
        if self._wanted == self._tasks:
            self._steward.stored(self._tasks)
            return
        wait = max(self._quiet_from, self._retry_from) - self._monotonic()
        if wait > 0:
            self._wake(wait)
        else:
            self._write()

    def _write(self) -> None:
        seen: tuple[Task, ...] = ()
        wanted: tuple[Task, ...] = ()
        bound = self._steward.bound()
        refused: set[int] = set()

        def project(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
            nonlocal seen, wanted
            seen = self._steward.roster.recognise(tasks).tasks
            wanted = tuple(
                seen[t.origin] if t.origin is not None and t.origin in refused else t
                for t in steer(seen, bound)
            )
            return wanted

        def write() -> Commit:
            return self.store.write(project, lambda raw: self._steward.announce(digest(raw)))

        commit = write()
        if commit.refused:
            # One decision that this store cannot hold must not keep the others out of it.
            self._not_written(commit)
            refused.update(commit.refused)
            commit = write()
        if commit.snapshot is None:
            self._not_written(commit)
            return
        if not refused:
            self._failures, self._failure = 0, ""
        if seen != self._tasks:
            # The agent was faster: what it said is heard before our answer to it is shown.
            self._hear(seen, commit.snapshot, first=False)
        self._snapshot = commit.snapshot
        keys = [task.key for task in wanted]
        tasks = tuple(
            replace(task, key=key) for task, key in zip(commit.snapshot.tasks, keys, strict=True)
        )
        self._adopt(tasks, commit.snapshot, first=False)
        self._steward.stored(tasks)
        self._wanted = steer(tasks, self._steward.bound())

    def _not_written(self, commit: Commit) -> None:
        low, high = _RETRY_BUSY if commit.result is Result.BUSY else _RETRY_FAILED
        wait = min(high, low * 2 ** min(self._failures, 6))
        self._failures += 1
        self._retry_from = self._monotonic() + wait
        self._wake(wait)
        if commit.problem and commit.problem != self._failure:
            self._failure = commit.problem
            self._notices.append(f"Recorded, but not stored: {commit.problem}")

    def _wake(self, seconds: float) -> None:
        at = self._monotonic() + seconds
        self.due = at if self.due is None else min(self.due, at)

    # -- telling -------------------------------------------------------------------------------

    def _update(self) -> Update | None:
        view = self.view
        transitions, alarms = tuple(self._transitions), tuple(self._steward.alarms)
        notices = (*self._notices, *self._steward.notices)
        for told in (self._transitions, self._notices, self._steward.alarms, self._steward.notices):
            told.clear()
        if not self._read_only:
            self._journal.record(*transitions, *alarms)
        if view == self._shown and not (transitions or alarms or notices):
            return None
        self._shown = view
        return Update(view, transitions, alarms, notices)

    def _outcome(
        self, said: str, *, refused: bool = False, already: bool = False, lost: bool = False
    ) -> Outcome:
        said = neutralise(said)
        self._notices.insert(0, said)
        update = self._update()
        assert update is not None
        kept = not refused and not lost
        return Outcome(update, said, kept, refused, already, self.unstored if kept else "")


def digest(raw: bytes) -> str:
    """Return the short digest by which bytes we wrote are known again."""
    return hashlib.sha256(raw).hexdigest()[:16]


def _moment(snapshot: Snapshot, now: float) -> float:
    """When the agent wrote it: the file's own time, unless its clock cannot be meant."""
    written = snapshot.stamp[3] / 1e9
    return written if 0.0 <= now - written < _CLOCK_SLACK else now
