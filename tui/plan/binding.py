"""Which task of the plan each subject of a ledger is, and what its directives ask of the plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tui.plan.directives import Base, Kind, Ledger, TaskRef
from tui.plan.identity import Doubt
from tui.plan.model import Task
from tui.plan.roster import Recognised, Roster, refs
from tui.plan.steering import Bound


class Binding:
    """The subjects of one ledger, bound to the keys of the tasks last adopted.

    `subjects` maps them to keys and only ever grows: who a subject is, is decided once.
    """

    def __init__(self) -> None:
        self.subjects: dict[str, str] = {}
        self.tasks: Sequence[Task] = ()
        self._roster = Roster()

    def recognise(self, tasks: Sequence[Task]) -> Recognised:
        """Give each task of a snapshot the key of the known task that it is, or a fresh one."""
        return self._roster.recognise(tasks)

    def adopt(self, tasks: Sequence[Task], ledger: Ledger) -> tuple[Doubt, ...]:
        """Make these tasks, which carry keys, the plan that subjects are bound to."""
        self.tasks = tasks
        self._remember(ledger)
        return self.bind(ledger)

    def bind(self, ledger: Ledger) -> tuple[Doubt, ...]:
        """Bind the subjects that are new in a ledger; returns what could not be told for sure."""
        fresh = {s: r for s, r in ledger.subjects.items() if s not in self.subjects}
        if not fresh or not self.tasks:
            return ()
        guarded = {d.subject for d in ledger.directives if d.in_force and d.kind.field == "status"}
        unborn = {d.subject for d in ledger.directives if d.kind is Kind.ADD and not d.written}
        found, doubts = self._roster.bind(fresh, guarded, self.tasks, unborn)
        self.subjects |= found
        self._remember(ledger)
        return doubts

    def bound(self, ledger: Ledger) -> list[Bound]:
        """Return the directives that still have a say, with the keys of their tasks."""
        key = self.subjects.get
        out: list[Bound] = []
        held: set[tuple[str, str]] = set()
        moved: set[str] = set()
        for d in reversed(ledger.directives):
            if not (d.in_force or d.to_withdraw):
                continue
            task = key(d.subject, f"a{d.id}")
            if d.in_force and (task, d.kind.field) in held:
                # Two processes named the same task at once: the latest word on it counts.
                d = replace(d, in_force=False)
                if not d.to_withdraw:
                    continue
            out.append(
                Bound(
                    d,
                    task,
                    key(d.anchor.before, ""),
                    key(d.anchor.after, ""),
                    key(d.base.after, ""),
                    frozenset(moved) if d.kind is Kind.MOVE else frozenset(),
                )
            )
            if d.in_force:
                held.add((task, d.kind.field))
                if d.kind is Kind.MOVE:
                    moved.add(task)
        out.reverse()
        return out

    def guarded(self, ledger: Ledger) -> set[str]:
        """Return the keys of the tasks under a veto or hold."""
        return {
            self.subjects[d.subject]
            for d in ledger.directives
            if d.in_force and d.kind.field == "status" and d.subject in self.subjects
        }

    def moved(self, ledger: Ledger) -> dict[str, TaskRef]:
        """Return how the tasks are named now whose names in the ledger are out of date."""
        if not self.subjects:
            return {}
        contents = {ref.content for ref in ledger.subjects.values()}
        now = refs(self.tasks, frozenset(self.subjects.values()), contents)
        many = Counter(ref.content for ref in now.values())
        out: dict[str, TaskRef] = {}
        for subject, key in self.subjects.items():
            named, ref = ledger.subjects.get(subject), now.get(key)
            if ref is None and named is not None:
                # An equal one may go by its name now.
                ref = replace(named, gone=True, nth=max(named.nth, many[named.content]))
            if ref is not None and ref != named:
                out[subject] = ref
        return out

    def name_bases(
        self, bases: Mapping[str, Base], new_id: Callable[[], str]
    ) -> tuple[dict[str, Base], dict[str, TaskRef]]:
        """Return bases whose `after` is a key with a subject in its place, and the new subjects."""
        names = {key: subject for subject, key in self.subjects.items()}
        keys = {b.after for b in bases.values()} - names.keys()
        fresh: dict[str, TaskRef] = {}
        for key, ref in refs(self.tasks, keys).items() if keys else ():
            if key in keys:
                names[key] = subject = new_id()
                self.subjects[subject] = key
                fresh[subject] = ref
        named = {name: replace(b, after=names.get(b.after, "")) for name, b in bases.items()}
        return named, fresh

    def _remember(self, ledger: Ledger) -> None:
        self._roster.adopt(self.tasks, self.guarded(ledger), self.subjects.values())
