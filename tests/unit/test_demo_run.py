"""A whole demo with its threads, and what it leaves behind: nothing."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from tui.demo.clock import StoryClock
from tui.demo.host import DemoHost
from tui.demo.moments import moment
from tui.demo.planfile import read, render
from tui.demo.run import PREFIX, Demo
from tui.host.sample import Event, Sample, Signal


@pytest.fixture(autouse=True)
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def finished(path: Path, within: float = 5.0) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if all(t["status"] in ("completed", "cancelled") for t in read(path)):
            return True
        time.sleep(0.01)
    return False


def test_a_fast_demo_comes_to_its_end_and_leaves_nothing(temp: Path) -> None:
    samples: list[Sample] = []
    with Demo(speed=300, interval=0.02) as demo:
        demo.host.start(lambda sample, _: samples.append(sample))
        demo.start()
        assert finished(demo.plan_path)
        time.sleep(0.05)
    assert samples[0].disks[0].used == 755 * 10**9
    assert samples[-1].disks[0].used == 762 * 10**9
    assert abs(samples[0].at - time.time()) < 60
    assert list(temp.iterdir()) == []


def test_a_veto_in_the_real_file_is_obeyed() -> None:
    with Demo(speed=300) as demo:
        todos = read(demo.plan_path)
        todos[1]["status"] = "cancelled"
        demo.plan_path.write_bytes(render(todos))
        demo.start()
        assert finished(demo.plan_path)
        assert read(demo.plan_path)[1]["status"] == "cancelled"


def test_a_slow_demo_ends_at_once() -> None:
    demo = Demo(speed=0.01)
    demo.start()
    demo.host.start(lambda *_: None)
    begun = time.monotonic()
    demo.close()
    assert time.monotonic() - begun < 0.5


def test_a_demo_that_was_not_started_stands_still_at_its_moment() -> None:
    posted = threading.Event()
    samples: list[Sample] = []

    def post(sample: Sample, _: tuple[Signal, ...]) -> None:
        samples.append(sample)
        if len(samples) == 3:
            posted.set()

    with Demo(at="pivot", interval=0.01) as demo:
        assert demo.plan_path.read_bytes() == moment("pivot").plan
        demo.host.start(post)
        assert posted.wait(5)
    assert len({tuple(g.memory_used for g in s.gpus) for s in samples}) == 1


def test_closing_twice_or_after_a_crash_is_harmless(temp: Path) -> None:
    with pytest.raises(RuntimeError, match="crash"), Demo() as demo:
        demo.start()
        raise RuntimeError("crash")
    demo.close()
    assert list(temp.iterdir()) == []


def test_a_demo_whose_folder_was_taken_away_still_closes(temp: Path) -> None:
    with Demo(speed=300) as demo:
        demo.plan_path.unlink()
        demo.plan_path.parent.rmdir()
        demo.start()
        time.sleep(0.05)
    assert list(temp.iterdir()) == []


def test_a_program_that_ends_without_closing_leaves_nothing(temp: Path) -> None:
    code = "from tui.demo.run import Demo; d = Demo(); d.start(); print(d.plan_path)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TMPDIR": str(temp)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(temp / PREFIX))
    assert list(temp.iterdir()) == []


def test_bad_arguments_leave_nothing(temp: Path) -> None:
    with pytest.raises(ValueError, match="speed"):
        Demo(speed=0)
    with pytest.raises(ValueError, match="moment"):
        Demo(at="nowhere")
    assert list(temp.iterdir()) == []


def test_leftovers_are_swept_but_nothing_that_is_young_held_or_not_a_folder(temp: Path) -> None:
    old = time.time() - 2 * 24 * 3600

    def folder(name: str, when: float) -> Path:
        made = temp / name
        made.mkdir()
        (made / "todos.json").write_bytes(b"{}")
        os.utime(made, (when, when))
        return made

    stale = folder(f"{PREFIX}stale", old)
    kept = {
        folder(f"{PREFIX}young", time.time()),
        folder(f"{PREFIX}held", old),
        folder("other", old),
        temp / f"{PREFIX}link",
    }
    (temp / f"{PREFIX}link").symlink_to(temp / "other")
    lock = os.open(temp / f"{PREFIX}held", os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        Demo().close()
    finally:
        os.close(lock)
    assert not stale.exists()
    assert set(temp.iterdir()) == kept


def test_the_host_hands_each_sample_to_the_detector() -> None:
    signal = Signal(Event.DISK_FREED, "/shared", 1, 0.0)
    got: list[tuple[Signal, ...]] = []
    seen: list[Sample] = []
    posted = threading.Event()

    def detect(sample: Sample) -> tuple[Signal, ...]:
        seen.append(sample)
        return (signal,)

    def post(sample: Sample, signals: tuple[Signal, ...]) -> None:
        assert sample is seen[-1]
        assert sample.at == 5.0
        got.append(signals)
        posted.set()

    host = DemoHost(StoryClock(), detect, interval=30, wall=lambda: 5.0)
    host.start(post)
    assert posted.wait(5)
    host.stop()
    assert got == [(signal,)]
