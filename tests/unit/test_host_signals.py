"""Signals: one for each thing that happened, told from whole stories of samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.host.rates import UsedRate
from tui.host.sample import Condition, Disk, Event, Gpu, Sample, Signal
from tui.host.signals import Signals, span

GB = 10**9
GIB = 2**30
TOTAL = 1700 * GB
CARD = 97887 * 2**20
MINIMAX = (4242, "vllm serve MiniMax-M2.5", 90 * GIB)
KIMI = (5555, "vllm serve Kimi-K2.5", 90 * GIB)


def disk(used: float, **more: object) -> Disk:
    new = Disk("9:0", "/shared", "/shared", "ext4", TOTAL, int(used), TOTAL - int(used))
    return replace(new, **more)


def told(samples: Iterable[Sample], signals: Signals | None = None) -> list[tuple[float, Signal]]:
    signals = signals or Signals()
    return [(sample.at, s) for sample in samples for s in signals.feed(sample)]


def disk_story(
    used: Callable[[float], float], seconds: float, step: float = 2.0, **more: object
) -> list[Sample]:
    times = [i * step for i in range(int(seconds / step) + 1)]
    return [Sample(t, (disk(used(t), **more),)) for t in times]


def gpu_story(
    used: Callable[[int, float], int],
    seconds: float,
    holders: Callable[[int, float], tuple[tuple[int, str, int | None], ...]] = lambda g, t: (),
    step: float = 2.0,
    count: int = 8,
) -> list[Sample]:
    def card(g: int, t: float) -> Gpu:
        return Gpu(f"GPU-{g}", g, "RTX", CARD, used(g, t), holders=holders(g, t))

    times = [i * step for i in range(int(seconds / step) + 1)]
    return [Sample(t, (), tuple(card(g, t) for g in range(count))) for t in times]


def delete(t: float) -> float:
    """755 GB in use, of which 540 go within six seconds from t = 20 on."""
    return (755 - 540 * min(1.0, max(0.0, (t - 20) / 6))) * GB


def download(t: float) -> float:
    """547 GB arrive at 330 MB/s from t = 10 on."""
    return 215 * GB + min(547 * GB, max(0.0, t - 10) * 0.33 * GB)


def test_the_delete_of_the_story_is_one_signal_with_its_total():
    ((at, signal),) = told(disk_story(delete, 120))
    assert signal.event is Event.DISK_FREED
    assert (signal.where, signal.amount) == ("/shared", 540 * GB)
    assert signal.left == TOTAL - 215 * GB
    assert 26 < at <= 40


def test_the_download_of_the_story_is_told_rarely_and_whole_at_its_end():
    signals = told(disk_story(download, 30 * 60))
    assert {s.event for _, s in signals} == {Event.DISK_FILLED}
    assert len(signals) == 3
    assert signals[-1][1].amount == 547 * GB


def test_a_story_told_twenty_times_faster_gives_the_same_signals():
    story = disk_story(delete, 60) + [
        replace(s, at=s.at + 60) for s in disk_story(download, 30 * 60)
    ]
    fast = [replace(s, at=s.at / 20) for s in story]
    assert [(s.event, s.amount) for _, s in told(story)] == [
        (s.event, s.amount) for _, s in told(fast, Signals(pace=20.0))
    ]


def test_a_delete_during_a_download_is_not_lost_in_it():
    signals = told(disk_story(lambda t: delete(t) + max(0.0, t) * 0.33 * GB, 200))
    freed = [s for _, s in signals if s.event is Event.DISK_FREED]
    assert len(freed) == 1
    assert 530 * GB < freed[0].amount <= 540 * GB


def test_the_jumps_of_a_file_system_that_allocates_ahead_are_one_filling():
    def jumps(t: float) -> float:
        return 100 * GB + min(200 * GB, int(max(0.0, t - 10) * 0.8 / 24) * 24 * GB)

    ((_, signal),) = told(disk_story(jumps, 400, fstype="xfs"))
    assert (signal.event, signal.amount) == (Event.DISK_FILLED, 200 * GB)


@pytest.mark.parametrize("per_second", [0.0, 0.001 * GB, 0.004 * GB, -0.001 * GB])
def test_background_writing_is_no_event(per_second):
    assert not told(disk_story(lambda t: 500 * GB + per_second * t, 3600))


def test_the_first_sample_is_only_the_baseline():
    assert not told([Sample(1.0, (disk(755 * GB),), (Gpu("g", 0, "", CARD, 90 * GIB),))])


def test_another_file_system_under_the_same_name_frees_nothing():
    before = [Sample(float(t), (disk(755 * GB),)) for t in range(0, 20, 2)]
    grown = disk(10 * GB, total=2 * TOTAL)
    after = [Sample(float(t), (grown,)) for t in range(20, 80, 2)]
    assert not told(before + after)


def test_an_unmount_and_a_mount_free_nothing():
    before = [Sample(float(t), (disk(755 * GB),)) for t in range(0, 20, 2)]
    gone = [Sample(float(t), ()) for t in range(20, 30, 2)]
    after = [Sample(float(t), (disk(1 * GB),)) for t in range(30, 80, 2)]
    assert not told(before + gone + after)


def test_stale_figures_are_no_news_and_what_happened_meanwhile_is_told():
    stale = disk(755 * GB, condition=Condition.STALE)
    story = [Sample(0.0, (disk(755 * GB),))]
    story += [Sample(float(t), (stale,)) for t in range(2, 60, 2)]
    story += [Sample(float(t), (disk(215 * GB),)) for t in range(60, 90, 2)]
    ((_, signal),) = told(story)
    assert signal.amount == 540 * GB


def test_smaller_floors_serve_smaller_stories():
    signals = Signals(disk_floor=1e6, disk_share=0.0)
    story = disk_story(lambda t: 5e9 - (5e6 if t >= 10 else 0), 40)
    ((_, signal),) = told(story, signals)
    assert signal.amount == 5_000_000


def test_a_server_that_ends_is_one_release_by_name():
    def used(g: int, t: float) -> int:
        return 90 * GIB if t < 20 + g % 3 * 2 else 0

    def holders(g: int, t: float) -> tuple[tuple[int, str, int | None], ...]:
        return ((4242 + g, MINIMAX[1], 90 * GIB),) if t < 26 else ()

    ((at, signal),) = told(gpu_story(used, 80, holders))
    assert signal.event is Event.VRAM_RELEASED
    assert (signal.where, signal.amount) == ("GPU 0-7", 8 * 90 * GIB)
    assert signal.by == "vllm serve MiniMax-M2.5"
    assert signal.left == 8 * CARD
    assert at <= 34


def test_a_server_that_loads_for_minutes_is_one_claim_at_its_end():
    def used(_: int, t: float) -> int:
        return int(min(90.0, max(0.0, t - 20) * 0.4) * GIB)

    def holders(_: int, t: float) -> tuple[tuple[int, str, int | None], ...]:
        return (KIMI,) if t >= 22 else ()

    ((_, signal),) = told(gpu_story(used, 400, holders))
    assert signal.event is Event.VRAM_CLAIMED
    assert (signal.amount, signal.by) == (8 * 90 * GIB, KIMI[1])


def test_the_pivot_is_a_release_and_then_a_claim():
    def used(_: int, t: float) -> int:
        return 90 * GIB if t < 20 else int(min(85.0, max(0.0, t - 26) * 0.5) * GIB)

    signals = told(
        gpu_story(used, 400, lambda _, t: (MINIMAX,) if t < 22 else (KIMI,) if t > 30 else ())
    )
    assert [(s.event, s.amount // GIB, s.by) for _, s in signals] == [
        (Event.VRAM_RELEASED, 720, MINIMAX[1]),
        (Event.VRAM_CLAIMED, 680, KIMI[1]),
    ]


def test_only_the_gpus_concerned_are_named():
    def used(g: int, t: float) -> int:
        return 10 * GIB if t >= 10 and g in (0, 2, 3) else 0

    ((_, signal),) = told(gpu_story(used, 60))
    assert (signal.where, signal.amount, signal.by) == ("GPU 0,2-3", 30 * GIB, "")


def test_less_than_a_gib_is_noise():
    assert not told(gpu_story(lambda g, t: int(t) % 4 * GIB // 8, 600))


def test_a_lost_gpu_released_nothing():
    ok = Gpu("GPU-0", 0, "RTX", CARD, 90 * GIB)
    lost = replace(ok, memory_used=None, condition=Condition.LOST)
    story = [Sample(t * 2.0, (), (ok if t < 5 else lost,)) for t in range(30)]
    assert not told(story)


@given(st.lists(st.tuples(st.floats(0.1, 30), st.integers(0, TOTAL)), max_size=60))
def test_no_two_signals_tell_of_the_same_bytes(steps):
    at, story = 0.0, []
    for gap, used in steps:
        at += gap
        story.append(Sample(at, (disk(used),)))
    moved = sum(abs(b.disks[0].used - a.disks[0].used) for a, b in pairwise(story))
    # A long filling is told before its end too, so only episodes shorter than that are summed.
    if at < 600:
        assert sum(s.amount for _, s in told(story)) <= moved


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([0], "0"), (range(8), "0-7"), ([3, 0, 2], "0,2-3"), ([1, 3, 5], "1,3,5")],
)
def test_span(numbers, text):
    assert span(numbers) == text


def test_a_rate_is_the_change_over_its_window():
    rate = UsedRate()
    assert rate.feed(0.0, 1, TOTAL, 0) is None
    found = [rate.feed(t * 2.0, 1, TOTAL, t * 2 * GB) for t in range(1, 20)]
    assert found == pytest.approx([float(GB)] * 19)


def test_a_rate_smooths_jumps_and_rests_at_zero():
    rate = UsedRate()
    rates = [rate.feed(t * 2.0, 1, TOTAL, (t // 4) * 8 * GB) for t in range(20)]
    assert all(0.5 * GB <= r <= 2 * GB for r in rates[8:] if r is not None)
    assert [rate.feed(t * 2.0, 1, TOTAL, 32 * GB) for t in range(20, 40)][-1] == 0.0


@pytest.mark.parametrize(("mount", "total"), [(2, TOTAL), (1, TOTAL * 2)])
def test_a_rate_starts_anew_with_another_file_system(mount, total):
    rate = UsedRate()
    rate.feed(0.0, 1, TOTAL, 0)
    assert rate.feed(2.0, mount, total, 500 * GB) is None
    assert rate.feed(4.0, mount, total, 500 * GB) == 0.0
