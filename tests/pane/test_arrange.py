"""How the panes share a height: the plan is always there, the rest folds first."""

from __future__ import annotations

from itertools import product

from tui.widgets.arrange import Wants, arrange

FULL = Wants(header=4, plan=5, disks=3, gpus=9, banner=0, keys=1)


def test_the_plan_always_has_a_line() -> None:
    for width, height, banner in product((24, 40, 80, 160), range(1, 60), (0, 3)):
        wants = Wants(header=4, plan=500, disks=3, gpus=9, banner=banner, keys=1)
        heights = arrange(width, height, wants)
        column = ("header", "detail", "banner", "keys")
        stacked = (*column, "disks", "gpus") if width < 100 else column
        taken = sum(heights[pane] for pane in stacked)
        assert height - taken >= min(height, 1 if height < 5 else 2)


def test_eight_lines_hold_everything_folded() -> None:
    heights = arrange(40, 8, FULL)
    assert heights == {
        "header": 1, "detail": 0, "disks": 1, "gpus": 1, "lately": 0, "banner": 0, "keys": 1,
    }  # fmt: skip


def test_a_pane_is_whole_or_one_line() -> None:
    for height in range(8, 60):
        heights = arrange(40, height, FULL)
        assert heights["gpus"] in (1, 9, 10)
        assert heights["disks"] in (1, 3, 4)


def test_everything_has_its_room_in_fifty_lines() -> None:
    heights = arrange(40, 50, FULL)
    assert (heights["header"], heights["disks"], heights["gpus"]) == (4, 4, 10)
    assert heights["detail"] == 7


def test_a_banner_takes_a_line_even_in_eight() -> None:
    assert arrange(40, 8, Wants(header=4, plan=5, disks=3, gpus=9, banner=3))["banner"] == 1


def test_the_host_stands_beside_the_plan_when_wide() -> None:
    heights = arrange(160, 45, FULL)
    assert heights["lately"] > 10
    assert arrange(160, 8, FULL)["disks"] == 3
