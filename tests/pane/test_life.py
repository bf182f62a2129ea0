"""Beginning and end: feeds, signals, terminals, titles, colours."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import tui
from tests.bench.terminal import Terminal
from tests.pane.fakes import FakeHost, FakePlan, feed_of, host_of, make, sample, story
from tui import app as app_module
from tui import terminal
from tui.app import SteerpaneApp
from tui.paths import styles_dir
from tui.settings import ScreenSettings
from tui.view import Health, Update, View


async def test_feeds_are_stopped_when_the_app_ends() -> None:
    app = make(story(), sample())
    async with app.run_test() as pilot:
        await pilot.pause()
    assert feed_of(app).stopped
    assert host_of(app).stopped


class StuckHost(FakeHost):
    """A host feed whose end never comes."""

    def stop(self) -> None:
        """Hang for longer than anybody waits."""
        time.sleep(5)


async def test_a_stuck_feed_does_not_hold_the_app() -> None:
    app = SteerpaneApp(FakePlan(), StuckHost(), ScreenSettings(host_after=0.0))
    async with app.run_test() as pilot:
        await pilot.pause()
        begin = time.monotonic()
    assert time.monotonic() - begin < 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_signals_end_the_app(number: signal.Signals) -> None:
    app = make(story())
    async with app.run_test() as pilot:
        await pilot.pause()
        os.kill(os.getpid(), number)
        for _ in range(50):
            await asyncio.sleep(0.02)
            if not app.is_running:
                break
        assert not app.is_running


async def test_a_terminal_that_is_gone_ends_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make(story())
    async with app.run_test() as pilot:
        await pilot.pause()
        app._had_tty = True
        monkeypatch.setattr(app_module, "on_a_tty", lambda: False)
        app._watch_tty()
        await pilot.pause()
        assert not app.is_running


async def test_the_title_tells_progress_and_is_neutralised(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(terminal, "_send", lambda app, sequence: sent.append(sequence))
    view = story()
    evil = replace(view.rows[3], content="Stop\x1b]0;pwned\x07 it")
    app = make(replace(view, rows=(*view.rows[:3], evil, view.rows[4])))
    async with app.run_test() as pilot:
        await pilot.pause()
        feed_of(app).send(app.pane.view)
        await pilot.pause()
    assert sent == ["\x1b[22;2t", "\x1b]2;3/5 ▶ Stop it\x07", "\x1b[23;2t"]


async def test_without_title_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(terminal, "_send", lambda app, sequence: sent.append(sequence))
    app = make(story(), title=False)
    async with app.run_test() as pilot:
        await pilot.pause()
    assert sent == []


async def test_no_control_character_reaches_the_terminal() -> None:
    view = story()
    evil = replace(view.rows[0], content="a\x1b]0;pwned\x07b\u202ec\udcff")
    app = make(replace(view, rows=(evil, *view.rows[1:])))
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        strip = app.pane.plan.render_line(0)
        assert "a?]0;pwned?b?c?" in strip.text
        assert strip.cell_length == 40


async def test_a_plan_with_a_hostile_name_is_shown_by_what_is_left_of_it() -> None:
    path = "/x/pl\x1b[31man\udcff.json"
    app = make(replace(story(), path=path))
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        assert app.pane.header.render_line(0).text.startswith(" plan.json ")
        waiting = View(health=Health.MISSING, path=path, problem="/x/plan.json is not there yet")
        feed_of(app).send(waiting)
        await pilot.pause()
        lines = [app.pane.plan.render_line(y).text.strip() for y in range(4)]
        assert lines == ["", "Waiting for a plan…", "/x/plan.json is not there yet", ""]


async def test_a_feed_that_outlives_the_app_does_no_harm() -> None:
    app = make(story())
    async with app.run_test() as pilot:
        await pilot.pause()
    await asyncio.to_thread(feed_of(app).send, story())


async def test_no_color_leaves_no_colour_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make(story(), sample())
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        plan = app.pane.plan
        assert app.no_color
        strips = plan.render_lines(plan.size.region)
        styles = [s.style for strip in strips for s in strip if s.style]
        assert any(style.bold for style in styles)
        assert all(style.color and style.color.is_default for style in styles)
        assert all(style.bgcolor and style.bgcolor.is_default for style in styles)
        (cursor,) = (strip for strip in strips if strip.text.startswith("▌▶"))
        assert all(s.style is not None and s.style.reverse for s in cursor)


async def test_an_empty_no_color_means_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert not make(story()).no_color


async def test_updates_that_come_thick_and_fast_all_arrive_in_order() -> None:
    app = make()
    async with app.run_test() as pilot:
        await pilot.pause()
        for current in (0, 1, 2, 3, 4):
            feed_of(app).send(Update(story(current)))
        await pilot.pause()
        assert app.pane.view.done == 4


@pytest.mark.parametrize("health", list(Health))
@pytest.mark.parametrize("size", [(24, 8), (40, 30), (120, 30)])
async def test_every_health_has_its_words(health: Health, size: tuple[int, int]) -> None:
    view = replace(story(), health=health, problem="what is wrong", good_at=1_799_999_988.0)
    app = make(view)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        header = app.pane.header
        text = " ".join(header.render_line(y).text for y in range(header.size.height))
        assert ("last good 10s ago" in text) == (health is not Health.OK) or size[0] == 24
        feed_of(app).send(View(health=health, problem="what is wrong", path="/x/todo.json"))
        await pilot.pause()
        plan = app.pane.plan
        text = " ".join(plan.render_line(y).text for y in range(plan.size.height))
        assert "plan" in text


def test_the_style_sheets_are_found_from_anywhere() -> None:
    assert styles_dir().is_absolute()
    for path in SteerpaneApp.CSS_PATH:
        assert path.is_file()


def test_an_unexpected_error_leaves_one_line_and_keeps_its_traceback(tmp_path: Path) -> None:
    code = (
        "from tests.pane.fakes import make\n"
        "from tui.app import SteerpaneApp\n"
        "SteerpaneApp.on_mount = lambda self: 1 / 0\n"
        "app = make()\n"
        "app.run()\n"
        "raise SystemExit(app.return_code)"
    )
    env = {
        **os.environ,
        "PYTHONPATH": str(Path(tui.__file__).parents[1]),
        "XDG_STATE_HOME": str(tmp_path),
        "TERM": "xterm",
    }
    pane = Terminal([sys.executable, "-c", code], env, (200, 20))
    try:
        pane.wait_for("steerpane: unexpected ZeroDivisionError")
        pane.drain()
        assert b"Traceback" not in pane.drawn
        assert "ZeroDivisionError" in (tmp_path / "steerpane/crash.log").read_text()
    finally:
        pane.close()
