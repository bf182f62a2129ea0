"""Nothing is drawn when nothing changed, and no more than what did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from textual.geometry import Region

from tests.pane.fakes import Clock, feed_of, host_of, make, row, sample, story
from tui.plan.model import Status
from tui.view import Health, View
from tui.widgets.painted import Painted


@contextmanager
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Note every line that any pane draws, as pane and line."""
    lines: list[str] = []
    original = Painted.render_line

    def counting(self: Painted, y: int):  # type: ignore[no-untyped-def]
        lines.append(f"{self.id} {y}")
        return original(self, y)

    with monkeypatch.context() as patch:
        patch.setattr(Painted, "render_line", counting)
        yield lines


async def test_an_equal_view_and_sample_draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make(story(), sample())
    async with app.run_test(size=(40, 50)) as pilot:
        await pilot.pause()
        with drawn(monkeypatch) as lines:
            feed_of(app).send(replace(story()))
            host_of(app).send(sample())
            app.pane._tick()
            await pilot.pause()
            assert lines == []


async def test_a_growing_time_draws_its_own_lines_only(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    app = make(story(), sample(), clock=clock)
    async with app.run_test(size=(80, 50)) as pilot:
        await pilot.pause()
        with drawn(monkeypatch) as lines:
            for _ in range(30):
                clock.now += 1
                app.pane._tick()
            await pilot.pause()
            assert lines == []
            clock.now += 60
            app.pane._tick()
            await pilot.pause()
            assert sorted(lines) == ["detail 2", "header 2", "plan 3"]


async def test_one_changed_figure_draws_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make(story(), sample())
    async with app.run_test(size=(40, 50)) as pilot:
        await pilot.pause()
        with drawn(monkeypatch) as lines:
            first = sample()
            busy = (replace(first.gpus[0], utilisation=12), *first.gpus[1:])
            host_of(app).send(replace(first, gpus=busy))
            await pilot.pause()
            assert lines == ["gpus 1"]


async def test_the_cursor_draws_two_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make(story())
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.pause()
        with drawn(monkeypatch) as lines:
            await pilot.press("k")
            await pilot.pause()
            assert {line for line in lines if line.startswith("plan")} == {"plan 2", "plan 3"}


def _many(count: int, changed: range = range(0)) -> View:
    def status(n: int) -> Status:
        return Status.COMPLETED if n in changed else Status.PENDING

    rows = tuple(row(n, f"Task {n} of a plan without end", status(n)) for n in range(1, count + 1))
    return View(rows=rows, health=Health.OK)


async def test_ten_thousand_tasks_draw_what_is_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make(_many(10_000))
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.pause()
        height = app.pane.plan.size.height
        with drawn(monkeypatch) as lines:
            feed_of(app).send(_many(10_000, range(5, 15)))
            await pilot.pause()
            assert len([line for line in lines if line.startswith("plan")]) == 10
            lines.clear()
            feed_of(app).send(_many(10_000, range(5, 15)))
            await pilot.pause()
            assert lines == []
            await pilot.press("G")
            await pilot.pause()
            assert len({line for line in lines if line.startswith("plan")}) == height
        assert app.pane.selected is not None
        assert app.pane.selected.position == 10_000


async def test_a_change_out_of_sight_draws_no_task(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make(_many(10_000))
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.pause()
        with drawn(monkeypatch) as lines:
            feed_of(app).send(_many(10_000, range(5_000, 5_010)))
            await pilot.pause()
            assert {line.split()[0] for line in lines} <= {"header"}


async def test_lines_outside_the_pane_are_never_asked_for() -> None:
    app = make(story())
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        plan = app.pane.plan
        assert plan.render_line(200).cell_length == plan.size.width
        assert plan.region.width == Region(0, 0, 40, 1).width
