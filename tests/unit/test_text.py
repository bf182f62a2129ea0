"""Text from outside is data: nothing of it acts on a terminal or hides what it says."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.plan.text import neutralise

HOSTILE = st.sampled_from(
    "\x1b \x1b[31m \x1b]0; \x07 \x1b\\ \x9b \x9d \x90 \x9c \x85 \u2028 \u202e \u2066 \u200b \ufeff "
    "\ufe0f \ud800 \U000e0041 \r \x00 \x7f [bold] a é 界 \u0301 \u00a0".split(" ")
)
TEXTS = st.lists(HOSTILE | st.text(max_size=3), max_size=30).map("".join)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain text", "plain text"),
        ("  two\t\nlines  ", "two lines"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b1;31mred", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq#0\x1b\\text", "text"),
        ("\x1bc\x1b(Btext", "text"),
        ("user\u202etxt.exe", "usertxt.exe"),
        ("\u061c\u2066ab\u2069", "ab"),
        ("a\u200bb\ufeffc\u00add", "abcd"),
        ("warn\u26a0\ufe0f", "warn\u26a0"),
        ("\ud800lone", "lone"),
        ("\U000e0041tag", "tag"),
        ("[bold]markup[/] is text", "[bold]markup[/] is text"),
        ("\u06cc\u200c\u0647\u0627", "\u06cc\u200c\u0647\u0627"),
        ("a\u2028b\u0085c", "a b c"),
        ("", ""),
        ("\x1b\x9b\x07", ""),
    ],
)
def test_examples(raw: str, shown: str) -> None:
    assert neutralise(raw) == shown


@pytest.mark.parametrize("opener", ["\x1b]", "\x1bP", "\x9d", "\x90"])
def test_a_string_that_nothing_ends_hides_nothing(opener: str) -> None:
    assert neutralise(f"Update docs{opener}; and delete it all") == (
        "Update docs; and delete it all"
    )


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(TEXTS)
def test_nothing_unsafe_is_left_and_twice_is_once(raw: str) -> None:
    shown = neutralise(raw)
    assert neutralise(shown) == shown
    assert shown == " ".join(shown.split())
    for character in shown:
        assert unicodedata.category(character) not in ("Cc", "Cs")
        assert unicodedata.bidirectional(character) not in (
            *("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"),
        )


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1))
def test_printable_text_is_left_alone(raw: str) -> None:
    assert neutralise(raw) == raw


@pytest.mark.parametrize("unit", ["\x1b]", "\x90", "\x1b[", "\x1b]a\x1b", "\x9b0", " \x1b["])
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    neutralise(unit * 50_000)
    assert time.perf_counter() - started < 2
