"""The terminal beside the picture: its title, and whether it is still there."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from tui.plan.text import neutralise

if TYPE_CHECKING:
    from textual.app import App

_PUSH, _POP = "\x1b[22;2t", "\x1b[23;2t"
_LIMIT = 80


def _send(app: App[None], sequence: str) -> None:
    # Textual has no public way to write a sequence of one's own; headless drivers ignore it.
    if app._driver is not None:
        app._driver.write(sequence)


def keep_title(app: App[None]) -> None:
    """Ask the terminal to remember its present title; one that cannot do so ignores this."""
    _send(app, _PUSH)


def set_title(app: App[None], title: str) -> None:
    """Show one neutralised line as the terminal's title, which tmux has as the pane's title."""
    _send(app, f"\x1b]2;{neutralise(title)[:_LIMIT]}\x07")


def restore_title(app: App[None]) -> None:
    """Bring back the title that `keep_title` saw."""
    _send(app, _POP)


def on_a_tty() -> bool:
    """Return True while the process has a terminal that is still there."""
    stdin = sys.__stdin__
    try:
        return stdin is not None and os.isatty(stdin.fileno())
    except (OSError, ValueError):
        return False
