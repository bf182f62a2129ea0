"""The deployment story as data: its steps, how long each lasts, and how far a telling of it is.

Story time is in seconds; 0 is the moment at which the agent starts its first task.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tui.plan.model import Status


@dataclass(frozen=True, slots=True)
class Step:
    """One task of the story: it lasts `duration` seconds of story, told in `shown` real ones.

    The two differ from step to step, so that a step of twenty seconds can still be followed with
    the eye and half an hour of download does not take half an hour.
    """

    content: str
    duration: float
    shown: float

    @property
    def rate(self) -> float:
        """Story seconds told in one real second."""
        return self.duration / self.shown


CHECK = Step("Check disk space and plan cleanup", 20, 8)
DELETE = Step("Delete Kimi-K2.5-NVFP4 model (540GB) to free space", 20, 8)
DOWNLOAD = Step("Download native Kimi-K2.5 INT4 model (~595GB)", 28 * 60, 34)
DEPLOY = Step("Stop MiniMax, deploy and launch Kimi-K2.5 INT4", 16 * 60, 22)
BENCHMARK = Step("Benchmark Kimi-K2.5 INT4 single-stream and concurrent", 8 * 60, 14)
STEPS = (CHECK, DELETE, DOWNLOAD, DEPLOY, BENCHMARK)

LEAD_IN = Step("", 20, 4)
"""The calm before the first step: the plan is there and nothing of it has begun."""

IDLE_RATE = 8.0
"""Story seconds in one real second while the agent has nothing to do."""

_ROUNDING = 1e-6


def step_for(content: str) -> Step:
    """The step behind a task; one that is not of the story is a short errand of the user's."""
    return next((s for s in STEPS if s.content == content), Step(content, 15, 5))


@dataclass(frozen=True, slots=True)
class Work:
    """A stretch of work on one step; `ended` is None while it goes on."""

    step: Step
    begun: float
    ended: float | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one telling of the story is: the story time, and all work up to it, oldest first.

    A step can have several works, since a task that was stopped can be taken up again.
    """

    now: float = -LEAD_IN.duration
    works: tuple[Work, ...] = ()

    @property
    def current(self) -> Work | None:
        """The work that goes on, or None."""
        return self.works[-1] if self.works and self.works[-1].ended is None else None

    def back(self, seconds: float) -> Progress:
        """The same telling, seen some seconds of story earlier."""
        then = self.now - seconds
        works = (
            replace(w, ended=None) if w.ended is not None and w.ended > then else w
            for w in self.works
            if w.begun <= then
        )
        return Progress(then, tuple(works))

    def latest(self, step: Step) -> Work | None:
        """The latest work on a step, or None when it never began."""
        return next((w for w in reversed(self.works) if w.step == step), None)

    def effort(self, step: Step) -> float:
        """Seconds of story spent on a step so far."""
        return sum(
            (self.now if w.ended is None else w.ended) - w.begun
            for w in self.works
            if w.step == step
        )

    def complete(self, step: Step) -> bool:
        """True when nothing of a step is left to do."""
        return self.effort(step) >= step.duration - _ROUNDING


def reached(step: Step | None, into: float, vetoed: frozenset[Step] = frozenset()) -> Progress:
    """The telling in plan order up to `into` seconds into a step; None: after the last one.

    A vetoed step is never worked on. Raises ValueError when the step itself is vetoed.
    """
    if step in vetoed:
        raise ValueError(f"a vetoed step is never reached: {step.content}")
    now = 0.0
    works: list[Work] = []
    for each in STEPS:
        if each == step:
            works.append(Work(each, now))
            break
        if each not in vetoed:
            works.append(Work(each, now, now + each.duration))
            now += each.duration
    return Progress(now + into, tuple(works))


def status_of(step: Step, progress: Progress, vetoed: frozenset[Step] = frozenset()) -> Status:
    """What the agent's plan says of a step at that point of the telling."""
    if step in vetoed:
        return Status.CANCELLED
    work = progress.latest(step)
    if work is None:
        return Status.PENDING
    return Status.IN_PROGRESS if work.ended is None else Status.COMPLETED
