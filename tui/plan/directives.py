"""What the user decided, as values, and how a ledger's events fold into the directives in force.

A ledger is a list of events, only ever appended to. Folding it is pure, so every process that
reads the same file sees the same truth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tui.plan.model import Priority


class Kind(StrEnum):
    """What a directive is about."""

    VETO = "veto"
    HOLD = "hold"
    PRIORITY = "priority"
    MOVE = "move"
    ADD = "add"

    @property
    def field(self) -> str:
        """The one field of a task that such a directive owns; a later one on it supersedes."""
        return {Kind.VETO: "status", Kind.HOLD: "status", Kind.MOVE: "order"}.get(self, self.value)


class State(StrEnum):
    """How far a directive has come.

    `recorded`: in the ledger. `stored`: in the agent's file now. `delivered`: handed to the agent.
    `acknowledged`: an agent's own write after that kept it. `contested`: the agent keeps
    overwriting it, so it is no longer written. `defied`: the agent started or finished what was
    vetoed or held. `restored`: taken back by the user. `lapsed`: its task left for good.
    """

    RECORDED = "recorded"
    STORED = "stored"
    DELIVERED = "delivered"
    ACKNOWLEDGED = "acknowledged"
    CONTESTED = "contested"
    DEFIED = "defied"
    RESTORED = "restored"
    LAPSED = "lapsed"


REACHED = (State.STORED, State.DELIVERED, State.ACKNOWLEDGED)
"""The states in which a directive has its way."""


@dataclass(frozen=True, slots=True)
class TaskRef:
    """A task as a ledger names it: its wording, its store id, and which of several equal ones.

    `gone`: it was none of the tasks when the plan was last seen, not even by likeness.
    """

    content: str
    id: str | None = None
    nth: int = 0
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a move or an addition goes, by subject: `before` or `after` it, else an `edge`."""

    before: str = ""
    after: str = ""
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Base:
    """What the agent itself had, in its own words, so that taking a directive back is exact."""

    status: str | None = None
    priority: str | None = None
    after: str = ""


@dataclass(frozen=True, slots=True)
class Directive:
    """One thing the user decided about one task (`subject`, a name that only the ledger uses).

    `in_force` is False once restored, undone, lapsed or superseded. `written` is True while the
    agent's file holds its value because of us; such a value is withdrawn when the directive ends.
    `settled` says that the file no longer holds it: withdrawn by us or overwritten by the agent.
    """

    id: str
    kind: Kind
    subject: str
    at: float
    reason: str = ""
    priority: Priority | None = None
    anchor: Anchor = Anchor()
    text: str = ""
    base: Base = Base()
    state: State = State.RECORDED
    in_force: bool = True
    written: bool = False
    settled: bool = False

    @property
    def to_withdraw(self) -> bool:
        """True when its value still stands in the agent's file although it has ended."""
        return not self.in_force and self.written and not self.settled


class Op(StrEnum):
    """The kinds of ledger event; the first three are acts of the user's and can be undone."""

    DECIDE = "decide"
    RESTORE = "restore"
    UNDO = "undo"
    REDO = "redo"
    STATE = "state"
    FOLLOW = "follow"


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a ledger.

    `of` names what the event is about: the directives of a restore, the act of an undo or redo,
    the directives of a state change. `subjects` carries wordings: of a new directive's tasks, or
    of reworded ones (`follow`). `written` says that the agent's file now holds the value because of
    us, in the place of `base`; `settled` that it no longer does. `echo` is the digest of the bytes
    we wrote, by which every process knows them for ours. `reason` is why something was restored.
    """

    id: str
    op: Op
    at: float
    of: tuple[str, ...] = ()
    directive: Directive | None = None
    subjects: dict[str, TaskRef] = field(default_factory=dict)
    state: State | None = None
    base: Base | None = None
    written: bool = False
    settled: bool = False
    echo: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The fold of all events: every directive in order, and what can be undone or redone.

    `echo` is the digest of the bytes we wrote last, `echo_id` the event that announced them: the
    same bytes can be written more than once.
    """

    directives: tuple[Directive, ...] = ()
    subjects: dict[str, TaskRef] = field(default_factory=dict)
    undoable: tuple[str, ...] = ()
    redoable: tuple[str, ...] = ()
    echo: str = ""
    echo_id: str = ""


def fold(events: Iterable[Event]) -> Ledger:
    """Return what a series of events amounts to; events about unknown things change nothing."""
    acts: dict[str, Event] = {}
    found: dict[str, Directive] = {}
    subjects: dict[str, TaskRef] = {}
    done: list[str] = []
    undone: list[str] = []
    echo = echo_id = ""

    def touched(act: str) -> tuple[str, ...]:
        event = acts[act]
        return event.of if event.op is Op.RESTORE else (act,)

    for event in events:
        subjects.update(event.subjects)
        if event.echo:
            echo, echo_id = event.echo, event.id
        if event.id in acts:
            continue
        match event.op:
            case Op.DECIDE if event.directive is not None:
                acts[event.id] = event
                found[event.id] = event.directive
                done.append(event.id)
                undone.clear()
            case Op.RESTORE:
                acts[event.id] = event
                done.append(event.id)
                undone.clear()
                _begin_again(found, event.of)
            case Op.UNDO | Op.REDO:
                source, target = (done, undone) if event.op is Op.UNDO else (undone, done)
                for act in event.of:
                    if act in source:
                        source.remove(act)
                        target.append(act)
                        _begin_again(found, touched(act))
            case Op.STATE:
                for name in event.of:
                    if name in found:
                        found[name] = _advance(found[name], event)
            case _:
                pass
    ended = {name for act in done if acts[act].op is Op.RESTORE for name in acts[act].of}
    return Ledger(
        tuple(_in_force(found, ended, frozenset(done))),
        subjects,
        tuple(done),
        tuple(undone),
        echo,
        echo_id,
    )


def _begin_again(found: dict[str, Directive], names: Iterable[str]) -> None:
    """A directive that ended or came back has its way through the states before it again."""
    for name in names:
        if name in found:
            found[name] = replace(found[name], state=State.RECORDED, settled=False)


def _advance(directive: Directive, event: Event) -> Directive:
    if event.settled:
        return replace(directive, settled=True, written=False)
    return replace(
        directive,
        state=directive.state if event.state is None else event.state,
        base=directive.base if event.base is None else event.base,
        written=directive.written or event.written,
        settled=False,
    )


def _in_force(
    found: dict[str, Directive], ended: set[str], done: frozenset[str]
) -> Iterable[Directive]:
    """Decide which directives hold: the latest per subject and field that nothing took back."""
    latest: dict[tuple[str, str], str] = {}
    for name, directive in found.items():
        if name in done and name not in ended and directive.state is not State.LAPSED:
            latest[directive.subject, directive.kind.field] = name
    for name, directive in found.items():
        if directive.state is State.LAPSED:
            yield replace(directive, in_force=False)
        elif name in ended or name not in done:
            yield replace(directive, in_force=False, state=State.RESTORED)
        else:
            holds = latest[directive.subject, directive.kind.field] == name
            # One that was superseded, and withdrawn, begins again when it comes back.
            again = holds and directive.settled and directive.state in REACHED
            state = State.RECORDED if again else directive.state
            yield replace(directive, in_force=holds, state=state)
