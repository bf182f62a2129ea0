"""Every key that steers, from the key to the act."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.pane.fakes import (
    HOLD,
    TEXTS,
    VETO,
    burst,
    feed_of,
    make,
    marked,
    row,
    sample,
    settle,
    story,
)
from tui.acts import Act, Edge, Place, Verb
from tui.plan.model import Priority, Status
from tui.screens.keys import BINDINGS, shown
from tui.screens.pager import Pager
from tui.view import Health, View


async def acts(view: View, *sequences: tuple[str, ...]) -> list[list[Act]]:
    """Return what the plan feed is asked for by each sequence of keys.

    Each begins with the cursor on the task in progress, and comes at once, as over a slow line.
    """
    app = make(view)
    asked: list[list[Act]] = []
    async with app.run_test(size=(40, 30)) as pilot:
        await settle(pilot)
        for keys in sequences:
            feed_of(app).acts.clear()
            if view.current:
                app.pane.plan._cursor.place(view.current.key)
            await burst(pilot, *keys)
            assert not app.pane.prompt.open
            asked.append(list(feed_of(app).acts))
    return asked


async def test_veto_with_a_reason_or_without_one_and_given_up() -> None:
    assert await acts(
        story(),
        ("j", "v", "enter"),
        ("j", "v", *"no time", "enter"),
        ("j", "v", *"no", "escape"),
        # Keys typed ahead into a question are no commands.
        ("j", "v", *"hJ1auq", "enter"),
    ) == [
        [Act(Verb.VETO, "k5")],
        [Act(Verb.VETO, "k5", reason="no time")],
        [],
        [Act(Verb.VETO, "k5", reason="hJ1auq")],
    ]


async def test_the_task_in_progress_needs_one_more_key() -> None:
    assert await acts(
        story(), ("v", "y", "enter"), ("v", "n"), ("v", "escape"), ("h", "y"), ("h", "n")
    ) == [[Act(Verb.VETO, "k4")], [], [], [Act(Verb.HOLD, "k4")], []]


async def test_hold_and_release() -> None:
    assert await acts(story(), ("j", "h")) == [[Act(Verb.HOLD, "k5")]]
    assert await acts(marked(story(), 4, HOLD), ("j", "h")) == [[Act(Verb.RELEASE, "k5")]]


async def test_priorities() -> None:
    def priority(value: Priority | None) -> list[Act]:
        return [Act(Verb.PRIORITY, "k5", priority=value)]

    keys = ("2", "3", "1", "0", "minus", "plus")
    assert await acts(story(), *(("j", key) for key in keys)) == [
        priority(Priority.MEDIUM),
        priority(Priority.LOW),
        [],
        priority(None),
        priority(Priority.MEDIUM),
        [],
    ]


async def test_moves_are_relative_and_never_past_completed_tasks() -> None:
    assert await acts(story(2), ("J",), ("j", "K"), ("K",), ("G", "J"), ("g", "J")) == [
        [Act(Verb.MOVE, "k3", place=Place(after="k4"))],
        [Act(Verb.MOVE, "k4", place=Place(before="k3"))],
        [],
        [],
        [],
    ]


async def test_add_goes_after_the_selected_task() -> None:
    wanted = Act(Verb.ADD, place=Place(after="k4"), text="Write notes")
    assert await acts(story(), ("a", *"Write notes", "enter"), ("a", "enter")) == [[wanted], []]
    last = Act(Verb.ADD, place=Place(edge=Edge.LAST), text="x")
    assert await acts(View(health=Health.OK), ("a", "x", "enter")) == [[last]]


async def test_restore_undo_redo() -> None:
    assert await acts(marked(story(), 4, VETO), ("j", "r"), ("r",), ("u", "U")) == [
        [Act(Verb.RESTORE, "k5")],
        [],
        [Act(Verb.UNDO), Act(Verb.REDO)],
    ]


async def test_what_cannot_be_vetoed_or_held() -> None:
    assert await acts(story(), ("g", "v"), ("g", "h")) == [[], []]
    assert await acts(marked(story(), 4, VETO), ("j", "v"), ("j", "h")) == [[], []]


async def test_the_line_editor() -> None:
    reasons = await acts(
        story(),
        ("j", "v", *"one two", "ctrl+w", "x", "home", "A", "delete", "end", "left", "-",
         "backspace", "enter"),
        ("j", "v", *"gone", "ctrl+u", "清", "enter"),
        ("j", "v", *"aa", "left", "right", "ctrl+a", "ctrl+k", "ctrl+e", "b", "enter"),
    )  # fmt: skip
    assert [asked[0].reason for asked in reasons] == ["Ane x", "清", "b"]


async def test_a_question_in_a_pane_of_no_width_does_not_hang() -> None:
    app = make(story())
    async with app.run_test(size=(2, 8)) as pilot:
        await settle(pilot)
        await burst(pilot, "j", "v", *"no", "enter")
        assert feed_of(app).acts == [Act(Verb.VETO, "k5", reason="no")]


async def test_read_only_refuses_every_act_and_says_so() -> None:
    app = make(replace(story(), read_only=True))
    async with app.run_test(size=(60, 30)) as pilot:
        await settle(pilot)
        await burst(pilot, "j", *"vhr1+Jau", "U")
        assert feed_of(app).acts == []
        assert not app.pane.prompt.open
        assert app.pane.banner.wanted(60) > 0


async def test_a_paste_is_neutralised_and_stays_on_one_line() -> None:
    app = make(story())
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        await burst(pilot, "j", "v")
        app.pane.prompt.paste("still\x1b[31m\nneeded")
        await burst(pilot, "enter")
        assert feed_of(app).acts[0].reason == "still needed"


async def test_an_act_shows_at_once_and_until_the_feed_answers() -> None:
    app = make(story())
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        await burst(pilot, "j", "3")
        assert app.pane.plan.asked == {"k5": "low"}
        feed_of(app).send(story())
        await pilot.pause()
        assert app.pane.plan.asked == {}


async def test_moving_about() -> None:
    rows = tuple(row(n, f"Task {n}") for n in range(1, 101))
    app = make(View(rows=rows, health=Health.OK))
    async with app.run_test(size=(40, 24)) as pilot:
        await pilot.pause()

        async def after(*keys: str) -> int:
            await burst(pilot, *keys)
            assert app.pane.selected is not None
            return app.pane.selected.position

        assert await after("j") == 2
        assert await after("down", "k", "up") == 1
        assert await after("k") == 1
        assert await after("G") == 100
        assert await after("home") == 1
        page = await after("pagedown")
        assert page > 8
        assert await after("pageup") == 1
        assert 1 < await after("ctrl+d") < page
        assert await after("ctrl+u") == 1
        assert await after("end", "j") == 100


async def test_the_filter_follows_every_key_and_escape_clears_it() -> None:
    app = make(story())
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        await burst(pilot, "slash", *"kimi")
        assert app.pane.plan.matches == 4
        await burst(pilot, "space", *"bench")
        assert app.pane.plan.matches == 1
        await burst(pilot, "enter")
        assert app.pane.selected is not None
        assert app.pane.selected.key == "k5"
        await burst(pilot, "escape")
        assert app.pane.plan.matches == 5
        await burst(pilot, "slash", *"zzz")
        assert app.pane.selected is None
        await burst(pilot, "escape")
        assert app.pane.plan.matches == 5


async def test_completed_tasks_fold_into_one_line() -> None:
    app = make(story())
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.pause()
        await burst(pilot, "c")
        assert app.pane.plan.matches == 3
        assert "3 completed" in app.pane.plan.render_line(0).text
        await burst(pilot, "k", "k")
        assert app.pane.selected is not None
        assert app.pane.selected.status is Status.IN_PROGRESS
        await burst(pilot, "z")
        assert app.pane.plan.matches == 5


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("question_mark", "veto it"),
        ("l", "Nothing has happened"),
        ("i", "No GPU"),
        ("enter", TEXTS[3]),
    ],
)
async def test_pages_open_and_close(key: str, words: str) -> None:
    app = make(story())
    async with app.run_test(size=(70, 30)) as pilot:
        await pilot.pause()
        await burst(pilot, key)
        await pilot.pause()
        assert isinstance(app.screen, Pager)
        page = app.screen.focused
        assert page is not None
        shown_lines = "".join(page.render_line(y).text for y in range(page.size.height))
        assert words in shown_lines
        await burst(pilot, "j", "G", "pageup", "q")
        await pilot.pause()
        assert app.screen is app.pane
        assert feed_of(app).acts == []


async def test_the_page_of_a_task_follows_the_plan() -> None:
    app = make(story())
    async with app.run_test(size=(70, 30)) as pilot:
        await settle(pilot)
        await burst(pilot, "enter")

        def text() -> str:
            page = app.screen.focused
            assert page is not None
            return "".join(page.render_line(y).text for y in range(page.size.height))

        assert "in progress for 4m" in text()
        feed_of(app).send(marked(story(4), 3, HOLD))
        await settle(pilot)
        assert "completed, took 5m" in text()
        assert "Your hold was kept by the agent" in text()
        feed_of(app).send(View(health=Health.OK))
        await settle(pilot)
        assert TEXTS[3] in text()


async def test_the_theme_changes_every_colour() -> None:
    app = make(story())
    async with app.run_test(size=(40, 40)) as pilot:
        await settle(pilot)

        def colours() -> set[str]:
            segments = app.pane.plan.render_line(0)
            return {str(s.style.color) for s in segments if s.style and s.style.color}

        dark = colours()
        await burst(pilot, "t")
        assert app.theme == "steerpane-light"
        assert not colours() & dark
        await burst(pilot, "t")
        assert app.theme == "steerpane-dark"
        assert colours() == dark


async def test_the_panes_of_the_host_fold() -> None:
    app = make(story(), sample())
    async with app.run_test(size=(40, 50)) as pilot:
        await settle(pilot)
        await burst(pilot, "p")
        assert (app.pane.disks.size.height, app.pane.gpus.size.height) == (1, 1)
        await burst(pilot, "p")
        assert app.pane.gpus.size.height >= 9


async def test_q_quits_and_ctrl_c_says_how() -> None:
    app = make(story())
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        await burst(pilot, "ctrl+c")
        assert app.pane.banner.wanted(40) > 0
        await burst(pilot, "q")
        await pilot.pause()
        assert not app.is_running


async def test_every_key_has_an_entry_in_the_command_palette() -> None:
    app = make(story())
    async with app.run_test(size=(40, 30)) as pilot:
        await pilot.pause()
        commands = list(app.get_system_commands(app.screen))
        assert len(commands) == len(BINDINGS)
        assert all(b.description for b in BINDINGS)
        (undo,) = (c for c in commands if c.help == f"key {shown(_binding('undo'))}")
        undo.callback()
        await pilot.pause()
        assert feed_of(app).acts == [Act(Verb.UNDO)]


def _binding(action: str):  # type: ignore[no-untyped-def]
    return next(b for b in BINDINGS if b.action == action)
