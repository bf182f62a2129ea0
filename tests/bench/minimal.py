"""The smallest Textual app that shows a text, to compare a first paint with."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class Minimal(App[None]):
    """One line of text."""

    def compose(self) -> ComposeResult:
        """Show it."""
        yield Static("first paint")


Minimal().run()
