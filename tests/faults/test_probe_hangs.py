"""Probes that hang, die or babble: the samples go on, and nobody waits."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.fakenvml import Driver, build
from tui.host import monitor, probe, sources
from tui.host.monitor import HostMonitor, look
from tui.host.probe import Probe
from tui.host.sample import Condition, Sample
from tui.host.sources import Sources

# Names one remote mount, and never answers for it once the folder's file "hang" is there.
REMOTE = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if "mount" not in asked:
        entry = {"id": "0:9", "mount": 9, "path": "/nfs", "fstype": "nfs4", "kind": "network"}
        local = {"id": "8:1", "mount": 8, "path": "/", "fstype": "ext4", "kind": "local",
                 "total": 100, "used": 40, "free": 50, "read_only": False}
        said = {"disks": [local, entry]}
    else:
        while os.path.exists("hang"):
            time.sleep(0.02)
        said = {"total": 1000, "used": 400, "free": 500, "read_only": True}
        if os.path.exists("error"):
            said = {"error": "stale file handle", "retry": 5}
        if os.path.exists("gone"):
            said = {"gone": True}
    print(json.dumps(said), flush=True)
"""


def script(text: str) -> tuple[str, ...]:
    return sys.executable, "-S", "-c", text


def until(true: Callable[[], object], seconds: float = 5.0) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, "it did not come about"
        time.sleep(0.01)


def ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


class Watch:
    """A monitor, quick and impatient, and what it posted."""

    def __init__(self, patience: float = 0.2) -> None:
        self.samples: list[Sample] = []
        self.monitor = HostMonitor([], 0.1)
        self.sources = self.monitor._sources
        self.sources._patience = patience
        self.monitor.start(lambda sample, _: self.samples.append(sample))

    @property
    def last(self) -> Sample:
        until(lambda: self.samples)
        return self.samples[-1]


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    monkeypatch.setattr(monitor, "_COLLECT", 0.05)


@pytest.fixture
def remote(monkeypatch, tmp_path) -> Path:
    monkeypatch.chdir(tmp_path)
    command = script(REMOTE)
    monkeypatch.setattr(sources, "child", lambda _: command)
    return tmp_path


@pytest.fixture
def watch() -> Iterator[Callable[[], Watch]]:
    begun: list[Watch] = []

    def begin() -> Watch:
        begun.append(Watch())
        return begun[-1]

    yield begin
    for one in begun:
        one.monitor.stop()


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    return build(tmp_path_factory.mktemp("nvml"))


@pytest.fixture
def driver(library, tmp_path, monkeypatch) -> Driver:
    driver = Driver(library, tmp_path)
    for name, value in driver.environment.items():
        monkeypatch.setenv(name, value)
    return driver


def test_a_disk_child_that_stops_is_stale_and_recovers(watch):
    one = watch()
    until(lambda: one.last.disks)
    pid = one.sources._local.probe.pid
    os.kill(pid, signal.SIGSTOP)
    until(lambda: one.last.disks[0].condition is Condition.STALE)
    disk = one.last.disks[0]
    assert disk.problem.startswith("not answering")
    assert disk.total > 0
    assert disk.since <= one.last.at
    os.kill(pid, signal.SIGCONT)
    until(lambda: one.last.disks[0].condition is Condition.OK)
    assert one.sources._local.probe.pid == pid


def test_samples_go_on_while_a_probe_is_silent_and_stop_is_instant(watch):
    one = watch()
    until(lambda: one.last.disks)
    pid = one.sources._local.probe.pid
    os.kill(pid, signal.SIGSTOP)
    count = len(one.samples)
    until(lambda: len(one.samples) > count + 5)
    started = time.monotonic()
    one.monitor.stop()
    assert time.monotonic() - started < 0.15
    until(lambda: ended(pid))


