"""What the person at the keyboard can ask for, and what becomes of it; for keys and commands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tui.plan.model import Priority
from tui.view import Update


class Verb(StrEnum):
    """The acts of steering, and that an alarm was seen."""

    VETO = "veto"
    HOLD = "hold"
    RELEASE = "release"
    RESTORE = "restore"
    PRIORITY = "priority"
    MOVE = "move"
    ADD = "add"
    UNDO = "undo"
    REDO = "redo"
    ACKNOWLEDGE = "acknowledge"


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
