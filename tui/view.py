"""What a screen, a command or a script is shown of a plan: frozen values, ready to draw.

Times are seconds since the epoch. The texts of rows and alarms are neutralised; a path and the
texts of transitions are as they are in the store.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tui.plan.directives import Kind
from tui.plan.model import Priority, Status
from tui.plan.steering import Mark
from tui.plan.transitions import Transition


class Health(StrEnum):
    """How the latest look at the plan's store went."""

    OK = "ok"
    MISSING = "missing"
    BEING_WRITTEN = "being written"
    DAMAGED = "damaged"
    UNREADABLE = "unreadable"
    NOT_A_PLAN = "not a plan"


class Reach(StrEnum):
    """What becomes of an edit in a store: see DESIGN's words."""

    LIVE = "live"
    OVERWRITTEN = "overwritten"
    WATCH_ONLY = "watch-only"


@dataclass(frozen=True, slots=True)
class Row:
    """One task as it is shown.

    `position` is 1-based. `since` is when the task was seen to start, `took` how long it needed in
    seconds; `exact` is False when its start was not seen, so the time is a lower bound. `marks`
    are the user's directives on it, the weightiest first.
    """

    key: str
    position: int
    content: str
    status: Status
    priority: Priority | None = None
    marks: tuple[Mark, ...] = ()
    since: float | None = None
    took: float | None = None
    exact: bool = True
    active_form: str = ""

    @property
    def steered(self) -> Mark | None:
        """The veto or hold in force on the task, or None."""
        return next((m for m in self.marks if m.kind in (Kind.VETO, Kind.HOLD)), None)


@dataclass(frozen=True, slots=True)
class View:
    """The plan as it is shown; replaced as a whole, never changed.

    `problem` is one line on what is wrong and what to do, empty when nothing is; `good_at` is when
    the rows were last read whole, so that they can be shown with their age.
    """

    rows: tuple[Row, ...] = ()
    health: Health = Health.MISSING
    problem: str = ""
    good_at: float | None = None
    path: str = ""
    store: str = ""
    session: str = ""
    reach: Reach = Reach.OVERWRITTEN
    read_only: bool = False
    writing: str = ""

    @property
    def done(self) -> int:
        """How many tasks are completed."""
        return sum(r.status is Status.COMPLETED for r in self.rows)

    @property
    def total(self) -> int:
        """How many tasks count: all but the cancelled ones."""
        return sum(r.status is not Status.CANCELLED for r in self.rows)

    @property
    def current(self) -> Row | None:
        """The first task in progress, or None."""
        return next((r for r in self.rows if r.status is Status.IN_PROGRESS), None)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A vetoed or held task that the agent started or finished; stays until acknowledged."""

    key: str
    content: str
    kind: Kind
    finished: bool
    reason: str
    at: float

    @property
    def did(self) -> str:
        """What the agent did to it: started or finished."""
        return "finished" if self.finished else "started"

    @property
    def asked(self) -> str:
        """What the user had done to it: vetoed or held."""
        return "vetoed" if self.kind is Kind.VETO else "held"


@dataclass(frozen=True, slots=True)
class Update:
    """What one look brought: the view to show, and what happened since the last one.

    `notices` are short sentences for the user about their own acts ("recorded, but not stored:
    …"); `alarms` are new ones only.
    """

    view: View
    transitions: tuple[Transition, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    notices: tuple[str, ...] = ()
