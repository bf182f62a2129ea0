"""Lines as values: whatever a task's text is, a row has exactly the cells it was given."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from tests.pane.fakes import HOLD, NOW, VETO, row
from tui.figures import gigabytes, rate, short
from tui.glyphs import ASCII, UNICODE, Glyphs
from tui.plan.model import Priority, Status
from tui.plan.steering import Kind, Mark, State
from tui.plan.text import neutralise
from tui.widgets.ink import Ink, bar, clip, differing, length, wrap
from tui.widgets.listing import FOLD, Cursor, listed, neighbour
from tui.widgets.rowlook import Look
from tui.widgets.wording import mark_sentence, running

WEIRD = {
    "plain": "Check disk space and plan cleanup",
    "cjk": "清理磁盘空间并规划下载 Kimi-K2.5 模型到共享目录",
    "emoji": "Ship 🚀 the 👩‍👩‍👧 family 🇩🇪 build ✔️ now",
    "rtl": "מחק את המודל הישן לפני ההורדה החדשה והמשך",
    "combining": "Z̷͉̈a̶̡̛l̴̰̈́g̵̱̈́o̴̲͝ text that stacks marks",
    "markup": "[bold red]not[/] [@click=app.quit]markup[/] \\[x]",
    "long": "word " * 800,
    "unbroken": "x" * 4000,
    "empty": "",
}


def text_of(line: tuple[tuple[str, Ink], ...]) -> str:
    """Return a line's text without its inks."""
    return "".join(text for text, _ in line)


@pytest.mark.parametrize("name", WEIRD)
@pytest.mark.parametrize("width", [12, 24, 40, 80])
@pytest.mark.parametrize("limit", [1, 3])
def test_a_row_never_leaves_its_width(name: str, width: int, limit: int) -> None:
    content = neutralise(WEIRD[name])
    task = row(1, content, Status.IN_PROGRESS, since=NOW - 4000, marks=(VETO,))
    for look in (Look(width, UNICODE, NOW, False), Look(width, ASCII, NOW, True)):
        lines = look.lines(task, "", True, limit)
        assert 1 <= len(lines) <= limit + 1
        assert all(length(line) <= width - 1 or width < 24 for line in lines)


def test_markup_in_a_task_is_shown_as_it_is() -> None:
    (line,) = Look(80, UNICODE, NOW, False).lines(row(1, WEIRD["markup"]), "", False, 1)
    assert WEIRD["markup"] in text_of(line)


def test_wide_characters_are_not_cut_in_half() -> None:
    for width in range(1, 20):
        assert cell_len(clip(WEIRD["cjk"], width, "…")) <= width


def test_wrapping_keeps_every_word_and_marks_what_is_missing() -> None:
    text = "Delete Kimi-K2.5-NVFP4 model (540GB) to free space"
    assert " ".join(wrap(text, 20, 9, "…")) == text
    assert wrap(text, 20, 2, "…")[-1].endswith("…")
    assert all(cell_len(line) <= 20 for line in wrap(WEIRD["cjk"], 20, 9, "…"))
    assert cell_len(wrap(text, 30, 3, "…", reserve=10)[0]) <= 20


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_sign_takes_one_cell(glyphs: Glyphs) -> None:
    for name in Glyphs.__slots__:
        sign = getattr(glyphs, name)
        assert cell_len(sign) == (2 if sign == "->" else 1), name
        assert glyphs is UNICODE or sign.isascii()


def test_status_and_priority_are_told_without_colour() -> None:
    for glyphs in (UNICODE, ASCII):
        assert len({glyphs.status(s) for s in Status}) == len(Status)
        assert len({glyphs.priority(p) for p in (*Priority, None)}) == 4
        states = (State.RECORDED, State.STORED, State.DELIVERED, State.ACKNOWLEDGED, State.DEFIED)
        assert len({glyphs.state(s) for s in states}) == 5


def test_a_decision_is_told_in_words_when_wide_and_in_signs_when_narrow() -> None:
    task = row(1, "Benchmark", marks=(VETO,))
    (wide,) = Look(40, UNICODE, NOW, False).lines(task, "", False, 1)
    (narrow,) = Look(24, UNICODE, NOW, False).lines(task, "", False, 1)
    assert text_of(wide).endswith("veto · stored")
    assert text_of(narrow).endswith("⊘↓")
    assert text_of(narrow).startswith(" ⊘ Benchmark")


def test_an_act_under_way_shows_in_place_of_the_decision() -> None:
    (line,) = Look(40, UNICODE, NOW, False).lines(row(1, "x", marks=(HOLD,)), "veto", False, 1)
    assert text_of(line).endswith("veto…")


