"""The acts of steering: each key asks what must be asked and hands over one act."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from textual.screen import Screen

from tui.acts import Act, Edge, Place, Verb
from tui.plan.model import Priority, Status
from tui.plan.steering import Kind, Mark, State
from tui.view import Row, View
from tui.widgets.prompt import Question


def _overruled(mark: Mark) -> bool:
    """True when the agent went against a decision, so that deciding again means to insist."""
    return mark.state in (State.CONTESTED, State.DEFIED)


_LADDER = (Priority.LOW, Priority.MEDIUM, Priority.HIGH)


class SteeringScreen(Screen[None]):
    """What the keys do to the plan; where things are shown is up to the subclass."""

    @property
    @abstractmethod
    def selected(self) -> Row | None:
        """The task under the cursor."""

    @property
    @abstractmethod
    def view(self) -> View:
        """The latest view of the plan."""

    @abstractmethod
    def neighbour(self, step: int) -> Row | None:
        """Return the task that the selected one would jump."""

    @abstractmethod
    def perform(self, act: Act, hint: str) -> None:
        """Hand an act over, and show at once that it is under way."""

    @abstractmethod
    def tell(self, notice: str) -> None:
        """Show a short notice."""

    @abstractmethod
    def ask(self, question: Question) -> None:
        """Put a question."""

    def _subject(self) -> Row | None:
        """Return the task to act on, or None after having said why there is none."""
        if self._refused():
            return None
        if self.selected is None:
            self.tell("No task is selected.")
        return self.selected

    def _refused(self) -> bool:
        if self.view.read_only:
            self.tell("Read-only: nothing was changed. Start without --read-only to steer.")
        return self.view.read_only

    def _sure(self, row: Row, what: str, then: Callable[[], None]) -> None:
        """Ask for one more key when the agent is at work on the task."""
        if row.status is not Status.IN_PROGRESS:
            then()
            return
        answers = {"y": f"{what} it anyway"}
        text = f"The agent is working on this now: {row.content}"
        self.ask(Question(text, lambda _: then(), answers=answers))

    def action_veto(self) -> None:
        """Veto the task, with a reason if the user likes to give one."""
        if (row := self._subject()) is None:
            return
        if row.status is Status.COMPLETED:
            self.tell("It is completed: there is nothing left to veto.")
        elif row.steered and row.steered.kind is Kind.VETO and not _overruled(row.steered):
            self.tell("You have vetoed it already; r takes the veto back.")
        else:
            self._sure(row, "veto", lambda: self._ask_reason(row))

    def _ask_reason(self, row: Row) -> None:
        def done(reason: str) -> None:
            self.perform(Act(Verb.VETO, row.key, reason=reason), "veto")

        hint = "why (or just Enter), Esc: no veto"
        self.ask(Question(f"Veto: {row.content}", done, hint=hint))

    def action_hold(self) -> None:
        """Hold the task, or release it."""
        if (row := self._subject()) is None:
            return
        if row.steered and row.steered.kind is Kind.HOLD and not _overruled(row.steered):
            self.perform(Act(Verb.RELEASE, row.key), "release")
        elif row.status is Status.COMPLETED:
            self.tell("It is completed: there is nothing left to hold.")
        elif row.steered and row.steered.kind is Kind.VETO:
            self.tell("You have vetoed it; r takes the veto back.")
        else:
            self._sure(row, "hold", lambda: self.perform(Act(Verb.HOLD, row.key), "hold"))

    def action_restore(self) -> None:
        """Take back what the user decided about the task."""
        if (row := self._subject()) is None:
            return
        if row.marks:
            self.perform(Act(Verb.RESTORE, row.key), "restore")
        else:
            self.tell("You have decided nothing about this task.")

    def action_priority(self, name: str) -> None:
        """Give the task a priority, or with no name the agent's own again."""
        if (row := self._subject()) is None:
            return
        priority = Priority(name) if name else None
        if name and row.priority is priority:
            self.tell(f"Its priority is {name} already.")
            return
        self.perform(Act(Verb.PRIORITY, row.key, priority=priority), name or "priority")

    def action_raise_priority(self, step: int) -> None:
        """Raise or lower the task's priority by one; none counts as medium."""
        if (row := self._subject()) is None:
            return
        at = _LADDER.index(row.priority or Priority.MEDIUM) + step
        if 0 <= at < len(_LADDER):
            self.perform(Act(Verb.PRIORITY, row.key, priority=_LADDER[at]), _LADDER[at].value)
        else:
            self.tell(f"Its priority is {row.priority} already.")

    def action_move(self, step: int) -> None:
        """Move the task past its next neighbour that is not completed."""
        if (row := self._subject()) is None:
            return
        other = self.neighbour(step)
        if row.status is Status.COMPLETED:
            self.tell("Completed tasks do not move.")
        elif other is None:
            self.tell("It is the last one already." if step > 0 else "It is the next one already.")
        else:
            place = Place(after=other.key) if step > 0 else Place(before=other.key)
            self.perform(Act(Verb.MOVE, row.key, place=place), "move")

    def action_add(self) -> None:
        """Add a task after the selected one."""
        if self._refused():
            return
        row = self.selected
        place = Place(after=row.key) if row else Place(edge=Edge.LAST)

        def done(text: str) -> None:
            if text:
                self.perform(Act(Verb.ADD, text=text, place=place), "add")

        after = f" after: {row.content}" if row else ""
        self.ask(Question(f"New task{after}", done, hint="what to do, Esc: nothing"))

    def action_undo(self) -> None:
        """Undo the last act."""
        if not self._refused():
            self.perform(Act(Verb.UNDO), "undo")

    def action_redo(self) -> None:
        """Redo what was undone last."""
        if not self._refused():
            self.perform(Act(Verb.REDO), "redo")
