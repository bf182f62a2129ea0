"""The steward of one plan: keeps the user's directives against what the agent writes.

It owns the ledger and the roster. The states of a directive change here and nowhere else:

- `recorded` → `stored` when its value stands in the agent's store; a hold on a waiting task asks
  nothing of the store and stays `recorded`.
- `recorded`, `stored`, `delivered`, `contested`, `defied` → `acknowledged` when a snapshot that the
  agent wrote itself has the value.
- `stored`, `delivered`, `acknowledged` → `recorded` when such a snapshot has another value again:
  it will be written again. The fourth time within a minute it becomes `contested` instead.
- → `defied` when the agent started or finished what is vetoed or held.
- → `lapsed` when the task stays away (a veto or hold never lapses: the task may come back).
- → `restored` when the user takes it back.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tui.ledger import LedgerFile, new_id
from tui.plan.directives import Directive, Event, Kind, Ledger, Op, State
from tui.plan.identity import Doubt
from tui.plan.model import Status, Task
from tui.plan.roster import Roster, refs
from tui.plan.steering import Bound, Verdict, judge, stands
from tui.plan.text import neutralise
from tui.view import Alarm

_REVERTS, _REVERTS_WITHIN = 4, 60.0
_LAPSE_AFTER = 3
_REACHED = (State.STORED, State.DELIVERED, State.ACKNOWLEDGED)


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
        self.subjects: dict[str, str] = {}
        self.roster = Roster()
        self.notices: list[str] = []
        self.alarms: list[Alarm] = []
        self._read_only = read_only
        self._clock, self._monotonic = clock, monotonic
        self._tasks: Sequence[Task] = ()
        self._reverts: dict[str, deque[float]] = defaultdict(deque)
        self._absent: dict[str, int] = defaultdict(int)
        self._said: dict[str, Status] = {}
        self._pending: list[Event] = []
        self._failure = ""

    def refresh(self) -> bool:
        """Take in what other processes added to the ledger; returns whether it changed."""
        if not self.file.changed():
            return False
        self.ledger = self.file.read()
        if self.file.damaged:
            self.notices.append(
                f"{self.file.damaged} damaged lines in {self.file.path} are left out."
            )
        self._bind()
        return True

    def record(self, event: Event) -> None:
        """Keep one act of the user's; raises OSError with nothing kept."""
        self.ledger = self.file.append(event)
        self._bind()

    def announce(self, echo: str) -> None:
        """Let every process know the bytes that are about to be written for ours."""
        self._note(Event(new_id(), Op.STATE, self._clock(), echo=echo))
        self._flush()

    def adopt(self, tasks: Sequence[Task]) -> None:
        """Make these tasks, which carry keys, the plan that directives are bound to."""
        self._tasks = tasks
        self._bind()
        self._remember()

    def heard(self, tasks: Sequence[Task], doubts: Iterable[Doubt], at: float) -> None:
        """Take in a snapshot that the agent wrote itself: follow its wording, judge by it."""
        self.adopt(tasks)
        self._follow()
        plan, order = {t.key: t for t in tasks}, [t.key for t in tasks]
        for b in self.bound():
            if b.directive.in_force:
                self._judge(b, judge(b, plan, order), plan, at)
            elif b.key not in plan or not stands(b, plan[b.key], order):
                self._mark(b.directive, settled=True)
        self._said = {k: plan[k].status for k in self._guarded() if k in plan}
        for doubt in doubts:
            self._ask(doubt)
        self._flush()

    def stored(self, tasks: Sequence[Task]) -> None:
        """Note that the store holds the wanted plan: what stands in it, what is given back."""
        plan, order = {t.key: t for t in tasks}, [t.key for t in tasks]
        for b in self.bound():
            d, here = b.directive, b.key in plan and stands(b, plan[b.key], order)
            if d.in_force and here and d.state is State.RECORDED:
                self._mark(d, State.STORED, written=True)
            elif d.in_force and here and not d.written:
                self._mark(d, written=True)
            elif not d.in_force and not here:
                self._mark(d, settled=True)
        self._flush()

    def replaced(self) -> None:
        """Let additions lapse: the plan they were made to is gone as a whole."""
        for d in self.ledger.directives:
            if d.in_force and d.kind is Kind.ADD:
                self._lapse(d)
        self._flush()

    def bound(self) -> list[Bound]:
        """Return the directives that still have a say, with the keys of their tasks."""
        key = self.subjects.get
        return [
            Bound(
                d,
                key(d.subject, f"a{d.id}"),
                key(d.anchor.before, ""),
                key(d.anchor.after, ""),
                key(d.base.after, ""),
            )
            for d in self.ledger.directives
            if d.in_force or d.to_withdraw
        ]

    # -- who is who ----------------------------------------------------------------------------

    def _bind(self) -> None:
        fresh = {s: r for s, r in self.ledger.subjects.items() if s not in self.subjects}
        if not fresh or not self._tasks:
            return
        guarded = {
            d.subject for d in self.ledger.directives if d.in_force and d.kind.field == "status"
        }
        found, doubts = self.roster.bind(fresh, guarded, self._tasks)
        self.subjects |= found
        self._remember()
        for doubt in doubts:
            self._ask(doubt)

    def _remember(self) -> None:
        self.roster.adopt(self._tasks, self._guarded(), self.subjects.values())

    def _guarded(self) -> set[str]:
        return {
            self.subjects[d.subject]
            for d in self.ledger.directives
            if d.in_force and d.kind.field == "status" and d.subject in self.subjects
        }

    def _follow(self) -> None:
        """Tell the ledger of new wordings, for processes that did not see the rewording."""
        if not self.subjects:
            return
        now = {t.key: ref for t, ref in zip(self._tasks, refs(self._tasks), strict=True)}
        moved = {
            subject: now[key]
            for subject, key in self.subjects.items()
            if key in now and now[key] != self.ledger.subjects.get(subject)
        }
        if moved:
            self._note(Event(new_id(), Op.FOLLOW, self._clock(), subjects=moved))

    def _ask(self, doubt: Doubt) -> None:
        new, old = neutralise(doubt.content), neutralise(doubt.known.content)
        self.notices.append(f"Is “{new}” the “{old}” that you stopped? Stop it again if so.")

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
            case Verdict.REVERTED if d.state in _REACHED:
                self._reverted(d, State.RECORDED)
            case Verdict.STARTED | Verdict.FINISHED:
                self._defied(b, plan[b.key], at)
            case Verdict.MISSING:
                self._missing(d)
            case _:
                pass

    def _defied(self, b: Bound, task: Task, at: float) -> None:
        d, finished = b.directive, task.status is Status.COMPLETED
        known = d.state in (State.DEFIED, State.CONTESTED)
        # Each start and each finish is told once, however often the agent repeats itself.
        told = known and self._said.get(b.key, task.status) is task.status
        if not told:
            self.alarms.append(
                Alarm(
                    b.key,
                    neutralise(task.content),
                    d.kind,
                    finished,
                    neutralise(d.reason),
                    at,
                )
            )
        if finished:
            if d.state is not State.DEFIED:
                self._mark(d, State.DEFIED)
        elif d.state is not State.CONTESTED:
            self._reverted(d, State.DEFIED)

    def _missing(self, d: Directive) -> None:
        self._absent[d.id] += 1
        if d.kind is Kind.ADD:
            if d.state is State.ACKNOWLEDGED:
                self._lapse(d)
            elif d.state in _REACHED:
                self._reverted(d, State.RECORDED)
        elif d.kind.field != "status" and self._absent[d.id] >= _LAPSE_AFTER:
            self._lapse(d)

    def _reverted(self, d: Directive, state: State) -> None:
        """Count a revert; the fourth within a minute ends the argument."""
        now, times = self._monotonic(), self._reverts[d.id]
        times.append(now)
        while times[0] < now - _REVERTS_WITHIN:
            times.popleft()
        if len(times) >= _REVERTS:
            times.clear()
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

    # -- the ledger ----------------------------------------------------------------------------

    def _mark(
        self,
        directive: Directive,
        state: State | None = None,
        *,
        written: bool = False,
        settled: bool = False,
    ) -> None:
        self._note(
            Event(
                new_id(),
                Op.STATE,
                self._clock(),
                (directive.id,),
                state=state,
                written=written,
                settled=settled,
            )
        )

    def _note(self, event: Event) -> None:
        self._pending.append(event)

    def _flush(self) -> None:
        """Write what was noted, at once; it is our own bookkeeping, so a full disk is only told."""
        events, self._pending = self._pending, []
        if not events or self._read_only:
            return
        try:
            self.ledger = self.file.append(*events)
        except OSError as error:
            failure = f"The ledger cannot be written: {error.strerror or error}."
            if failure != self._failure:
                self.notices.append(failure)
            self._failure = failure
        else:
            self._failure = ""
            self._bind()