def test_a_lower_bound_is_marked() -> None:
    task = row(1, "x", Status.COMPLETED, took=1692.0, exact=False)
    (line,) = Look(40, UNICODE, NOW, False).lines(task, "", False, 1)
    assert text_of(line).endswith("≥28m")


def test_times_and_amounts_in_words() -> None:
    assert [short(s) for s in (0, 41, 60, 1692, 3900, 90000)] == [
        "0s", "41s", "1m", "28m", "1h05", "1d01h",
    ]  # fmt: skip
    assert [running(s) for s in (-3, 3, 14, 59, 61)] == ["<5s", "<5s", "10s", "55s", "1m"]
    assert [gigabytes(n) for n in (2.5e9, 762e9, 1700e9, 12e12)] == [
        "2.5 GB", "762 GB", "1700 GB", "12 TB",
    ]  # fmt: skip
    rates = (None, 0.0, 330e6, -2.1e9, 1.2e6)
    assert [rate(r) for r in rates] == ["", "", "+330 MB/s", "-2.1 GB/s", "+1.2 MB/s"]


def test_every_state_of_every_directive_has_its_sentence() -> None:
    for kind in Kind:
        for state in State:
            for status in Status:
                assert mark_sentence(Mark(kind, state, reason="why"), status).endswith("why")


def test_a_gauge_shows_something_from_one_per_cent_on() -> None:
    def cells(share: float) -> int:
        return len(bar(share, 10, "#", "-", Ink.ACCENT)[0][0])

    assert [cells(s) for s in (0.0, 0.009, 0.01, 0.5, 0.999, 1.0)] == [0, 0, 1, 5, 9, 10]


@pytest.mark.parametrize(
    ("old", "new", "cells"),
    [
        ([("util ", Ink.DIM), ("97%", Ink.TEXT)], [("util ", Ink.DIM), ("98%", Ink.TEXT)], (6, 7)),
        ([("a", Ink.DIM), ("b", Ink.TEXT)], [("a", Ink.DIM), ("b", Ink.BAD)], (1, 2)),
        ([("a", Ink.DIM), ("b", Ink.TEXT)], [("a", Ink.DIM), ("bc", Ink.TEXT)], (2, 20)),
        ([("a", Ink.DIM), ("b", Ink.TEXT)], [("a", Ink.CURSOR), ("b", Ink.TEXT)], (0, 20)),
        ([("清理 1", Ink.DIM), ("x", Ink.TEXT)], [("清理 2", Ink.DIM), ("x", Ink.TEXT)], (0, 6)),
        ([("aab", Ink.DIM)], [("aaab", Ink.DIM)], (2, 20)),
        ([("aaa", Ink.DIM)], [("aba", Ink.DIM)], (1, 2)),
        ([], [("x", Ink.DIM)], (0, 20)),
    ],
)
def test_only_the_cells_that_differ_are_drawn_again(
    old: list[tuple[str, Ink]], new: list[tuple[str, Ink]], cells: tuple[int, int]
) -> None:
    assert differing(tuple(old), tuple(new), 20) == cells


def test_filter_and_fold() -> None:
    rows = [
        row(1, "Delete model", Status.COMPLETED),
        row(2, "Download MODEL", Status.IN_PROGRESS),
        row(3, "Benchmark", Status.COMPLETED),
        row(4, "Report"),
    ]
    assert listed(rows) == [0, 1, 2, 3]
    assert listed(rows, "model do") == [1]
    assert listed(rows, fold=True) == [FOLD, 1, 3]
    assert neighbour(rows, 3, -1) is rows[1]
    assert neighbour(rows, 1, -1) is None


def test_the_cursor_follows_the_work_until_the_user_takes_it_elsewhere() -> None:
    rows = [row(n, f"Task {n}") for n in range(1, 6)]
    where = {r.key: n for n, r in enumerate(rows)}
    cursor = Cursor()
    cursor.adapt("k2", rows, where, {})
    assert cursor.key == "k2"
    cursor.adapt("k3", rows, where, where)
    assert cursor.key == "k3"
    cursor.place("k5")
    cursor.adapt("k4", rows, where, where)
    assert cursor.key == "k5"
    cursor.place("k4")
    cursor.adapt("k1", rows, where, where)
    assert cursor.key == "k1"


def test_the_cursor_goes_to_the_next_task_when_its_own_is_gone() -> None:
    rows = [row(n, f"Task {n}") for n in range(1, 6)]
    was = {r.key: n for n, r in enumerate(rows)}
    cursor = Cursor()
    cursor.adapt("", rows, was, {})
    cursor.place("k3")
    left = [replace(r) for r in rows if r.key != "k3"]
    cursor.adapt("", left, {r.key: n for n, r in enumerate(left)}, was)
    assert cursor.key == "k4"
