"""What the person at the keyboard can ask for; the same for keys and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tui.plan.model import Priority


class Verb(StrEnum):
    """The acts of steering."""

    VETO = "veto"
    HOLD = "hold"
    RELEASE = "release"
    RESTORE = "restore"
    PRIORITY = "priority"
    MOVE = "move"
    ADD = "add"
    UNDO = "undo"
    REDO = "redo"


class Edge(StrEnum):
    """Where a move or an addition goes when it is not told by a neighbour."""

    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the plan, always relative: before a task, after a task (by key), or an edge."""

    before: str = ""
    after: str = ""
    edge: Edge | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """One thing the user asks for; `key` names the task, `text` the content of an added one.

    `priority` None with the verb `priority` takes the user's priority back.
    """

    verb: Verb
    key: str = ""
    reason: str = ""
    priority: Priority | None = None
    place: Place | None = None
    text: str = ""
