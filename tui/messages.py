"""What the feeds' threads post to the app: frozen values, handled in the app's own loop."""

from __future__ import annotations

from textual.message import Message

from tui.host.sample import Sample, Signal
from tui.view import Update


class PlanChanged(Message):
    """One look at the plan."""

    def __init__(self, update: Update) -> None:
        self.update = update
        super().__init__()


class HostChanged(Message):
    """One sample of the host, with what happened since the last one."""

    def __init__(self, sample: Sample, signals: tuple[Signal, ...]) -> None:
        self.sample = sample
        self.signals = signals
        super().__init__()
