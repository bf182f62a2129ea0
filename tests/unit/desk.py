"""A session with a store in memory and a clock in the hand, and an agent to rewrite the plan."""

from __future__ import annotations

from pathlib import Path

from tests.unit.memory_store import MemoryStore, task
from tui.acts import Act, Outcome, Verb
from tui.plan.directives import State
from tui.session import Session
from tui.view import Reach, Update

CHECK = "Check disk space and plan cleanup"
DELETE = "Delete Kimi-K2.5-NVFP4 model (540GB) to free space"
DOWNLOAD = "Download native Kimi-K2.5 INT4 model (~595GB)"
LAUNCH = "Stop MiniMax, deploy and launch Kimi-K2.5 INT4"
STORY = (CHECK, DELETE, DOWNLOAD, LAUNCH)


def plan(*statuses: str) -> list:
    return [task(c, s, "high") for c, s in zip(STORY, statuses, strict=False)]


class Desk:
    """A session with its store and clock."""

    def __init__(self, folder: Path, *tasks: object, **options: object) -> None:
        self.folder = folder
        self.now = 5000.0
        reach = options.pop("reach", Reach.OVERWRITTEN)
        self.store = MemoryStore(*tasks, reach=reach)  # type: ignore[arg-type]
        self.store.mtime = 4900.0
        self.session = self.fresh(**options)
        self.first = self.session.look()

    def fresh(self, **options: object) -> Session:
        return Session(
            self.store,
            self.folder,
            clock=lambda: self.now,
            monotonic=lambda: self.now,
            **options,  # type: ignore[arg-type]
        )

    def act(self, verb: Verb, content: str = "", **more: object) -> Outcome:
        self.now += 1
        return self.session.act(Act(verb, self.key(content) if content else "", **more))  # type: ignore[arg-type]

    def key(self, content: str) -> str:
        return next(t.key for t in self.session.tasks if t.content == content)

    def agent(self, *tasks: object) -> Update | None:
        """The agent rewrites; we see it at once, and again when it has been quiet."""
        self.now += 10
        self.store.rewrite(*tasks, mtime=self.now)  # type: ignore[arg-type]
        seen = self.session.look()
        self.now += 1
        later = self.session.look()
        if seen is None or later is None:
            return seen or later
        return Update(
            later.view,
            seen.transitions + later.transitions,
            seen.alarms + later.alarms,
            seen.notices + later.notices,
        )

    def mark(self, content: str) -> State | None:
        view = self.session._shown
        assert view is not None
        row = next(r for r in view.rows if r.content == content)
        return row.marks[0].state if row.marks else None
