"""What happened shows for a while; alarms stay and are heard."""

from __future__ import annotations

import asyncio

import pytest

from tests.pane.fakes import NOW, TEXTS, feed_of, host_of, make, sample, settle, story
from tui.app import SteerpaneApp
from tui.glyphs import ASCII, UNICODE
from tui.host.sample import Event, Signal
from tui.plan.steering import Kind
from tui.plan.text import neutralise
from tui.plan.transitions import Change, Transition
from tui.view import Alarm, Update
from tui.widgets.happenings import Happening

PIVOT = Transition(Change.PIVOT, ("k3", "k4"), (TEXTS[2], TEXTS[3]), NOW, 1692.0, True, "", 3, 5)
ALARM = Alarm("k2", TEXTS[1], Kind.VETO, False, "that model is still wanted", NOW)


def banner_text(app: SteerpaneApp) -> str:
    """Return what the banner shows now."""
    banner = app.pane.banner
    if not banner.display:
        return ""
    return "\n".join(banner.render_line(y).text.rstrip() for y in range(banner.size.height))


async def test_a_pivot_shows_and_leaves_no_gap_behind() -> None:
    app = make(story(), banner_seconds=0.2)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        height = app.pane.plan.size.height
        feed_of(app).send(Update(story(), transitions=(PIVOT,)))
        await settle(pilot)
        assert f"✔ {TEXTS[2]} 28m → ▶ {TEXTS[3]}" in banner_text(app)
        assert app.pane.plan.size.height == height - 1
        assert app.focused is app.pane.plan
        await asyncio.sleep(0.3)
        await settle(pilot)
        assert banner_text(app) == ""
        assert app.pane.plan.size.height == height


async def test_an_alarm_stays_until_it_is_acknowledged() -> None:
    app = make(story(), banner_seconds=0.05)
    async with app.run_test(size=(40, 30)) as pilot:
        await settle(pilot)
        feed_of(app).send(Update(story(), alarms=(ALARM, ALARM)))
        await settle(pilot)
        await asyncio.sleep(0.1)
        assert "AGENT STARTED WHAT YOU VETOED" in banner_text(app)
        assert "1 of 2" in banner_text(app)
        await pilot.press("space")
        await settle(pilot)
        assert app.pane.banner.alarmed
        await pilot.press("x", "x")
        await settle(pilot)
        assert banner_text(app) == ""


async def test_an_alarm_is_seen_even_in_eight_lines() -> None:
    app = make(story(), sample())
    async with app.run_test(size=(24, 8)) as pilot:
        await settle(pilot)
        feed_of(app).send(Update(story(), alarms=(ALARM,)))
        await settle(pilot)
        assert "! VETOED TASK STARTED" in banner_text(app)


@pytest.mark.parametrize(
    ("update", "settings", "rings"),
    [
        (Update(story(), alarms=(ALARM,)), {}, 1),
        (Update(story(), transitions=(PIVOT,)), {}, 1),
        (Update(story(), transitions=(Transition(Change.FINISHED),)), {}, 1),
        (Update(story(), transitions=(Transition(Change.STARTED, ("k",), ("x",)),)), {}, 0),
        (Update(story(), alarms=(ALARM,)), {"bell": False}, 0),
    ],
)
async def test_what_rings_the_bell(
    update: Update,
    settings: dict[str, object],
    rings: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bells: list[int] = []
    app = make(story(), **settings)
    monkeypatch.setattr(app, "bell", lambda: bells.append(1))
    async with app.run_test(size=(40, 30)) as pilot:
        await settle(pilot)
        feed_of(app).send(update)
        await settle(pilot)
        assert len(bells) == rings


async def test_many_at_once_are_cut_to_the_weightiest_and_all_are_in_the_log() -> None:
    added = tuple(Transition(Change.ADDED, (f"a{n}",), (f"Extra {n}",), NOW) for n in range(20))
    app = make(story())
    async with app.run_test(size=(60, 40)) as pilot:
        await settle(pilot)
        feed_of(app).send(Update(story(), transitions=(*added, PIVOT)))
        await settle(pilot)
        assert len(app._happenings) == 21
        banner = app.pane.banner
        assert banner.wanted(60) <= 4
        assert PIVOT in [h.subject for h in (*banner._showing, *banner._waiting)]


async def test_a_notice_does_not_wait_for_its_turn() -> None:
    app = make(story())
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        feed_of(app).send(Update(story(), transitions=(PIVOT,) * 4))
        feed_of(app).send(Update(story(), notices=("one", "two", "three")))
        await settle(pilot)
        text = banner_text(app)
        assert "one" not in text.split("\n")[-2]
        assert text.endswith("· three")


async def test_an_alarm_closes_what_hides_the_plan() -> None:
    app = make(story())
    async with app.run_test(size=(60, 30)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        assert app.screen is not app.pane
        feed_of(app).send(Update(story(), alarms=(ALARM,)))
        await settle(pilot)
        assert app.screen is app.pane
        assert "AGENT STARTED WHAT YOU VETOED" in banner_text(app)


async def test_the_log_keeps_the_last_two_hundred() -> None:
    app = make(story())
    async with app.run_test(size=(60, 40)) as pilot:
        await settle(pilot)
        for _ in range(3):
            feed_of(app).send(Update(story(), notices=tuple(str(n) for n in range(100))))
        await settle(pilot)
        assert len(app._happenings) == 200


async def test_signals_and_notices_are_told() -> None:
    app = make(story(), sample())
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        freed = Signal(Event.DISK_FREED, "/shared", 540_000_000_000, NOW, "", 1_485_000_000_000)
        host_of(app).send(sample(), freed)
        await settle(pilot)
        assert "/shared 540 GB freed · 1485 GB free" in banner_text(app)
        feed_of(app).send(Update(story(), notices=("recorded, but not stored: disk full",)))
        await settle(pilot)
        assert "recorded, but not stored: disk full" in banner_text(app)


@pytest.mark.parametrize("change", Change)
def test_a_task_reads_in_a_banner_as_in_the_checklist(change: Change) -> None:
    texts = ("one\x1b[31m\ntask", "the\u202e other")
    event = Transition(change, ("k1", "k2"), texts, NOW, before="old\nwords")
    lines = Happening(NOW, event).lines(80, UNICODE)
    shown = "".join(text for line in lines for text, _ in line)
    assert neutralise(shown) == shown.strip()
    if change not in (Change.FINISHED, Change.REPLACED):
        assert "one task" in shown


@pytest.mark.parametrize("width", [10, 24, 40, 100])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_happening_fits_its_width(width: int, glyphs: object) -> None:
    from tui.widgets.ink import length

    subjects = [
        *(Transition(c, ("a", "b"), (TEXTS[2], TEXTS[3]), NOW, 41.0, False) for c in Change),
        *(Signal(e, "GPU 0-7", 720 * 2**30, NOW, "vllm (pid 4711)", 5 * 2**30) for e in Event),
        ALARM,
        "a notice that is rather long and therefore must be broken into several lines of text",
    ]
    for subject in subjects:
        lines = Happening(NOW, subject).lines(width, glyphs)  # type: ignore[arg-type]
        assert lines
        if width >= 24:
            assert all(length(line) <= width for line in lines), subject
