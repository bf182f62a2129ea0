"""Which task is which: a directive must never land on a task that might be another one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.plan.identity import Doubt, Known, match, normalise, tokens
from tui.plan.model import Status, Task


def known(*texts: str, **more: object) -> list[Known]:
    return [Known(f"k{i}", text, **more) for i, text in enumerate(texts)]  # type: ignore[arg-type]


def tasks(*texts: str) -> list[Task]:
    return [Task(text) for text in texts]


def found(old: list[Known], new: list[Task]) -> list[int | None]:
    return list(match(old, new).of)


class TestNormalising:
    @pytest.mark.parametrize(
        "text",
        [
            "Write the docs",
            "- write the docs.",
            "  * [x] Write   the DOCS!",
            "1. Write the docs",
            "12) Write the docs:",
            "\uff37rite the docs",
            "→ Write the docs",
        ],
    )
    def test_what_agents_vary_freely_is_folded(self, text: str) -> None:
        assert normalise(text) == "write the docs"

    def test_words_that_carry_meaning(self) -> None:
        assert tokens("Writing the docs for all parsers") == {"writ", "docs", "parser"}
        assert tokens("...") == frozenset()


def test_equal_texts_are_equal_in_any_order() -> None:
    assert found(known("a", "b", "c"), tasks("c", "a", "b")) == [2, 0, 1]


def test_normalised_texts_are_equal() -> None:
    assert found(known("Write docs", "Test"), tasks("- [ ] write docs.", "2) TEST")) == [0, 1]


def test_exact_goes_before_normalised() -> None:
    assert found(known("write docs", "Write docs"), tasks("Write docs", "write docs")) == [1, 0]


class TestDuplicates:
    def test_the_kth_is_the_kth(self) -> None:
        old = known("Run tests", "Fix", "Run tests")
        assert found(old, tasks("Run tests", "Run tests", "Fix")) == [0, 2, 1]

    def test_one_that_was_done_is_not_begun_again_while_another_waits(self) -> None:
        old = [
            Known("k0", "Run tests", status=Status.COMPLETED),
            Known("k1", "Fix"),
            Known("k2", "Run tests"),
        ]
        assert found(old, tasks("Fix", "Run tests")) == [1, 2]

    def test_one_that_is_new_does_not_take_the_done_ones_place(self) -> None:
        old = [Known("k0", "Run tests", status=Status.COMPLETED)]
        new = [Task("Run tests"), Task("Run tests", Status.COMPLETED)]
        assert found(old, new) == [None, 0]

    def test_a_single_one_may_be_reopened(self) -> None:
        old = [Known("k0", "Run tests", status=Status.COMPLETED)]
        assert found(old, tasks("Run tests")) == [0]


class TestIds:
    def test_a_reworded_task_is_known_by_its_id(self) -> None:
        old = [Known("k0", "Write docs", "1"), Known("k1", "Test it", "2")]
        new = [Task("Something else altogether", id="2"), Task("Write docs", id="1")]
        assert found(old, new) == [1, 0]

    def test_numbering_anew_after_a_task_was_dropped(self) -> None:
        old = [Known(f"k{i}", text, str(i)) for i, text in enumerate("ABC")]
        new = [Task("A", id="0"), Task("C", id="1")]
        assert found(old, new) == [0, 2]

    def test_numbering_anew_at_the_end_of_a_long_list(self) -> None:
        texts = [f"Distinct words {'abcdefghij'[i] * 5}" for i in range(10)]
        old = [Known(f"k{i}", text, str(i)) for i, text in enumerate(texts)]
        new = [Task(text, id=str(i)) for i, text in enumerate(texts[:8] + texts[9:])]
        assert found(old, new) == [*range(8), 9]

    def test_a_new_list_numbered_from_one_is_a_new_list(self) -> None:
        old = [Known(f"k{i}", text, str(i)) for i, text in enumerate(("Parse", "Lex", "Link"))]
        new = [Task(text, id=str(i)) for i, text in enumerate(("Boil", "Bake", "Fry"))]
        assert found(old, new) == [None, None, None]

    def test_an_id_alone_does_not_carry_a_veto_over_to_other_words(self) -> None:
        old = [
            Known("k0", "Delete the old model", "1", guarded=True),
            Known("k1", "Test it", "2"),
            Known("k2", "Ship it", "3"),
        ]
        new = [Task("Download weights", id="1"), Task("Test it", id="2"), Task("Ship it", id="3")]
        matching = match(old, new)
        assert matching.of == (None, 1, 2)
        assert matching.doubts == (Doubt(old[0], "Download weights"),)

    def test_ids_that_are_not_unique_say_nothing(self) -> None:
        old = [Known("k0", "Parse", "1"), Known("k1", "Lex", "1")]
        assert found(old, [Task("Lex", id="1"), Task("Parse", id="1")]) == [1, 0]


class TestWording:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (
                "Delete Kimi-K2.5-NVFP4 model (540GB) to free space",
                "Delete the Kimi-K2.5-NVFP4 model (540 GB) to free space",
            ),
            ("Implement retry logic in uploader", "Implementing the retry logic in the uploader"),
            ("Benchmark cache eviction policy", "Benchmark the eviction policy of the cache"),
        ],
    )
    def test_reworded(self, before: str, after: str) -> None:
        old = known("Set up CI", before, "Write release notes")
        assert found(old, tasks("Write release notes", "Set up CI", after)) == [2, 0, 1]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Add unit tests for the parser", "Add unit tests for the lexer"),
            ("Deploy service to staging", "Deploy service to production"),
            ("Download model A", "Download model B"),
            ("Migrate users table", "Migrate orders table"),
        ],
    )
    @pytest.mark.parametrize("guarded", [False, True])
    def test_near_duplicates_are_different(self, one: str, other: str, guarded: bool) -> None:
        old = [Known("k0", one, guarded=guarded), *known("Set up CI", "Write release notes")]
        new = tasks(other, "Set up CI", "Write release notes")
        matching = match(old, new)
        if guarded:
            assert matching.of[0] is None
            assert all(doubt.content == other for doubt in matching.doubts)
        # In place and with half of the words an unguarded one may still be the same; alone never.
        assert found([Known("k0", one)], tasks(other))[0] is None

    def test_two_candidates_that_are_as_good_are_none(self) -> None:
        old = known("Tune the cache of the api server today")
        new = tasks("Tune the cache of the api server now", "Tune the cache of the api server soon")
        assert found(old, new) == [None, None]

    def test_a_finished_task_does_not_come_back_in_other_words(self) -> None:
        old = [Known("k0", "Write the docs of the parser", status=Status.COMPLETED)]
        assert found(old, tasks("Write docs of the parser again")) == [None]
        new = [Task("Write docs of the parser again", Status.COMPLETED)]
        assert found([*old, Known("k1", "b")], [*new, Task("b")])[1] == 1

    def test_a_guarded_task_needs_more_likeness_and_the_user_is_asked(self) -> None:
        text, new = "Remove stale checkpoints from disk", "Remove stale checkpoints from disk array"
        others = ("Set up CI", "Write notes", "Tag it")
        loose = match([*known(text), *known(*others)], tasks(new, *others))
        assert loose.of[0] == 0
        wanting = "Remove stale checkpoints from array now"
        guarded = [Known("g", text, guarded=True), *known(*others)]
        strict = match(guarded, tasks(wanting, *others))
        assert strict.of[0] is None
        assert strict.doubts == (Doubt(guarded[0], wanting),)

    def test_no_words_are_like_no_words(self) -> None:
        assert found(known("..."), tasks("???")) == [0]  # both say nothing: equal when folded
        assert found(known("...", "x"), tasks("y", "z")) == [None, None]


class TestNeighbours:
    def test_the_last_one_left_in_its_old_place(self) -> None:
        old = known("Set up CI", "Check parser output", "Ship")
        assert found(old, tasks("Set up CI", "Check parser results", "Ship")) == [0, 1, 2]

    def test_not_without_any_neighbour(self) -> None:
        assert found(known("Check parser output"), tasks("Check parser results")) == [None]

    def test_not_with_other_words(self) -> None:
        old = known("Set up CI", "Deploy the parser", "Ship")
        assert found(old, tasks("Set up CI", "Benchmark the lexer", "Ship")) == [0, None, 2]

    def test_not_for_a_guarded_one(self) -> None:
        old = [*known("Set up CI"), Known("g", "Check parser output", guarded=True)]
        assert found(old, tasks("Set up CI", "Check parser results")) == [0, None]

    def test_not_for_a_ghost_whose_place_says_nothing(self) -> None:
        old = [*known("Set up CI"), Known("g", "Check parser output", ghost=True)]
        assert found(old, tasks("Set up CI", "Check parser results")) == [0, None]


TEXTS = st.lists(st.sampled_from(["a b c", "a b d", "A b c.", "x", "", "x y z", "- x"]), max_size=8)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(TEXTS, TEXTS, st.lists(st.booleans(), min_size=8, max_size=8))
def test_a_matching_is_one_to_one_and_keeps_equal_texts(
    old: list[str], new: list[str], guarded: list[bool]
) -> None:
    knowns = [Known(f"k{i}", t, guarded=guarded[i]) for i, t in enumerate(old)]
    matching = match(knowns, tasks(*new))
    used = [i for i in matching.of if i is not None]
    assert len(used) == len(set(used))
    assert len(matching.of) == len(new)
    assert match(knowns, tasks(*new)) == matching
    assert list(match(knowns, tasks(*old)).of) == list(range(len(old)))


def test_ten_thousand_tasks_take_bounded_time() -> None:
    texts = [f"Write part {i} of the {'parser lexer cache'.split()[i % 3]}" for i in range(10_000)]
    old = known(*texts)
    started = time.perf_counter()
    few = texts[:5000] + ["brand new"] + [t + " again" for t in texts[5000:5010]] + texts[5010:]
    assert found(old, tasks(*few))[:5000] == list(range(5000))
    assert set(found(old, tasks(*(f"Bake {i}" for i in range(10_000))))) == {None}
    assert found(known(*["same"] * 10_000), tasks(*["same"] * 9_999)) == list(range(9_999))
    assert time.perf_counter() - started < 5
