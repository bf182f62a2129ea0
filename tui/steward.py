"""The steward of one plan: keeps the user's directives against what the agent writes.

It owns the ledger and who is who. The states of a directive change here and nowhere else:

- `recorded` → `stored` when its value stands in the agent's store; a hold on a waiting task asks
  nothing of the store and stays `recorded`.
- `recorded`, `stored`, `delivered`, `contested`, `defied` → `acknowledged` when a snapshot that the
  agent wrote itself has the value.
- `stored`, `delivered`, `acknowledged` → `recorded` when such a snapshot has another value again:
  it will be written again. The fourth time within a minute that it was ours that was overwritten,
  it becomes `contested` instead.
- → `defied` when the agent started or finished what is vetoed or held.
- → `lapsed` when the task stays away (a veto or hold never lapses: the task may come back).
- → `restored` when the user takes it back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tui.ledger import LedgerFile, new_id
from tui.plan.binding import Binding
from tui.plan.directives import REACHED, Base, Directive, Event, Kind, Ledger, Op, State
from tui.plan.draft import Draft
from tui.plan.identity import Doubt
from tui.plan.judging import Reverts, Verdict, judge, taken_back
from tui.plan.model import Status, Task
from tui.plan.steering import Bound, stands
from tui.plan.text import neutralise
from tui.view import Alarm

_LAPSE_AFTER = 3


class Steward:
    """Who is who in the plan, what is decided about whom, and how far each decision has come.

    `notices` and `alarms` collect what the user should be told; the caller empties them. With
    `read_only` nothing is ever written, not even to the ledger.
    """

    def __init__(
        self,
        folder: Path,
        *,
        read_only: bool,
        clock: Callable[[], float],
        monotonic: Callable[[], float],
    ) -> None:
        self.file = LedgerFile(folder)
        self.ledger = Ledger()
        self.who = Binding()
        self.notices: list[str] = []
        self.alarms: list[Alarm] = []
        self._read_only = read_only
        self._clock, self._monotonic = clock, monotonic
        self._reverts = Reverts()
        self._absent: dict[str, int] = defaultdict(int)
        self._said: dict[str, Status] = {}
        self._defied: list[str] = []
        self._pending: list[Event] = []
        self._asked: set[tuple[str, str]] = set()
        self._failure = ""
        self._damaged = 0
        self._was_ours: set[str] = set()

    def refresh(self) -> bool:
        """Take in what other processes added to the ledger; returns whether it changed.

        What is new is not bound before `adopt` or `bind`: it may be about a plan not yet read.
        """
        try:
            if not self.file.changed():
                return False
            before, self.ledger = self.ledger, self.file.read()
        except OSError as error:
            self._failed("read", error)
            return False
        if self.file.damaged > self._damaged:
            lines = f"{self.file.damaged} damaged lines in {self.file.path}"
            self.notices.append(f"{lines} are left out.")
        self._damaged = self.file.damaged
        self._was_ours = {d.id for d in before.directives if d.written}
        was = {d.id: d.state for d in before.directives}
        self._defied += [
            d.id
            for d in self.ledger.directives
            if d.state is State.DEFIED and was.get(d.id, d.state) is not State.DEFIED
        ]
        return True

    def record(self, event: Event) -> None:
        """Keep one act of the user's; raises OSError with nothing kept."""
        self.ledger = self.file.append(event)
        self.bind()

    def announce(self, echo: str) -> None:
        """Let every process know the bytes that are about to be written for ours."""
        self._pending.append(Event(new_id(), Op.STATE, self._clock(), echo=echo))
        self._flush()

    def bind(self) -> None:
        """Find the tasks of what is new in the ledger among those last adopted."""
        self._ask(self.who.bind(self.ledger))
        self._relay()

    def adopt(self, tasks: Sequence[Task]) -> None:
        """Make these tasks, which carry keys, the plan that directives are bound to."""
        self._ask(self.who.adopt(tasks, self.ledger))
        self._relay()

    def heard(self, doubts: Iterable[Doubt], at: float, *, reordered: bool = False) -> None:
        """Judge by the tasks last adopted, which the agent wrote itself.

        `reordered`: those that were there before are in another order than in the store then.
        """
        self._follow()
        draft, bound = Draft(self.who.tasks), self.bound()
        for b in bound:
            d = b.directive
            if d.written and taken_back(b, draft, reordered=reordered):
                self._mark(d, settled=True)
            if d.in_force:
                self._judge(b, judge(b, draft), draft.plan, at)
        self._said = {
            b.directive.id: draft.plan[b.key].status
            for b in bound
            if b.directive.in_force and b.key in draft.plan
        }
        self._ask(doubts)
        self._flush()

    def echoed(self) -> None:
        """Note that a process of ours wrote the tasks last adopted, and may have died over it."""
        draft = Draft(self.who.tasks)
        for b in self.bound():
            if b.directive.in_force and b.directive.state is State.RECORDED and stands(b, draft):
                self._mark(b.directive, State.STORED, written=True)
        self._flush()

    def stored(self, bases: Mapping[str, Base], left: Collection[str] = ()) -> None:
        """Note that the store holds the wanted plan: what stands in it, what is given back.

        `bases` is what was overwritten in the agent's plan just now, by directive. `left` are the
        keys of tasks whose change the store could not hold.
        """
        self._follow()
        draft, bound = Draft(self.who.tasks), self.bound()
        owned = {(b.key, b.directive.kind.field) for b in bound if b.directive.in_force}
        named, subjects = self.who.name_bases(bases, new_id)
        if subjects:
            self._pending.append(Event(new_id(), Op.FOLLOW, self._clock(), subjects=subjects))
        for b in bound:
            d, here = b.directive, stands(b, draft)
            if not d.in_force:
                if not here or (b.key not in left and (b.key, d.kind.field) not in owned):
                    self._mark(d, settled=True)
            elif here or d.id in named:
                state = State.STORED if d.state is State.RECORDED and here else None
                # What we overwrite of our own is not what the agent had.
                base = None if d.written else named.get(d.id)
                if state is not None or base is not None:
                    self._mark(d, state, written=base is not None, base=base)
        self._flush()

    def replaced(self, keys: Collection[str]) -> None:
        """Let additions lapse: the tasks with these keys, their plan, are gone as a whole."""
        added = [b for b in self.bound() if b.directive.in_force and b.directive.kind is Kind.ADD]
        if set(keys) - {b.key for b in added}:
            for b in added:
                self._lapse(b.directive)
        self._flush()

    def bound(self) -> list[Bound]:
        """Return the directives that still have a say, with the keys of their tasks."""
        return self.who.bound(self.ledger)

    def bound_before(self) -> list[Bound]:
        """Return the same as it was for the plan seen before this ledger was read."""
        seen = (
            replace(d, written=True, settled=False)
            if d.id in self._was_ours and not d.in_force
            else d
            for d in self.ledger.directives
        )
        return self.who.bound(replace(self.ledger, directives=tuple(seen)))

    # -- judging -------------------------------------------------------------------------------

    def _judge(self, b: Bound, verdict: Verdict, plan: Mapping[str, Task], at: float) -> None:
        d = b.directive
        if verdict is not Verdict.MISSING:
            self._absent.pop(d.id, None)
        match verdict:
            case Verdict.KEPT:
                silent = d.kind is Kind.HOLD and d.state is State.RECORDED
                if d.state is not State.ACKNOWLEDGED and not silent:
                    self._mark(d, State.ACKNOWLEDGED)
            case Verdict.REVERTED:
                self._reverted(d, State.RECORDED if d.state in REACHED else d.state)
            case Verdict.STARTED | Verdict.FINISHED:
                self._defy(b, plan[b.key], at)
            case Verdict.MISSING:
                self._missing(d)
            case _:
                pass

    def _defy(self, b: Bound, task: Task, at: float) -> None:
        d, finished = b.directive, task.status is Status.COMPLETED
        # Each start and each finish is told once, however often the agent repeats itself.
        said = self._said.get(d.id)
        known = d.state in (State.DEFIED, State.CONTESTED)
        if not (known if said is None else said is task.status):
            self._alarm(b.key, task, d, at, finished=finished)
        if not finished:
            if d.state is not State.CONTESTED:
                self._reverted(d, State.DEFIED)
        elif d.state is not State.DEFIED:
            self._mark(d, State.DEFIED)

    def _alarm(self, key: str, task: Task, d: Directive, at: float, *, finished: bool) -> None:
        reason, content = neutralise(d.reason), neutralise(task.content)
        self.alarms.append(Alarm(key, content, d.kind, finished, reason, at))

    def _relay(self) -> None:
        """Raise the alarm for what another process heard, and overwrote before we looked."""
        plan = {t.key: t for t in self.who.tasks} if self._defied else {}
        for d in self.ledger.directives if plan else ():
            task = plan.get(self.who.subjects.get(d.subject, ""))
            if d.id in self._defied and d.in_force and task is not None:
                finished = task.status is Status.COMPLETED
                self._alarm(task.key, task, d, self._clock(), finished=finished)
                self._said[d.id] = Status.COMPLETED if finished else Status.IN_PROGRESS
        self._defied = []

    def _missing(self, d: Directive) -> None:
        self._absent[d.id] += 1
        if d.kind is Kind.ADD:
            if d.state is State.ACKNOWLEDGED:
                self._lapse(d)
            elif d.state in REACHED:
                self._reverted(d, State.RECORDED)
        elif d.kind.field != "status" and self._absent[d.id] >= _LAPSE_AFTER:
            self._lapse(d)

    def _reverted(self, d: Directive, state: State) -> None:
        """Count a revert of what was ours; the fourth within a minute ends the argument."""
        if d.written and self._reverts.enough(d.id, self._monotonic()):
            self._mark(d, State.CONTESTED)
            self.notices.append(
                f"Your {d.kind} is contested: the agent keeps overwriting it, so it is left alone. "
                "Decide again to insist."
            )
        elif d.state is not state:
            self._mark(d, state)

    def _lapse(self, d: Directive) -> None:
        self._mark(d, State.LAPSED)
        self.notices.append(f"Your {d.kind} lapsed: the task has left the plan.")

    def _ask(self, doubts: Iterable[Doubt]) -> None:
        for doubt in doubts:
            pair = (neutralise(doubt.content), neutralise(doubt.known.content))
            if pair not in self._asked:
                self._asked.add(pair)
                self.notices.append(f"Stop “{pair[0]}” too? You stopped “{pair[1]}”.")

    # -- the ledger ----------------------------------------------------------------------------

    def _follow(self) -> None:
        """Tell the ledger of new wordings, for processes that did not see the rewording."""
        if moved := self.who.moved(self.ledger):
            self._pending.append(Event(new_id(), Op.FOLLOW, self._clock(), subjects=moved))

    def _mark(
        self,
        directive: Directive,
        state: State | None = None,
        *,
        written: bool = False,
        settled: bool = False,
        base: Base | None = None,
    ) -> None:
        self._pending.append(
            Event(
                new_id(),
                Op.STATE,
                self._clock(),
                (directive.id,),
                state=state,
                base=base,
                written=written,
                settled=settled,
            )
        )

    def _flush(self) -> None:
        """Write what was noted, at once; it is our own bookkeeping, so a full disk is only told."""
        events, self._pending = self._pending, []
        if not events or self._read_only:
            return
        try:
            self.ledger = self.file.append(*events)
        except OSError as error:
            self._failed("written", error)
        else:
            self._failure = ""
            self.bind()

    def _failed(self, what: str, error: OSError) -> None:
        failure = f"The ledger cannot be {what}: {error.strerror or error} ({self.file.path})."
        if failure != self._failure:
            self.notices.append(failure)
        self._failure = failure
