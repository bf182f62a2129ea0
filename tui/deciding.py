"""From what the user asks for to the ledger event that records it, or to why it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from tui.acts import Act, Edge, Place, Verb
from tui.plan.directives import Anchor, Base, Directive, Event, Kind, Ledger, Op, State, TaskRef
from tui.plan.model import Status, Task
from tui.plan.roster import refs
from tui.plan.text import neutralise

MAX_TEXT = 4_000


class Refused(Exception):
    """The act makes no sense on the plan as it is; the message tells the user why."""


class Already(Refused):
    """What is asked for is so already."""


@dataclass(frozen=True, slots=True)
class Desk:
    """All that a decision rests on.

    `tasks` are the agent's, `wanted` the same as steered (what the user looks at), `subjects`
    maps the ledger's subjects to keys, `new_id` makes names, `now` is seconds since the epoch.
    """

    tasks: tuple[Task, ...]
    wanted: tuple[Task, ...]
    ledger: Ledger
    subjects: Mapping[str, str]
    new_id: Callable[[], str]
    now: float

    def task(self, key: str) -> Task:
        """Return the task as the user sees it, or refuse."""
        for task in self.wanted:
            if task.key == key:
                return task
        raise Refused("That task is no longer in the plan.")

    def on(self, key: str, *kinds: Kind) -> list[Directive]:
        """Return the directives in force on a task, of the given kinds."""
        return [
            d
            for d in self.ledger.directives
            if d.in_force and d.kind in kinds and self.subjects.get(d.subject) == key
        ]


def decide(act: Act, desk: Desk) -> tuple[Event, str]:
    """Return the event to record and a short sentence for the user; raises Refused."""
    match act.verb:
        case Verb.UNDO | Verb.REDO:
            return _step(act.verb, desk)
        case Verb.ADD:
            return _add(act, desk)
        case Verb.RESTORE:
            kinds = (Kind.VETO, Kind.HOLD, Kind.PRIORITY, Kind.MOVE)
            # A task of the user's own, about which nothing else is decided, is taken out again.
            return _restore(act, desk, *(kinds if desk.on(act.key, *kinds) else (Kind.ADD,)))
        case Verb.RELEASE:
            return _restore(act, desk, Kind.HOLD)
        case Verb.PRIORITY if act.priority is None:
            return _restore(act, desk, Kind.PRIORITY)
        case Verb.VETO | Verb.HOLD:
            return _stop(act, desk)
        case Verb.PRIORITY:
            task = _open(act, desk, "prioritise")
            if task.priority is act.priority:
                raise Already(f"It is {act.priority} already.")
            return _directive(act, desk, Kind.PRIORITY), f"Priority {act.priority}: {task.content}"
        case Verb.MOVE:
            task = _open(act, desk, "move")
            placed = replace(act, place=_destination(act, desk))
            return _directive(placed, desk, Kind.MOVE), f"Moved: {task.content}"
        case Verb.ACKNOWLEDGE:
            raise Refused("That decides nothing.")


def _open(act: Act, desk: Desk, verb: str) -> Task:
    task = desk.task(act.key)
    if task.status is Status.COMPLETED:
        raise Refused(f"It is completed already: there is nothing to {verb}.")
    if task.status is Status.CANCELLED and act.verb is Verb.PRIORITY:
        raise Refused("It is cancelled: restore it before you prioritise it.")
    return task


def _stop(act: Act, desk: Desk) -> tuple[Event, str]:
    kind = Kind.VETO if act.verb is Verb.VETO else Kind.HOLD
    task = _open(act, desk, kind.value)
    same = desk.on(act.key, kind)
    insists = any(d.state.value in ("contested", "defied") for d in same)
    if same and not insists and act.reason in ("", same[-1].reason):
        raise Already("It is vetoed already." if kind is Kind.VETO else "It is held already.")
    vetoed = desk.on(act.key, Kind.VETO)
    if task.status is Status.CANCELLED and not vetoed:
        raise Refused(f"The agent has cancelled it: there is nothing to {kind.value}.")
    said = "Vetoed" if kind is Kind.VETO else "Held"
    return _directive(act, desk, kind), f"{said}: {task.content}"


def _directive(act: Act, desk: Desk, kind: Kind) -> Event:
    subjects: dict[str, TaskRef] = {}
    subject = _subject(act.key, desk, subjects)
    directive = Directive(
        desk.new_id(),
        kind,
        subject,
        desk.now,
        reason=act.reason.strip()[:MAX_TEXT],
        priority=act.priority if kind is Kind.PRIORITY else None,
        anchor=_anchor(act.place, desk, subjects) if kind is Kind.MOVE else Anchor(),
        base=_base(act.key, kind, desk, subjects),
    )
    return Event(directive.id, Op.DECIDE, desk.now, directive=directive, subjects=subjects)


def _add(act: Act, desk: Desk) -> tuple[Event, str]:
    text = neutralise(act.text)
    if not text:
        raise Refused("There is no text to add.")
    if len(text) > MAX_TEXT:
        raise Refused(f"The text is longer than {MAX_TEXT} characters.")
    if any(t.content == text for t in desk.wanted):
        raise Refused("The plan has a task with that very text.")
    subject = desk.new_id()
    subjects = {subject: TaskRef(text)}
    directive = Directive(
        desk.new_id(),
        Kind.ADD,
        subject,
        desk.now,
        priority=act.priority,
        anchor=_anchor(act.place, desk, subjects),
        text=text,
    )
    event = Event(directive.id, Op.DECIDE, desk.now, directive=directive, subjects=subjects)
    return event, f"Added: {text}"


def _restore(act: Act, desk: Desk, *kinds: Kind) -> tuple[Event, str]:
    task = desk.task(act.key)
    if not desk.on(act.key, *kinds):
        raise Refused("You have decided nothing about it that could be taken back.")
    # What these took the place of ends with them: it must not come back in their stead.
    fields = {kind.field for kind in kinds}
    names = tuple(
        d.id
        for d in desk.ledger.directives
        if d.kind.field in fields
        and desk.subjects.get(d.subject) == act.key
        and d.state not in (State.RESTORED, State.LAPSED)
    )
    said = "Released" if kinds == (Kind.HOLD,) else "Restored"
    event = Event(desk.new_id(), Op.RESTORE, desk.now, of=names, reason=act.reason.strip())
    return event, f"{said}: {task.content}"


def _step(verb: Verb, desk: Desk) -> tuple[Event, str]:
    ledger = desk.ledger
    stack = ledger.undoable if verb is Verb.UNDO else ledger.redoable
    if not stack:
        raise Refused(f"There is nothing to {verb.value}.")
    op = Op.UNDO if verb is Verb.UNDO else Op.REDO
    said = next((f": {d.kind}" for d in ledger.directives if d.id == stack[-1]), ": restore")
    said = ("Undone" if verb is Verb.UNDO else "Redone") + said + "."
    return Event(desk.new_id(), op, desk.now, of=(stack[-1],)), said


def _subject(key: str, desk: Desk, subjects: dict[str, TaskRef]) -> str:
    """Return the ledger's name for a task, a new one if nothing was decided about it so far."""
    for subject, bound in desk.subjects.items():
        if bound == key:
            return subject
    ref = refs(desk.tasks, {key}).get(key)
    if ref is not None:
        subject = desk.new_id()
        subjects[subject] = ref
        return subject
    raise Refused("That task is not in the agent's plan yet.")


