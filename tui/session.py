"""One plan under watch: read its store, steer, write back, and tell what happened.

Nothing here waits or runs in the background: a caller asks it to `look` whenever something may
have changed and at `due`, and hands it the user's acts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tui.acts import Act, Outcome, Verb
from tui.deciding import Already, Desk, Refused, decide
from tui.echo import Echo, digest
from tui.host.sample import Signal
from tui.journal import Journal, Seen
from tui.ledger import new_id
from tui.pace import Pace, moment
from tui.plan.directives import State
from tui.plan.model import Plan, Task
from tui.plan.roster import Recognised
from tui.plan.steering import overwritten, steer
from tui.plan.text import neutralise
from tui.plan.transitions import Span, Transition, compare, timed
from tui.projection import Projection
from tui.steward import Steward
from tui.stores.base import Commit, Reading, Result, Snapshot, Store
from tui.view import Alarm, Health, Reach, Update, View
from tui.viewing import rows


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
        self._read_only = read_only
        self._clock, self._monotonic = clock, monotonic
        self._steward = Steward(folder, read_only=read_only, clock=clock, monotonic=monotonic)
        self._journal = Journal(folder)
        self._snapshot: Snapshot | None = None
        self._tasks: tuple[Task, ...] = ()
        self._wanted: tuple[Task, ...] = ()
        self._spans: dict[str, Span] = {}
        self._health, self._problem = Health.MISSING, ""
        self._echo, self._pace = Echo(), Pace(monotonic)
        self._failure = ""
        self._transitions: list[Transition] = []
        self._notices = list(notices)
        self._reminders: list[Alarm] = []
        self._leads_to = ""
        self._shown: View | None = None
        self._stale = True

    @property
    def due(self) -> float | None:
        """When to look again although nothing was heard, by the monotonic clock, or None."""
        return self._pace.due

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
        if act.verb is Verb.ACKNOWLEDGE:
            return self._seen(act.key)
        desk = Desk(
            self._tasks,
            self._wanted,
            self._steward.ledger,
            self._steward.who.subjects,
            new_id,
            self._clock(),
        )
        try:
            if self._read_only:
                raise Refused("This is read-only.")
            event, said = decide(act, desk)
            self._steward.record(event)
        except Refused as refusal:
            already = isinstance(refusal, Already)
            return self._outcome(str(refusal), refused=True, already=already)
        except OSError as error:
            where = self._steward.file.path
            return self._outcome(f"Not recorded: {error.strerror or error} ({where}).", lost=True)
        self._failure = ""
        self._pace.at_once()
        self._replay()
        return self._outcome(said)

    def _seen(self, key: str) -> Outcome:
        for task in self.tasks:
            if task.key == key and not self._read_only:
                self._journal.record(Seen(neutralise(task.content), self._clock()))
        return Outcome(self._update() or Update(self.view), "")

    def note(self, signals: tuple[Signal, ...]) -> None:
        """Keep what happened on the host in the journal."""
        if not self._read_only:
            self._journal.record(*signals)

    @property
    def view(self) -> View:
        """The plan as it is shown; with `read_only` as it is in the store."""
        shown = () if self._shown is None else self._shown.rows
        return View(
            rows(self.tasks, self._steward.bound(), self._spans, shown),
            self._health,
            self._problem or (f"not stored: {self._failure}" if self._failure else ""),
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
        reading: Reading | None = None
        seen = None if self._snapshot is None else self._snapshot.stamp
        if poked or self._health is not Health.OK or self.store.stamp() != seen:
            reading = self.store.read()
        # After the store: what is written by us is announced in the ledger before it is there.
        changed = self._steward.refresh()
        if changed:
            self._stale = True
        if reading is not None:
            self._judge_reading(self._same_plan(reading))
        if changed:
            self._steward.bind()

    def _same_plan(self, reading: Reading) -> Reading:
        """A link that leads elsewhere now leads to another plan, which has a ledger of its own."""
        leads_to = os.path.realpath(self.store.path)
        if self._snapshot is None:
            self._leads_to = leads_to
        elif leads_to != self._leads_to:
            problem = f"the link leads to {leads_to} now: start steerpane anew to follow it"
            return Reading(Health.NOT_A_PLAN, problem=problem)
        return reading

    def _judge_reading(self, reading: Reading) -> None:
        problem = reading.problem
        if reading.snapshot is not None:
            problem = "; ".join(reading.snapshot.notes)
        if (reading.health, problem) != (self._health, self._problem):
            self._stale = True
        self._health, self._problem = reading.health, problem
        self._pace.looked(being_written=reading.health is Health.BEING_WRITTEN)
        if reading.snapshot is not None:
            self._take(reading.snapshot)

    def _take(self, snapshot: Snapshot) -> None:
        old, self._snapshot = self._snapshot, snapshot
        if old is not None and old.raw == snapshot.raw:
            return
        self._stale = True
        self._pace.changed(self._clock() - snapshot.stamp[3] / 1e9)
        ours = self._echo.found(snapshot.raw, self._steward.ledger)
        known = self._steward.who.recognise(snapshot.tasks)
        self._hear(known, snapshot, ours=ours, first=old is None)

    def _hear(
        self, known: Recognised, snapshot: Snapshot, *, ours: bool = False, first: bool = False
    ) -> None:
        """Take in tasks with keys: what the agent says, or what another process of ours wrote."""
        steward, tasks, old = self._steward, known.tasks, self._tasks
        self._adopt(tasks)
        # What the user decided meanwhile is no doing of the agent's.
        before = steer(old, steward.bound_before())
        at = moment(snapshot.stamp, self._clock())
        if ours:
            steward.echoed()
        else:
            were, are = {t.key for t in old}, {t.key for t in tasks}
            stayed = [t.key for t in old if t.key in are]
            steward.heard(
                known.doubts, at, reordered=stayed != [t.key for t in tasks if t.key in were]
            )
            if old and tasks and not stayed:
                steward.replaced(were)
        self._time(snapshot, at, first=first)
        if first:
            self._remind()
        self._wanted = steer(tasks, steward.bound())
        if not first:
            self._transitions += compare(Plan(before), Plan(self._wanted), at, self._spans)

    def _remind(self) -> None:
        """Bring back the alarms that an earlier pane was closed on."""
        unseen = self._journal.unseen()
        if not unseen:
            return
        told = {alarm.key for alarm in self._steward.alarms}
        stopped = {b.key for b in self._steward.bound() if b.directive.state is State.DEFIED}
        for task in self._tasks:
            alarm = unseen.get(neutralise(task.content))
            if alarm is not None and task.key in stopped and task.key not in told:
                self._reminders.append(replace(alarm, key=task.key))

    def _adopt(self, tasks: tuple[Task, ...]) -> None:
        self._tasks = tasks
        self._steward.adopt(tasks)

    def _time(self, snapshot: Snapshot, at: float, *, first: bool = False) -> None:
        """Keep when each task started and ended."""
        earlier = self._journal.spans() if first else {}
        # Already under way at the first look: it started with that write or earlier.
        start = min(snapshot.stamp[3] / 1e9, self._clock()) if first else at
        self._spans = timed(self._tasks, self._spans, earlier, Span(start, exact=not first), at)

    # -- steering and writing ------------------------------------------------------------------

    def _replay(self) -> None:
        """Project the ledger onto the plan and, when the agent is quiet, onto its store."""
        self._stale = False
        self._pace.rest()
        if self._snapshot is None:
            return
        bound = self._steward.bound()
        self._wanted = steer(self._tasks, bound)
        if self._read_only or self.store.reach is Reach.WATCH_ONLY or self._health is not Health.OK:
            return
        if self._wanted == self._tasks:
            self._steward.stored(overwritten(self._tasks, bound))
        elif self._pace.may_write():
            self._write()

    def _write(self) -> None:
        project = Projection(self._steward.who, self._steward.bound())

        def write() -> Commit:
            return self.store.write(project, lambda raw: self._steward.announce(digest(raw)))

        commit = write()
        if commit.refused:
            # One decision that this store cannot hold must not keep the others out of it.
            self._not_written(commit)
            project.refused.update(commit.refused)
            commit = write()
        if commit.snapshot is None:
            self._not_written(commit)
            return
        if not project.refused:
            self._failure = ""
            self._pace.at_once()
        if project.seen.tasks != self._tasks:
            # The agent was faster: what it said is heard before our answer to it is shown. Or
            # another process of ours was, whose announcement is in the ledger by now.
            self._steward.refresh()
            unchanged = commit.result is Result.UNCHANGED
            ours = unchanged and self._echo.found(commit.snapshot.raw, self._steward.ledger)
            self._hear(project.seen, commit.snapshot, ours=ours)
        if commit.result is Result.WRITTEN:
            self._echo.wrote(self._steward.ledger)
        self._snapshot = commit.snapshot
        pairs = zip(commit.snapshot.tasks, project.wanted, strict=True)
        self._adopt(tuple(task.named(wanted.key) for task, wanted in pairs))
        self._time(commit.snapshot, moment(commit.snapshot.stamp, self._clock()))
        self._steward.stored(project.bases, project.left)
        self._wanted = steer(self._tasks, self._steward.bound())

    def _not_written(self, commit: Commit) -> None:
        self._pace.failed(busy=commit.result is Result.BUSY)
        if commit.problem and commit.problem != self._failure:
            self._failure = commit.problem
            self._notices.append(f"Recorded, but not stored: {commit.problem}")

    # -- telling -------------------------------------------------------------------------------

    def _update(self) -> Update | None:
        view = self.view
        transitions, fresh = tuple(self._transitions), tuple(self._steward.alarms)
        alarms = (*self._reminders, *fresh)
        notices = (*self._notices, *self._steward.notices)
        steward = self._steward
        for told in (self._transitions, self._notices, self._reminders):
            told.clear()
        for told in (steward.alarms, steward.notices):
            told.clear()
        if not self._read_only:
            self._journal.record(*transitions, *fresh)
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
