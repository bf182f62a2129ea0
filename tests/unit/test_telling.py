"""Transitions, signals and alarms as lines of text."""

from __future__ import annotations

import pytest

from tui.host.sample import Event, Signal
from tui.plan.directives import Kind
from tui.plan.transitions import Change, Transition
from tui.telling import tell
from tui.view import Alarm

PAIR = ("Check", "Delete\x1b[31m\nit")


@pytest.mark.parametrize(
    ("happening", "line"),
    [
        (
            Transition(Change.PIVOT, ("a", "b"), PAIR, took=1692.0, done=3, total=5),
            "3/5 completed: Check (28m); started: Delete it",
        ),
        (
            Transition(Change.COMPLETED, ("a",), PAIR[:1], took=41.0, took_exact=False),
            "0/0 completed: Check (at least 41s)",
        ),
        (Transition(Change.ADDED, ("a", "b"), PAIR, total=2), "0/2 added: Check; Delete it"),
        (
            Transition(Change.REWORDED, ("b",), PAIR[1:], before="Go\n on", total=2),
            "0/2 reworded: Go on; now: Delete it",
        ),
        (Transition(Change.FINISHED, done=2, total=2), "2/2 plan finished"),
        (Transition(Change.REPLACED, ("a", "b"), PAIR, total=2), "0/2 new plan of 2 tasks"),
        (
            Signal(Event.DISK_FREED, "/sha\x1b[1mred", 540 * 10**9, 0.0, left=1485 * 10**9),
            "/shared: 540 GB freed, 1485 GB free",
        ),
        (
            Signal(Event.VRAM_CLAIMED, "GPU 0-7", 720 * 2**30, 0.0, "vllm serve", 45 * 2**30),
            "GPU 0-7: 720 GiB of VRAM claimed by vllm serve, 45 GiB free",
        ),
        (
            Alarm("a", "Delete it", Kind.VETO, False, "still wanted", 0.0),
            "ALARM: the agent started what you vetoed: Delete it (still wanted)",
        ),
        (
            Alarm("a", "Delete it", Kind.HOLD, True, "", 0.0),
            "ALARM: the agent finished what you held: Delete it",
        ),
    ],
)
def test_each_happening_is_one_harmless_line(
    happening: Transition | Signal | Alarm, line: str
) -> None:
    assert tell(happening) == line
