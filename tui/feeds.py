"""The two sources that feed a screen; each works in its own thread and never blocks the caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tui.acts import Act
from tui.host.sample import Sample, Signal
from tui.view import Update


class PlanFeed(Protocol):
    """One plan under watch, which also takes the user's acts."""

    def start(self, post: Callable[[Update], None]) -> None:
        """Begin; `post` is called from another thread with each update, the first one soon."""
        ...

    def act(self, act: Act) -> None:
        """Hand over one act and return at once; its outcome comes as an update."""
        ...

    def stop(self) -> None:
        """End within a fraction of a second, whatever a file system does."""
        ...


class HostFeed(Protocol):
    """Disks and GPUs, sampled at a steady pace."""

    def start(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        """Begin; `post` is called from another thread with each sample and its signals."""
        ...

    def stop(self) -> None:
        """End at once; a probe that hangs is left alone, never waited for."""
        ...
