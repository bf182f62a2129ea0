"""The whole program in a real terminal: tmux beside an agent that rewrites its plan."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tui

ROOT = Path(tui.__file__).parents[1]
STORY = (
    "Check disk space and plan cleanup",
    "Delete Kimi-K2.5-NVFP4 model (540GB) to free space",
    "Download native Kimi-K2.5 INT4 model (~595GB)",
    "Stop MiniMax, deploy and launch Kimi-K2.5 INT4",
    "Benchmark Kimi-K2.5 INT4 single-stream and concurrent",
)

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


def document(*statuses: str) -> str:
    """Return the plan as the agent of the story writes it."""
    rows = [
        f' {{"content":{json.dumps(text)},"priority":"high","status":"{status}"}}'
        for text, status in zip(STORY, statuses, strict=True)
    ]
    return '{"todos":[\n' + ",\n".join(rows) + "]}"


def foot(screen: str) -> str:
    """Return the rows where banners are shown."""
    return "\n".join(screen.splitlines()[-6:])


class Pane:
    """A pane in a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.plan = folder / "plan.json"
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "TERM": "screen-256color",
            "PYTHONPATH": str(ROOT),
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "TMUX_TMPDIR": str(folder),
        }

    def tmux(self, *arguments: str) -> str:
        """Run a tmux command and return what it printed."""
        done = subprocess.run(
            ["tmux", "-u", "-f", "/dev/null", *arguments],
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    def open(self, *arguments: str, width: int = 40, height: int = 50) -> None:
        """Open the pane."""
        command = f"{sys.executable} -m tui {' '.join(arguments)}; echo left with $?; sleep 60"
        self.tmux("new-session", "-d", "-x", str(width), "-y", str(height), command)

    def write(self, *statuses: str) -> None:
        """Rewrite the plan as the agent does: a temporary file, then a rename."""
        new = self.plan.with_suffix(".tmp")
        new.write_text(document(*statuses))
        new.replace(self.plan)

    def screen(self) -> str:
        """Return what is on the screen."""
        return self.tmux("capture-pane", "-p")

    def keys(self, *keys: str) -> None:
        """Type."""
        self.tmux("send-keys", *keys)

    def until(self, holds: Callable[[str], bool], seconds: float = 15) -> str:
        """Return the screen once something holds on it."""
        end = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if holds(screen):
                return screen
            if time.monotonic() > end:
                pytest.fail("not seen on the screen:\n" + screen)
            time.sleep(0.05)

    def stored(self) -> list[str]:
        """Return the statuses in the file."""
        return [t["status"] for t in json.loads(self.plan.read_text())["todos"]]

    def until_stored(self, *statuses: str) -> None:
        """Wait until the file says so."""
        end = time.monotonic() + 10
        while self.stored() != list(statuses):
            if time.monotonic() > end:
                pytest.fail(f"the file says {self.stored()}")
            time.sleep(0.05)


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    it = Pane(tmp_path)
    yield it
    it.tmux("kill-server")


def test_the_story_is_followed_and_a_veto_sticks(pane: Pane) -> None:
    pane.write("in_progress", "pending", "pending", "pending", "pending")
    pane.open(str(pane.plan))
    pane.until(lambda s: "0/5" in s and "▶ Check disk space" in s)

    pane.write("completed", "pending", "in_progress", "pending", "pending")
    pane.until(lambda s: "1/5" in s)
    pane.until(lambda s: "✔ Check disk" in foot(s) and "▶ Download" in foot(s))

    before = pane.plan.read_text()
    pane.keys("g", "j")
    pane.keys("v")
    pane.until(lambda s: "Veto: Delete" in s)
    pane.keys("Enter")
    pane.until(lambda s: "veto · stored" in s)
    wanted = before.replace(
        '(540GB) to free space","priority":"high","status":"pending"',
        '(540GB) to free space","priority":"high","status":"cancelled"',
    )
    assert wanted != before
    assert pane.plan.read_text() == wanted

    pane.write("completed", "pending", "completed", "in_progress", "pending")
    pane.until_stored("completed", "cancelled", "completed", "in_progress", "pending")
    pane.until(lambda s: "2/4" in s and "▶ Stop MiniMax" in s)

    pane.write("completed", "in_progress", "completed", "completed", "pending")
    pane.until(lambda s: "VETOED" in s)
    pane.until_stored("completed", "cancelled", "completed", "completed", "pending")

    command = [sys.executable, "-m", "tui", "restore", "2", "--plan", str(pane.plan)]
    subprocess.run(command, env=pane.env, check=True, capture_output=True)
    # The agent's own word, and no longer the one from before it defied the veto.
    assert pane.stored()[1] == "in_progress"
    pane.until(lambda s: "▶ Delete Kimi" in s)

    pane.write("completed", "cancelled", "completed", "completed", "completed")
    pane.until(lambda s: "4/4" in s and "Plan finished" in s)

    pane.keys("q")
    pane.until(lambda s: "left with 0" in s)


@pytest.mark.parametrize(("width", "height"), [(24, 30), (80, 24), (160, 45), (40, 8)])
def test_the_plan_is_there_at_every_size(pane: Pane, width: int, height: int) -> None:
    pane.write("completed", "in_progress", "pending", "pending", "pending")
    pane.open(str(pane.plan), width=width, height=height)
    screen = pane.until(lambda s: "Delete Kimi" in s)
    assert all(len(line) <= width for line in screen.splitlines())


def test_it_waits_for_a_plan_that_is_not_there_yet(pane: Pane) -> None:
    pane.open(str(pane.plan))
    pane.until(lambda s: "plan.json" in s)
    pane.write("in_progress", "pending", "pending", "pending", "pending")
    pane.until(lambda s: "▶ Check disk space" in s)


def test_read_only_refuses_and_never_writes(pane: Pane) -> None:
    pane.write("in_progress", "pending", "pending", "pending", "pending")
    before = pane.plan.stat()
    pane.open(str(pane.plan), "--read-only")
    pane.until(lambda s: "▶ Check disk space" in s)
    pane.keys("j", "v")
    pane.until(lambda s: "read-only" in s.casefold() or "read only" in s.casefold())
    assert pane.plan.stat().st_ino == before.st_ino


def test_the_demo_can_be_steered_and_leaves_nothing_behind(pane: Pane) -> None:
    pane.env["TMPDIR"] = str(pane.folder)
    pane.open("demo", "--speed", "4")
    pane.until(lambda s: "▶ Check disk space" in s)
    (folder,) = pane.folder.glob("steerpane-demo-*")
    (plan,) = folder.glob("*.json")
    command = [sys.executable, "-m", "tui", "veto", "Delete", "--plan", str(plan)]
    subprocess.run(command, env=pane.env, check=True, capture_output=True)
    pane.until(lambda s: "▶ Download native" in s)
    assert json.loads(plan.read_text())["todos"][1]["status"] == "cancelled"
    pane.keys("q")
    pane.until(lambda s: "left with 0" in s)
    assert not folder.exists()
    assert not list((pane.folder / "state/steerpane").glob("plans/*"))
