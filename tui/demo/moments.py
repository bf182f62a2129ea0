"""The story's moments by name: what the plan file and the host are at each, without any clock."""

from __future__ import annotations

from dataclasses import dataclass, field

from tui.demo.host import sample
from tui.demo.planfile import render, todo
from tui.demo.story import (
    BENCHMARK,
    CHECK,
    DELETE,
    DEPLOY,
    DOWNLOAD,
    STEPS,
    Progress,
    Step,
    reached,
    status_of,
)
from tui.host.sample import Sample

_MOMENTS: dict[str, tuple[Step, float] | None] = {
    "check": (CHECK, 10),
    "delete": (DELETE, 8),
    "freed": (DELETE, 18),
    "download": (DOWNLOAD, 14 * 60),
    "pivot": (DEPLOY, 15),
    "loading": (DEPLOY, 7 * 60),
    "benchmark": (BENCHMARK, 5 * 60),
    "end": None,
}
MOMENTS = ("before", *_MOMENTS)
"""Every moment's name, in the story's order."""

EPOCH = 1_767_225_600.0
"""When the story starts in a moment that is not part of a live telling, seconds since 1970."""

_AFTERMATH = 180.0


@dataclass(frozen=True, slots=True)
class Moment:
    """The story at one point: the plan file's bytes, the host, and the progress behind both."""

    plan: bytes = field(repr=False)
    sample: Sample
    progress: Progress


def moment(name: str, vetoed: frozenset[Step] = frozenset(), epoch: float = EPOCH) -> Moment:
    """The story at a named moment, told in plan order without the vetoed steps.

    Raises ValueError when there is no such moment, or its own step is vetoed.
    """
    if name not in MOMENTS:
        raise ValueError(f"no moment {name!r} in the story: it has {', '.join(MOMENTS)}")
    if name == "before":
        return _at(Progress(), vetoed, epoch)
    step, into = _MOMENTS[name] or (None, _AFTERMATH)
    return _at(reached(step, into, vetoed), vetoed, epoch)


def within(step: Step, into: float, epoch: float = EPOCH) -> Moment:
    """The story some seconds after one of its steps has begun."""
    return _at(reached(step, into, frozenset()), frozenset(), epoch)


def _at(progress: Progress, vetoed: frozenset[Step], epoch: float) -> Moment:
    todos = [todo(step.content, status_of(step, progress, vetoed)) for step in STEPS]
    return Moment(render(todos), sample(progress, epoch + progress.now), progress)
