"""Steering as a store asks for it: again and again, until the agent lets one write through."""

from __future__ import annotations

from collections.abc import Sequence

from tui.plan.binding import Binding
from tui.plan.directives import Base
from tui.plan.model import Task
from tui.plan.roster import Recognised
from tui.plan.steering import Bound, overwritten, steer


class Projection:
    """From the tasks in a store to the wanted ones; remembers the last that it was asked for.

    `refused` are the origins of tasks whose change the store cannot hold: they stay as they are.
    """

    def __init__(self, who: Binding, bound: Sequence[Bound]) -> None:
        self.seen = Recognised(())
        self.wanted: tuple[Task, ...] = ()
        self.refused: set[int] = set()
        self._who, self._bound = who, bound

    def __call__(self, tasks: tuple[Task, ...]) -> tuple[Task, ...]:
        """Return the wanted tasks; pure but for what it remembers."""
        self.seen = self._who.recognise(tasks)
        self.wanted = tuple(
            self.seen.tasks[t.origin] if t.origin is not None and t.origin in self.refused else t
            for t in steer(self.seen.tasks, self._bound)
        )
        return self.wanted

    @property
    def left(self) -> set[str]:
        """The keys of the tasks whose change was refused."""
        return {self.seen.tasks[origin].key for origin in self.refused}

    @property
    def bases(self) -> dict[str, Base]:
        """What is overwritten in the tasks asked for last, by directive."""
        left = self.left
        return overwritten(self.seen.tasks, [b for b in self._bound if b.key not in left])
