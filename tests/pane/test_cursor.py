"""The cursor stays on its task, whatever the agent does to the list."""

from __future__ import annotations

from dataclasses import replace

from tests.pane.fakes import TEXTS, burst, feed_of, make, row, story
from tui.app import SteerpaneApp
from tui.plan.model import Status
from tui.view import Health, View


def key_of(app: SteerpaneApp) -> str:
    """Return the key of the selected task."""
    return app.pane.selected.key if app.pane.selected else ""


async def test_the_cursor_follows_the_task_in_progress() -> None:
    app = make(story(1))
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        assert key_of(app) == "k2"
        feed_of(app).send(story(2))
        await pilot.pause()
        assert key_of(app) == "k3"


async def test_a_cursor_elsewhere_stays_where_it_is() -> None:
    app = make(story(1))
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        await pilot.press("G")
        view = story(2)
        feed_of(app).send(replace(view, rows=view.rows[::-1]))
        await pilot.pause()
        assert key_of(app) == "k5"
        feed_of(app).send(replace(view, rows=(row(9, "A new first task"), *view.rows)))
        await pilot.pause()
        assert key_of(app) == "k5"


async def test_the_next_task_is_selected_when_the_selected_one_is_removed() -> None:
    app = make(story(1))
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        await pilot.press("j", "j")
        view = story(1)
        feed_of(app).send(replace(view, rows=view.rows[:3] + view.rows[4:]))
        await pilot.pause()
        assert key_of(app) == "k5"
        feed_of(app).send(View(health=Health.OK))
        await pilot.pause()
        assert key_of(app) == ""
        feed_of(app).send(view)
        await pilot.pause()
        assert key_of(app) in {r.key for r in view.rows}


async def test_the_selected_task_stays_in_sight_in_a_growing_list_and_a_shrinking_pane() -> None:
    rows = tuple(row(n, f"Task {n}") for n in range(1, 200))
    app = make(View(rows=rows, health=Health.OK))
    async with app.run_test(size=(40, 24)) as pilot:
        await pilot.pause()
        await burst(pilot, *["j"] * 30)
        more = tuple(row(1000 + n, f"New {n}") for n in range(50))
        feed_of(app).send(View(rows=more + rows, health=Health.OK))
        await pilot.pause()
        plan = app.pane.plan
        shown = [plan.render_line(y).text for y in range(plan.size.height)]
        assert any("Task 31 " in text + " " for text in shown)
        await pilot.resize_terminal(24, 8)
        await pilot.pause()
        shown = [plan.render_line(y).text for y in range(plan.size.height)]
        assert 1 <= len(shown) <= 6
        assert any("Task 31" in text for text in shown)


async def test_the_question_keeps_to_the_task_it_was_asked_about() -> None:
    app = make(story(1))
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        await pilot.press("v", "y")
        feed_of(app).send(story(2))
        await pilot.pause()
        assert key_of(app) == "k3"
        await pilot.press("enter")
        assert feed_of(app).acts[0].key == "k2"


async def test_a_click_selects_when_the_mouse_is_on() -> None:
    app = make(story(3), mouse=True)
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.pause()
        await pilot.click("#plan", offset=(5, 1))
        assert key_of(app) == "k2"
        assert app.pane.selected is not None
        assert app.pane.selected.content == TEXTS[1]
        assert app.pane.selected.status is Status.COMPLETED
