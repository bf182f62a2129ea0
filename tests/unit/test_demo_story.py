"""The story's physics and moments: pure, so every figure can be asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from tui.demo.clock import StoryClock
from tui.demo.disks import GB, NEW_MODEL, arrived, disks, freed, used_on_shared
from tui.demo.gpus import COUNT, GIB, MEMORY, gpus
from tui.demo.host import sample
from tui.demo.moments import EPOCH, MOMENTS, moment
from tui.demo.story import (
    BENCHMARK,
    DELETE,
    DEPLOY,
    DOWNLOAD,
    LEAD_IN,
    STEPS,
    Progress,
    Work,
    reached,
    step_for,
)

FULL = 700 * GIB


def vram(progress: Progress) -> int:
    return sum(g.memory_used or 0 for g in gpus(progress, 0.0))


def names(progress: Progress) -> set[str]:
    return {name for gpu in gpus(progress, 0.0) for _, name, _ in gpu.holders}


def test_the_whole_story_takes_ninety_seconds_and_short_steps_stay_visible() -> None:
    assert LEAD_IN.shown + sum(s.shown for s in STEPS) == 90
    assert all(s.shown >= 6 for s in STEPS)
    assert reached(BENCHMARK, 0).now == pytest.approx(45 * 60, abs=60)


@pytest.mark.parametrize(
    ("name", "statuses", "used", "held"),
    [
        ("before", "ppppp", 755, "MiniMax"),
        ("check", "ipppp", 755, "MiniMax"),
        ("delete", "cippp", 485, "MiniMax"),
        ("freed", "cippp", 215, "MiniMax"),
        ("download", "ccipp", 487, "MiniMax"),
        ("pivot", "cccip", 762, ""),
        ("loading", "cccip", 762, "Kimi"),
        ("benchmark", "cccci", 762, "Kimi"),
        ("end", "ccccc", 762, "Kimi"),
    ],
)
def test_each_moment_tells_the_plan_and_the_host(
    name: str, statuses: str, used: int, held: str
) -> None:
    now = moment(name)
    todos = json.loads(now.plan)["todos"]
    letters = {"pending": "p", "in_progress": "i", "completed": "c"}
    assert "".join(letters[t["status"]] for t in todos) == statuses
    assert now.sample.disks[0].used == pytest.approx(used * GB, abs=GB)
    assert all(held in n for n in names(now.progress))
    assert bool(names(now.progress)) == bool(held)
    assert now == moment(name)
    assert now.sample.at == EPOCH + now.progress.now


def test_the_moments_are_all_there_and_no_others() -> None:
    assert MOMENTS[0] == "before"
    assert MOMENTS[-1] == "end"
    with pytest.raises(ValueError, match="pivot"):
        moment("nowhere")


def test_the_plan_has_the_form_of_an_agents_own_file() -> None:
    lines = moment("pivot").plan.decode().splitlines()
    assert lines[0] == '{"todos":['
    assert lines[4] == (
        ' {"content":"Stop MiniMax, deploy and launch Kimi-K2.5 INT4",'
        '"priority":"high","status":"in_progress"},'
    )
    assert lines[-1].endswith('"status":"pending"}]}')


def test_the_delete_frees_540_gb_within_seconds() -> None:
    assert freed(reached(DELETE, 4)) == 0
    assert freed(reached(DELETE, 12)) == 540 * GB
    rate = disks(reached(DELETE, 8), 0.0)[0].rate
    assert rate is not None
    assert rate < -50 * GB


def test_a_delete_that_is_stopped_midway_keeps_the_rest() -> None:
    progress = replace(reached(DELETE, 300), works=(Work(DELETE, 20, 28),))
    assert freed(progress) == 270 * GB
    assert disks(progress, 0.0)[0].rate == 0.0


def test_the_download_arrives_steadily_and_ends_at_547_gb() -> None:
    assert arrived(reached(DOWNLOAD, 5)) == 0
    rates = {disks(reached(DOWNLOAD, into), 0.0)[0].rate or 0.0 for into in range(60, 1640, 7)}
    assert 300e6 < min(rates) < 320e6 < 335e6 < max(rates) < 360e6
    assert arrived(reached(DEPLOY, 0)) == NEW_MODEL


def test_without_the_delete_the_story_still_fits() -> None:
    end = moment("end", vetoed=frozenset({DELETE}))
    shared = end.sample.disks[0]
    assert shared.used == 1302 * GB
    assert shared.free == 398 * GB
    assert json.loads(end.plan)["todos"][1]["status"] == "cancelled"
    with pytest.raises(ValueError, match="vetoed"):
        moment("delete", vetoed=frozenset({DELETE}))


def test_the_old_servers_memory_is_released_before_the_new_one_claims_any() -> None:
    assert vram(reached(DEPLOY, 3)) > FULL
    assert 0 < vram(reached(DEPLOY, 6)) < FULL
    assert vram(reached(DEPLOY, 10)) < GIB
    assert vram(reached(DEPLOY, 110)) < GIB
    climb = [vram(reached(DEPLOY, into)) for into in range(140, 830, 30)]
    assert climb == sorted(climb)
    assert climb[0] < 10 * GIB
    assert climb[-1] > FULL
    assert all((g.memory_used or 0) <= MEMORY for g in gpus(reached(None, 0), 0.0))


def test_the_benchmark_heats_the_gpus() -> None:
    calm = gpus(reached(BENCHMARK, 0).back(5), 0.0)
    for before, under_load in zip(calm, gpus(reached(BENCHMARK, 400), 0.0), strict=True):
        assert (under_load.utilisation or 0) >= 95
        assert 540 < (under_load.power or 0) <= 600
        assert (under_load.temperature or 0) > (before.temperature or 0) + 10
        assert (under_load.temperature or 0) < 90


def test_a_vetoed_deployment_leaves_the_old_server_to_the_benchmark() -> None:
    progress = reached(BENCHMARK, 300, frozenset({DEPLOY}))
    assert all("MiniMax" in n for n in names(progress))
    assert all((g.utilisation or 0) > 90 for g in gpus(progress, 0.0))


def test_without_a_whole_model_there_is_nothing_to_launch() -> None:
    assert vram(reached(BENCHMARK, 300, frozenset({DOWNLOAD}))) < GIB


def test_a_deployment_that_is_stopped_gives_its_memory_back() -> None:
    loading = reached(DEPLOY, 400)
    work = replace(loading.works[-1], ended=loading.now)
    stopped = replace(loading, works=(*loading.works[:-1], work))
    assert vram(stopped) == vram(loading)
    assert vram(replace(stopped, now=stopped.now + 20)) < GIB


@pytest.mark.parametrize("progress", [Progress(), reached(DOWNLOAD, 500), reached(None, 300)])
def test_idle_gpus_stand_still(progress: Progress) -> None:
    later = replace(progress, now=progress.now + 100)
    assert gpus(later, 0.0) == gpus(progress, 0.0)


def test_a_sample_shows_eight_gpus_and_a_few_mounts() -> None:
    shown = sample(Progress(), 7.0)
    assert len(shown.gpus) == COUNT == 8
    assert len({g.id for g in shown.gpus}) == 8
    assert [d.label for d in shown.disks] == ["/shared", "/", "/home", "/var/lib/docker"]
    assert all(d.used + d.free <= d.total and d.since == 7.0 for d in shown.disks)
    assert shown.disks[0].percent == pytest.approx(44.4, abs=0.1)


def test_an_unknown_task_is_a_short_errand() -> None:
    assert step_for(DELETE.content) is DELETE
    assert step_for("Write the hand-off note").duration == 15


def test_looking_back_takes_later_work_away() -> None:
    progress = reached(DEPLOY, 100)
    earlier = progress.back(200)
    assert earlier.current is not None
    assert earlier.current.step == DOWNLOAD
    assert used_on_shared(earlier) < used_on_shared(progress)
    assert progress.back(5000).works == ()


def test_the_clock_never_runs_past_the_end_of_a_step() -> None:
    real = 100.0
    clock = StoryClock(real=lambda: real)
    assert clock.progress().now == -20
    clock.open()
    assert clock.left() == 4
    real += 50
    assert clock.progress().now == 0
    clock.begin(DELETE)
    real += 4
    assert clock.progress().effort(DELETE) == 10
    real += 400
    assert clock.progress().effort(DELETE) == 20
    clock.finish()
    real += 10
    assert clock.progress().now == 20
    clock.idle()
    real += 10
    assert clock.progress().now == 100


def test_work_that_was_stopped_goes_on_where_it_was() -> None:
    real = 0.0
    clock = StoryClock(real=lambda: real)
    clock.open()
    clock.begin(DOWNLOAD)
    real += 10
    clock.stop()
    real += 10
    clock.begin(DOWNLOAD)
    assert clock.left() == pytest.approx(DOWNLOAD.shown - 10)
    assert len(clock.progress().works) == 2


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf")])
def test_a_speed_is_a_positive_number(speed: float) -> None:
    with pytest.raises(ValueError, match="speed"):
        StoryClock(speed)


def test_the_demo_imports_no_textual() -> None:
    code = "import sys, tui.demo.run; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
