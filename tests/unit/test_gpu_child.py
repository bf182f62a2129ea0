"""The GPU probe child, alive, with the real binding on a fake driver library."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakenvml import Driver, build
from tui.host.probe import child, environment

MIB = 2**20
CARD = 97887 * MIB


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    return build(tmp_path_factory.mktemp("nvml"))


@pytest.fixture
def driver(library, tmp_path) -> Driver:
    return Driver(library, tmp_path)


class Child:
    """A running GPU child."""

    def __init__(self, driver: Driver) -> None:
        self.process = subprocess.Popen(
            child("gpu_child"),
            env={**environment(), **driver.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask(self) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(b"{}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture
def gpus(driver) -> Iterator[Child]:
    running = Child(driver)
    with running.process:
        yield running
        running.process.kill()


def test_eight_cards_with_all_their_figures(driver, gpus):
    driver.set(used=90000, util=97, power=512300, temp__3=71, procs__0=f"{os.getpid()}:89000")
    rows = gpus.ask()["gpus"]
    assert [row["id"] for row in rows] == [f"GPU-fake-{g}" for g in range(8)]
    first = rows[0]
    assert (first["memory_total"], first["memory_used"]) == (CARD, 90000 * MIB)
    assert (first["utilisation"], first["power"], first["power_limit"]) == (97, 512.3, 600.0)
    assert (first["temperature"], rows[3]["temperature"]) == (31, 71)
    ((pid, name, held),) = first["holders"]
    assert (pid, held) == (os.getpid(), 89000 * MIB)
    assert name
    assert rows[1]["holders"] == []


def test_a_driver_without_the_newer_calls_is_asked_the_older_way(driver, gpus):
    driver.set(
        used=1000,
        rc__nvmlDeviceGetMemoryInfo_v2=3,
        rc__nvmlDeviceGetTemperatureV=13,
        rc__nvmlDeviceGetUtilizationRates=3,
    )
    row = gpus.ask()["gpus"][0]
    assert row["memory_used"] == (1000 + 640) * MIB
    assert row["temperature"] == 31
    assert row["utilisation"] is None
    # What is not supported is not asked again, even if it would answer now.
    driver.set(rc__nvmlDeviceGetMemoryInfo_v2=None, rc__nvmlDeviceGetUtilizationRates=None)
    row = gpus.ask()["gpus"][0]
    assert row["memory_used"] == (1000 + 640) * MIB
    assert row["utilisation"] is None


@pytest.mark.parametrize("how", [{"total": 0}, {"rc__nvmlDeviceGetMemoryInfo": 3}])
def test_memory_shared_with_the_cpu_is_told_from_meminfo(driver, gpus, how):
    driver.set(rc__nvmlDeviceGetMemoryInfo_v2=3, reserved=0, **how)
    row = gpus.ask()["gpus"][0]
    assert row["name"].endswith("(unified memory)")
    assert 0 < row["memory_used"] < row["memory_total"]


@pytest.mark.parametrize("code", [15, 16, 999])
def test_a_lost_card_keeps_its_row_and_is_not_touched_again(driver, gpus, code):
    assert gpus.ask()["gpus"][3]["condition"] == "ok"
    driver.set(rc__nvmlDeviceGetPowerUsage__3=code)
    rows = gpus.ask()["gpus"]
    assert [row["condition"] for row in rows].count("lost") == 1
    assert (rows[3]["id"], rows[3]["condition"]) == ("GPU-fake-3", "lost")
    assert rows[3]["problem"]
    assert rows[3].get("memory_used") is None
    driver.set(rc__nvmlDeviceGetPowerUsage__3=None)
    assert gpus.ask()["gpus"][3]["condition"] == "lost"


def test_a_card_that_is_lost_from_the_start_has_a_row_too(driver, gpus):
    driver.set(rc__nvmlDeviceGetHandleByIndex_v2__2=15)
    rows = gpus.ask()["gpus"]
    assert (rows[2]["id"], rows[2]["index"], rows[2]["condition"]) == ("index 2", 2, "lost")
    assert rows[7]["condition"] == "ok"


def test_a_card_that_may_not_be_opened_is_an_error_and_not_lost(driver, gpus):
    driver.set(rc__nvmlDeviceGetHandleByIndex_v2__2=4)
    row = gpus.ask()["gpus"][2]
    assert row["condition"] == "error"
    assert "error 4" in row["problem"]


def test_when_every_card_is_lost_a_new_process_has_to_look(driver, gpus):
    driver.set(rc__nvmlDeviceGetMemoryInfo_v2=999)
    said = gpus.ask()
    assert {row["condition"] for row in said["gpus"]} == {"lost"}
    assert said["leave"]
    assert gpus.process.wait(5) == 0


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (12, "no NVIDIA driver here"),
        (18, "upgraded"),
        (999, "restart the container"),
        (4, "no permission"),
        (77, "error 77"),
    ],
)
def test_a_start_that_fails_says_why_and_leaves(driver, gpus, code, words):
    driver.set(rc__nvmlInitWithFlags=code)
    said = gpus.ask()
    assert words in said["problem"]
    assert said["retry"] >= 10
    assert gpus.process.wait(5) == 0


def test_a_driver_that_is_loaded_later_is_found_by_the_same_process(driver, gpus):
    driver.set(rc__nvmlInitWithFlags=9)
    said = gpus.ask()
    assert "not loaded" in said["problem"]
    assert said["retry"] == 10
    driver.set(rc__nvmlInitWithFlags=None)
    assert len(gpus.ask()["gpus"]) == 8


def test_no_cards_is_a_problem_in_words(driver, gpus):
    driver.set(count=0)
    assert gpus.ask()["problem"] == "no NVIDIA GPU visible here"


def test_without_the_library_there_is_no_driver(tmp_path):
    with contextlib.suppress(OSError):
        ctypes.CDLL("libnvidia-ml.so.1")
        pytest.skip("there is a driver here")
    running = Child(Driver(tmp_path / "missing" / "lib", tmp_path))
    with running.process:
        assert running.ask()["problem"] == "no NVIDIA driver here"


def test_process_memory_that_is_not_known_is_none(driver, gpus):
    driver.set(procs__0=f"{os.getpid()}:na,1:300")
    holders = gpus.ask()["gpus"][0]["holders"]
    assert {pid: held for pid, _, held in holders} == {os.getpid(): None, 1: 300 * MIB}


@pytest.mark.parametrize("list_", ["0:100", f"1:{97888}", "1:100,2:99999999"])
def test_a_list_of_processes_that_makes_no_sense_is_dropped_whole(driver, gpus, list_):
    driver.set(procs__0=list_)
    assert "holders" not in gpus.ask()["gpus"][0]


def test_processes_are_read_less_often_than_figures(driver, gpus):
    gpus.ask()
    driver.set(procs__0="1:300", used=300)
    row = gpus.ask()["gpus"][0]
    assert (row["memory_used"], row["holders"]) == (300 * MIB, [])


def test_the_child_ends_with_its_input(gpus):
    gpus.ask()
    started = time.monotonic()
    gpus.process.stdin.close()
    assert gpus.process.wait(5) == 0
    assert time.monotonic() - started < 1