def _destination(act: Act, desk: Desk) -> Place:
    """Return where a move goes, with a second neighbour where the first alone would not do."""
    place = act.place
    if place is None or act.key in (place.before, place.after):
        raise Refused("There is nowhere to move it.")
    here = next(i for i, t in enumerate(desk.wanted) if t.key == act.key)
    others = [t for t in desk.wanted if t.key != act.key]
    waiting = (i for i, t in enumerate(others) if t.status is Status.PENDING)
    if place.after:
        there = others.index(desk.task(place.after)) + 1
        if there < here and not place.before:
            # It is behind that task already: it is to be right behind it.
            place = replace(place, before=others[there].key)
    elif place.before:
        there = others.index(desk.task(place.before))
        if there > here:
            place = replace(place, after=others[there - 1].key)
    else:
        there = next(waiting, here) if place.edge is Edge.FIRST else len(others)
    if there == here or (place.edge is Edge.FIRST and here < there):
        raise Already("It is there already.")
    return place


def _anchor(place: Place | None, desk: Desk, subjects: dict[str, TaskRef]) -> Anchor:
    if place is None:
        return Anchor(edge="last")
    return Anchor(
        before=_subject(place.before, desk, subjects) if place.before else "",
        after=_subject(place.after, desk, subjects) if place.after else "",
        edge=place.edge.value if place.edge else "",
    )


def _base(key: str, kind: Kind, desk: Desk, subjects: dict[str, TaskRef]) -> Base:
    """Return what the agent itself has in the field, looking through our own earlier values."""
    earlier: Iterable[Directive] = (
        d
        for d in desk.ledger.directives
        if d.kind.field == kind.field
        and desk.subjects.get(d.subject) == key
        and (d.written and not d.settled)
    )
    first = next(iter(earlier), None)
    if first is not None:
        return first.base
    at = next((i for i, t in enumerate(desk.tasks) if t.key == key), None)
    if at is None:
        return Base()  # an addition that is not in the store yet
    task = desk.tasks[at]
    match kind.field:
        case "status":
            return Base(status=task.raw_status or task.status.value)
        case "priority":
            return Base(priority=task.raw_priority)
        case _:
            return Base(after=_subject(desk.tasks[at - 1].key, desk, subjects) if at else "")
