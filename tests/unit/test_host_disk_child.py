"""The probe child for disks, on the file systems that are really here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tui.host import disk_child
from tui.host.disk_child import Disks, figures
from tui.host.probe import child, environment

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/mountinfo")
HEAVY = {"dataclasses", "typing", "pathlib", "subprocess", "pynvml", "textual", "watchfiles"}


def imported(*command: str, given: bytes = b"") -> set[str]:
    flags = command[1:]
    done = subprocess.run(
        [command[0], "-X", "importtime", *flags],
        input=given,
        env=environment(),
        capture_output=True,
        check=True,
    )
    lines = done.stderr.decode().splitlines()
    return {line.rpartition("|")[2].strip() for line in lines if "|" in line}


def test_the_figures_are_those_of_df(tmp_path):
    stat = os.statvfs(tmp_path)
    said = figures(str(tmp_path), None)
    assert said["total"] == stat.f_blocks * stat.f_frsize
    assert 0 < said["used"] < said["total"]
    assert said["used"] + said["free"] <= said["total"]
    assert said["read_only"] is False


@LINUX
def test_a_mount_that_went_away_does_not_answer_with_the_one_below():
    (disk,) = [d for d in Disks().answer({"paths": ["/"]})["disks"] if d["path"] == "/"]
    assert "total" in figures("/", disk["mount"])
    assert figures("/", disk["mount"] + 100_000) == {"gone": True}
    assert figures("/no/such/mount", disk["mount"]) == {"gone": True}


def test_an_error_is_told_in_words_and_asked_about_less_and_less(monkeypatch):
    def fails(_: str) -> None:
        raise OSError(116, "Stale file handle")

    monkeypatch.setattr(disk_child, "_O_PATH", None)
    monkeypatch.setattr(disk_child.os, "statvfs", fails)
    disks = Disks()
    request = {"mount": {"path": "/nfs", "mount": 9}}
    said = [disks.answer(request) for _ in range(6)]
    assert said[0]["error"] == "stale file handle"
    assert [s["retry"] for s in said] == [5, 10, 20, 40, 60, 60]
    monkeypatch.undo()
    assert "retry" not in disks.answer({"mount": {"path": "/", "mount": None}})


def test_without_mountinfo_a_path_that_does_not_exist_yet_has_a_disk(tmp_path):
    (disk,) = disk_child._by_device([str(tmp_path / "not" / "yet"), str(tmp_path)])
    device = tmp_path.stat().st_dev
    assert disk["id"] == f"{os.major(device)}:{os.minor(device)}"
    assert Path(disk["path"]).is_mount()


@LINUX
def test_the_child_answers_line_by_line_and_loads_little():
    command = child("disk_child")
    request = json.dumps({"paths": ["/"]}).encode() + b"\n"
    done = subprocess.run(
        command, input=request * 2, env=environment(), capture_output=True, check=True
    )
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert {"id", "path", "total"} <= first["disks"][0].keys()
    assert len(first["disks"]) == len(second["disks"])
    assert not imported(*command, given=request) & HEAVY


def test_the_parent_never_loads_the_drivers_binding():
    code = "import tui.host.monitor"
    loaded = imported(sys.executable, "-P", "-S", "-c", code)
    assert "tui.host.signals" in loaded
    assert not loaded & {"pynvml", "textual", "watchfiles", "orjson", "tui.host.nvml"}
