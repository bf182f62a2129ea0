"""How the screen should look and sound; decided by the command line and the configuration."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """The choices that a screen needs, all with a calm default.

    `theme` is "dark" or "light". `ascii` draws everything but the agent's own text in ASCII.
    `mouse` is off so that the terminal's own text selection works. `bell` rings for alarms, a
    pivot and a finished plan. `title` keeps the terminal title at the plan's progress.
    `banner_seconds` is how long one banner stays, `host_after` how many seconds after the start the
    host is first looked at. `clock` gives seconds since the epoch; it is the only clock the screen
    reads.
    """

    theme: str = "dark"
    ascii: bool = False
    mouse: bool = False
    bell: bool = True
    title: bool = True
    banner_seconds: float = 6.0
    fold_completed: bool = False
    host_after: float = 0.1
    clock: Callable[[], float] = time.time