def test_nothing_is_posted_after_stop_and_no_child_or_thread_stays(watch):
    one = watch()
    until(lambda: one.last.disks)
    pids = [s.probe.pid for s in one.sources._all() if s.probe.pid]
    one.monitor.stop()
    count = len(one.samples)
    until(lambda: not any(t.name == "host monitor" for t in threading.enumerate()))
    assert len(one.samples) == count
    until(lambda: all(ended(pid) for pid in pids))
    one.monitor.stop()


def test_a_screen_that_is_busy_does_not_hold_up_stop():
    release = threading.Event()
    busy = HostMonitor([], 0.1, gpus=False)
    posted = threading.Event()

    def post(*_: object) -> None:
        posted.set()
        release.wait(5)

    busy.start(post)
    assert posted.wait(5)
    started = time.monotonic()
    busy.stop()
    assert time.monotonic() - started < 0.1
    release.set()
    until(lambda: not any(t.name == "host monitor" for t in threading.enumerate()))


def test_a_child_that_dies_is_replaced(watch):
    one = watch()
    until(lambda: one.last.disks)
    pid = one.sources._local.probe.pid
    os.kill(pid, signal.SIGKILL)
    until(lambda: one.sources._local.probe.pid not in (pid, None))
    until(lambda: one.last.disks[0].condition is Condition.OK)


def test_one_remote_mount_that_hangs_leaves_the_others_alone(remote):
    (remote / "hang").touch()
    some = Sources([], gpus=False, patience=0.1)
    try:
        some.ask(time.monotonic())
        until(lambda: some.hear(0.1) and some._entries)
        time.sleep(0.15)
        local, nfs = some.sample(time.monotonic(), time.time()).disks
        assert (local.condition, nfs.condition) == (Condition.OK, Condition.STALE)
        assert (nfs.path, nfs.total, nfs.problem) == ("/nfs", 0, "not answering")
        (remote / "hang").unlink()
        until(lambda: some.hear(0.1))
        _, nfs = some.sample(time.monotonic(), time.time()).disks
        assert (nfs.condition, nfs.total, nfs.read_only) == (Condition.OK, 1000, True)
    finally:
        some.close()


def test_an_error_of_a_remote_mount_keeps_its_last_figures(remote):
    some = Sources([], gpus=False)
    try:
        for name in ("", "error", "gone"):
            if name:
                (remote / name).touch()
            now = time.monotonic() + 10.0 * len(name)
            some.ask(now)
            while some.waiting(now, 1.0):
                some.hear(0.1)
            disks = some.sample(now, time.time()).disks
            if name == "error":
                assert disks[1].condition is Condition.ERROR
                assert (disks[1].problem, disks[1].used) == ("stale file handle", 400)
        assert [disk.path for disk in disks] == ["/"]
    finally:
        some.close()


def test_a_look_waits_for_remote_mounts_but_not_for_ever(remote):
    assert [disk.total for disk in look([], gpus=False).disks] == [100, 1000]
    (remote / "hang").touch()
    started = time.monotonic()
    sample = look([], gpus=False, timeout=0.5)
    assert time.monotonic() - started < 0.8
    assert [disk.condition for disk in sample.disks] == [Condition.OK, Condition.STALE]


def test_a_gpu_call_that_never_returns_makes_rows_stale_and_one_child_only(driver, watch):
    driver.set(used=90000)
    one = watch()
    until(lambda: len(one.last.gpus) == 8)
    driver.set(sleep__nvmlDeviceGetUtilizationRates=3_600_000)
    until(lambda: one.last.gpus[0].condition is Condition.STALE)
    row = one.last.gpus[0]
    assert row.memory_used == 90000 * 2**20
    assert row.problem.startswith("not answering")
    pid = one.sources._gpu.probe.pid
    count = len(one.samples)
    until(lambda: len(one.samples) > count + 3)
    assert one.sources._gpu.probe.pid == pid
    started = time.monotonic()
    one.monitor.stop()
    assert time.monotonic() - started < 0.15
    until(lambda: ended(pid))


def test_a_gpu_probe_that_hangs_from_the_start_says_so(driver, watch):
    driver.set(sleep__nvmlInitWithFlags=3_600_000)
    one = watch()
    until(lambda: one.last.gpu_problem.startswith("GPU probe not answering"))
    assert one.last.disks


