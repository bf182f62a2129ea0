"""One telling of the story: a temporary folder, the agent at work in it, and the host beside it."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tui.demo.agent import ScriptedAgent
from tui.demo.clock import StoryClock
from tui.demo.host import DemoHost, Detect, no_signals
from tui.demo.moments import moment

PREFIX = "steerpane-demo-"
_A_DAY = 24 * 3600.0


class Demo:
    """A telling of the story, and all that it leaves on disk until it is closed.

    `plan_path` is the agent's plan file, there from the beginning; `host` is the feed to show
    beside it. The story stands still until `start`.
    """

    def __init__(
        self,
        speed: float = 1.0,
        at: str = "before",
        detect: Detect = no_signals,
        interval: float = 1.0,
    ) -> None:
        """Prepare the story at the moment `at`; at speed 1 all of it takes 90 seconds.

        Raises ValueError for a speed that is not a positive number or an unknown moment, OSError
        when there is no place for temporary files.
        """
        start = moment(at)
        clock = StoryClock(speed, start.progress)
        _sweep()
        self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        # Held for as long as the demo lives, also when it is killed: see `_sweep`.
        self._lock: int | None = os.open(self._folder.name, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_SH)
        self.plan_path = Path(self._folder.name) / "todos.json"
        self.plan_path.write_bytes(start.plan)
        self.host = DemoHost(clock, detect, interval)
        self._agent = ScriptedAgent(self.plan_path, clock)

    def start(self) -> None:
        """Let the agent begin; to be called once, and never for a still picture."""
        self._agent.start()

    def close(self) -> None:
        """End the story and remove its folder; may be called again."""
        self.host.stop()
        self._agent.stop()
        self._folder.cleanup()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        """Nothing is started yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close, whatever happened."""
        self.close()


def _sweep() -> None:
    """Remove what demos that were killed left behind: ours, a day old, and held by nobody."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            info = os.fstat(handle)
            if info.st_uid == os.getuid() and info.st_mtime < time.time() - _A_DAY:
                # A demo that idled for a day looks as old, but it still holds its lock.
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
        finally:
            os.close(handle)
