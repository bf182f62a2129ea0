"""What the screen looks like, at the sizes and in the states that matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from tests.pane.fakes import (
    HOLD,
    NOW,
    TEXTS,
    VETO,
    burst,
    host_of,
    make,
    marked,
    row,
    sample,
    settle,
    story,
)
from tui.app import SteerpaneApp
from tui.host.sample import Event, Sample, Signal
from tui.plan.model import Priority, Status
from tui.plan.steering import Kind, Mark, State
from tui.plan.transitions import Change, Transition
from tui.view import Alarm, Health, Update, View

PIVOT = Transition(Change.PIVOT, ("k3", "k4"), (TEXTS[2], TEXTS[3]), NOW, 1692.0, True, "", 3, 5)
ALARM = Alarm("k2", TEXTS[1], Kind.VETO, False, "that model is still wanted", NOW)
DEFIED = Mark(Kind.VETO, State.DEFIED, reason="that model is still wanted")
PRIORITIES = (Priority.HIGH, Priority.MEDIUM, Priority.LOW, None, Priority.HIGH)


def mixed() -> View:
    """Return the story with differing priorities and something of everything decided."""
    view = story(1, exact=False)
    rows = tuple(replace(r, priority=p) for r, p in zip(view.rows, PRIORITIES, strict=True))
    view = marked(replace(view, rows=rows), 2, HOLD)
    view = marked(view, 3, Mark(Kind.PRIORITY, State.RECORDED, priority=Priority.HIGH))
    return marked(view, 4, VETO, status=Status.CANCELLED)


def long_plan() -> View:
    """Return a plan that does not fit on any screen."""
    rows = tuple(
        row(
            n,
            f"Task {n}: 清理磁盘 and then some more words",
            Status.COMPLETED if n < 40 else Status.IN_PROGRESS if n == 40 else Status.PENDING,
            took=61.0 * n if n < 40 else None,
            since=NOW - 4000 if n == 40 else None,
        )
        for n in range(1, 301)
    )
    return View(rows, Health.OK, good_at=NOW, path="/x/todo.json", store="json", read_only=True)


DAMAGED = replace(
    story(),
    health=Health.DAMAGED,
    good_at=NOW - 12,
    problem="line 3, column 9: a comma is missing; the last good plan is shown",
)
FREED = Signal(Event.VRAM_RELEASED, "GPU 0-7", 720 * 2**30, NOW, "vllm")

Case = tuple[tuple[int, int], Update | View, Sample | None, tuple[str, ...], dict[str, object]]
CASES: dict[str, Case] = {
    "columns_24": ((24, 40), mixed(), sample(), (), {}),
    "columns_100": ((100, 30), story(), sample(), (), {}),
    "columns_40": ((40, 50), Update(story(), (PIVOT,)), sample(), (), {}),
    "columns_80": ((80, 24), mixed(), sample(), ("G",), {}),
    "columns_160": ((160, 45), Update(story(), (PIVOT,)), sample(), (), {}),
    "lines_8": ((40, 8), story(), sample(), (), {}),
    "lines_8_pivot": ((40, 8), Update(story(), (PIVOT,)), sample(), (), {}),
    "light": ((80, 40), mixed(), sample(), (), {"theme": "light"}),
    "ascii": ((40, 50), Update(mixed(), (PIVOT,)), sample(), (), {"ascii": True}),
    "ascii_wide": ((120, 30), Update(mixed(), (PIVOT,)), sample(), (), {"ascii": True}),
    "alarm": ((40, 50), Update(marked(story(1), 1, DEFIED), (), (ALARM,)), sample(), (), {}),
    "alarm_24": ((24, 20), Update(marked(story(1), 1, DEFIED), (), (ALARM,)), None, (), {}),
    "veto_confirm": ((40, 40), story(1), sample(), ("v",), {}),
    "veto_reason": ((40, 40), story(1), sample(), ("v", "y", *"still needed"), {}),
    "damaged": ((40, 40), DAMAGED, sample(), (), {}),
    "waiting": ((40, 30), View(path="/srv/todo.json"), sample(0), (), {}),
    "no_gpu": ((40, 40), story(), sample(0), (), {}),
    "long_filtered": ((60, 24), long_plan(), None, ("slash", *"task 2", "enter"), {}),
    "long_folded": ((60, 24), long_plan(), sample(), ("c", "j"), {}),
    "help": ((80, 70), story(), None, ("question_mark",), {}),
    "log": ((60, 20), Update(story(), (PIVOT,), (ALARM,), ("stored",)), None, ("l",), {}),
    "gpu_page": ((60, 24), story(), sample(2), ("i",), {}),
}


def lines_of(app: SteerpaneApp) -> list[str]:
    """Return what is on the screen."""
    return ["".join(s.text for s in line) for line in app.screen._compositor.render_strips()]


@pytest.mark.parametrize("size", [(24, 40), (120, 30)])
async def test_ascii_means_ascii(size: tuple[int, int]) -> None:
    app = make(Update(mixed(), (PIVOT,), (ALARM,)), sample(), ascii=True)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for key in ("escape", "question_mark", "q", "l", "q", "i", "q", "enter", "q", "v"):
            await burst(pilot, key)
            assert all(line.isascii() for line in lines_of(app)), key


@pytest.mark.usefixtures("no_loop")
@pytest.mark.parametrize("name", CASES)
def test_screen(name: str, snap_compare: Callable[..., bool]) -> None:
    size, update, host, press, settings = CASES[name]
    app = make(update, host, **settings)
    assert snap_compare(app, terminal_size=size, press=press)


@pytest.mark.usefixtures("no_loop")
def test_signals_at_forty_columns(snap_compare: Callable[..., bool]) -> None:
    app = make(Update(story(), (PIVOT,)), sample(0))

    async def release(pilot: Pilot[None]) -> None:
        await settle(pilot)
        host_of(app).send(sample(0), FREED)
        await settle(pilot)

    assert snap_compare(app, terminal_size=(40, 24), run_before=release)