def test_a_driver_that_was_upgraded_is_seen_by_a_new_child(driver, watch):
    driver.set(rc__nvmlInitWithFlags=18)
    one = watch()
    until(lambda: "upgraded" in one.last.gpu_problem)
    assert one.last.gpus == ()
    driver.set(rc__nvmlInitWithFlags=None)
    until(lambda: one.sources._gpu.probe.handle is None)
    one.sources._gpu.probe._rest_until = 0.0
    until(lambda: len(one.last.gpus) == 8)
    assert one.last.gpu_problem == ""


def test_a_lost_gpu_keeps_its_row_beside_the_others(driver, watch):
    one = watch()
    until(lambda: len(one.last.gpus) == 8)
    driver.set(rc__nvmlDeviceGetMemoryInfo_v2__3=15)
    until(lambda: one.last.gpus[3].condition is Condition.LOST)
    assert [gpu.index for gpu in one.last.gpus] == list(range(8))
    assert one.last.gpus[3].memory_used is None


def test_figures_that_do_not_change_compare_equal(driver, watch):
    one = watch()
    until(lambda: len(one.last.gpus) == 8)
    first = one.last
    until(lambda: len(one.samples) > 5)
    assert one.last.gpus == first.gpus


def test_a_stuck_child_is_given_up_after_a_while_and_replaced():
    stuck = Probe(script("import time; time.sleep(100)"), abandon_after=60.0)
    stuck.ask({}, 0.0)
    first = stuck.pid
    stuck.ask({}, 59.0)
    assert stuck.pid == first
    stuck.ask({}, 60.0)
    until(lambda: ended(first))
    stuck.ask({}, 60.5)
    assert stuck.pid is None
    stuck.ask({}, 61.5)
    assert stuck.pid not in (first, None)
    assert stuck.overdue(62.0) == 62.0
    stuck.close()


def test_a_child_that_cannot_be_killed_never_gets_a_second_beside_it(monkeypatch):
    kill = os.kill
    monkeypatch.setattr(probe.os, "kill", lambda *_: None)
    stuck = Probe(script("import time; time.sleep(100)"))
    stuck.ask({}, 0.0)
    pid = stuck.pid
    for now in range(60, 600, 20):
        stuck.ask({}, float(now))
        assert stuck.pid == pid
    assert not stuck.waiting
    kill(pid, signal.SIGKILL)
    until(lambda: ended(pid))
    stuck.ask({}, 1000.0)
    assert stuck.pid not in (pid, None)
    monkeypatch.undo()
    stuck.close()


@pytest.mark.parametrize("text", ["print('no json', flush=True)", "print('[1]')", "1/0", ""])
def test_a_child_that_babbles_or_crashes_is_a_failure_with_a_growing_pause(text):
    bad = Probe(script(f"import sys; sys.stdin.readline(); {text}"))
    pauses = []

    def failed(now: float) -> bool:
        bad.ask({}, now)
        return bad.waiting and bad.read(now) is None and not bad.waiting

    now = 0.0
    for _ in range(3):
        until(partial(failed, now))
        pauses.append(bad._rest_until - now)
        now = bad._rest_until
    assert pauses == [1.0, 5.0, 15.0]
    bad.close()


def test_a_program_that_cannot_be_started_is_a_failure():
    missing = Probe(("/nonexistent/python",))
    missing.ask({}, 0.0)
    assert missing.pid is None
    assert missing.overdue(3.0) == 3.0
    missing.close()


def test_probes_start_from_any_folder_and_never_import_from_it(tmp_path, monkeypatch):
    (tmp_path / "tui").mkdir()
    (tmp_path / "tui" / "__init__.py").write_text("raise SystemExit('the wrong package')")
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')")
    monkeypatch.chdir(tmp_path)
    sample = look([tmp_path])
    assert sample.disks
    assert sample.gpus or sample.gpu_problem
