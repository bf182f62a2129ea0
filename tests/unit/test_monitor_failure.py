"""An error of our own in looking at the host is told, kept, and not the end of looking."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest

from tui.host import monitor
from tui.host.sample import Sample
from tui.host.sources import Sources


def test_a_failure_is_told_and_looking_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(monitor, "_AFTER_FAILURE", 0.05)
    real, failures = Sources.sample, [ValueError("nonsense from a child")]

    def sample(self: Sources, now: float, at: float) -> Sample:
        if failures:
            raise failures.pop()
        return real(self, now, at)

    monkeypatch.setattr(Sources, "sample", sample)
    seen: queue.SimpleQueue[Sample] = queue.SimpleQueue()
    feed = monitor.HostMonitor([tmp_path], 0.1, gpus=False)
    feed.start(lambda found, _signals: seen.put(found))
    try:
        assert "ValueError" in seen.get(timeout=10).gpu_problem
        assert seen.get(timeout=10).disks
    finally:
        feed.stop()
    assert "nonsense from a child" in (tmp_path / "steerpane/crash.log").read_text()
