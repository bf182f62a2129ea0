"""Disks and GPUs at every width, and what is shown of those that are not well."""

from __future__ import annotations

from dataclasses import replace

from tests.pane.fakes import DISKS, NOW, gpus, host_of, make, sample, story
from tui.app import SteerpaneApp
from tui.host.sample import Condition, Sample
from tui.widgets.painted import Painted


def lines_of(pane: Painted) -> list[str]:
    """Return what a pane shows."""
    return [pane.render_line(y).text.rstrip() for y in range(pane.size.height)]


async def shown(size: tuple[int, int], value: Sample) -> tuple[list[str], list[str]]:
    """Return the lines of the disk and the GPU pane for a screen size and a sample."""
    app: SteerpaneApp = make(story(), value)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        return lines_of(app.pane.disks), lines_of(app.pane.gpus)


async def test_eight_gpus_in_eight_lines_at_forty_columns() -> None:
    _, lines = await shown((40, 50), sample())
    assert lines[0].split() == ["GPU", "─" * 14, "GiB", "util", "W", "°C"]
    assert lines[1].startswith(" 0 ━")
    assert lines[1].endswith(" 86/96  98% 520  66")
    assert lines[8].startswith(" 7 ━")


async def test_two_gpus_share_a_line_when_wide() -> None:
    _, lines = await shown((80, 40), sample())
    assert lines[1].startswith(" 0 ━")
    assert " 4 ━" in lines[1]
    _, odd = await shown((80, 40), sample(7))
    assert odd[4].startswith(" 3 ━")
    assert " 7 ━" not in "".join(odd)


async def test_gpus_are_summed_up_when_squeezed() -> None:
    _, lines = await shown((40, 12), sample())
    assert lines == [" GPU 0-7  707/765 GiB  86%  4.4 kW  73°"]
    _, narrow = await shown((24, 8), sample())
    assert narrow == [" GPU 0-7  707/765 GiB"]


async def test_no_gpu_is_one_line_that_says_why() -> None:
    _, lines = await shown((40, 50), sample(0))
    assert lines == [" GPU · no NVIDIA driver on this host"]


async def test_disks_say_amount_and_rate() -> None:
    lines, _ = await shown((40, 50), sample())
    assert lines[1].endswith("762/1700 GB   +330 MB/s")
    assert lines[2].endswith(" 221/250 GB  29 GB free")
    assert lines[1].index("762") + 1 == lines[2].index("221")
    folded, _ = await shown((40, 8), sample())
    assert len(folded) == 1
    assert folded[0].startswith(" /shared ")
    assert "+1" in folded[0]


async def test_wide_disks_say_what_is_free_and_the_rate_beside_it() -> None:
    lines, _ = await shown((80, 40), sample())
    assert lines[1].endswith("762/1700 GB  938 GB free   +330 MB/s")
    assert lines[2].rstrip().endswith("221/250 GB   29 GB free")


async def test_narrow_disks_say_percent_and_the_rate_comes_before_the_bar() -> None:
    lines, _ = await shown((24, 40), sample())
    assert lines[1] == " /shared  +330 MB/s 45%"
    assert lines[2].endswith("━─ 88%")
    lines, _ = await shown((32, 40), sample())
    assert lines[1].endswith("─ 45%   +330 MB/s")


async def test_what_is_stale_or_lost_says_so_in_words() -> None:
    stale = replace(DISKS[0], condition=Condition.STALE, since=NOW - 95)
    dead = replace(DISKS[1], condition=Condition.ERROR, problem="stale file handle", since=0.0)
    lost = replace(gpus(1)[0], condition=Condition.LOST, problem="fell off the bus")
    old = replace(gpus(2)[1], condition=Condition.STALE, since=NOW - 30)
    value = Sample(NOW, (stale, dead), (lost, old))
    disk_lines, gpu_lines = await shown((60, 40), value)
    assert disk_lines[1].endswith("1m old")
    assert "error stale file handle" in disk_lines[2]
    assert "lost fell off the bus" in gpu_lines[1]
    assert gpu_lines[2].endswith("30s old")


async def test_a_gpu_that_tells_nothing_shows_question_marks() -> None:
    mute = replace(
        gpus(1)[0], memory_total=None, memory_used=None, utilisation=None, power=None,
        temperature=None,
    )  # fmt: skip
    _, lines = await shown((40, 40), Sample(NOW, (), (mute,)))
    assert lines[1].endswith("?/?   ?%   ?   ?")


async def test_the_gpu_page_names_the_holders_and_follows_the_samples() -> None:
    app = make(story(), sample(1))
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.pause()
        await pilot.press("i")
        await pilot.pause()
        page = app.screen.focused
        assert page is not None
        text = "".join(page.render_line(y).text for y in range(10))
        assert "vllm (pid 4711)" in text
        assert "520/600 W" in text
        gone = replace(gpus(1)[0], holders=())
        host_of(app).send(Sample(NOW, (), (gone,)))
        await pilot.pause()
        assert "no process" in "".join(page.render_line(y).text for y in range(10))
