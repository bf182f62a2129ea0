"""The Textual app: it receives the feeds' messages and owns no logic."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from threading import Thread, get_ident
from typing import ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.screen import Screen

from tui.feeds import HostFeed, PlanFeed
from tui.glyphs import glyphs_for
from tui.host.sample import Sample
from tui.messages import HostChanged, PlanChanged
from tui.paths import styles_dir
from tui.plan.transitions import Change
from tui.screens.keys import BINDINGS, shown
from tui.screens.plan import PlanScreen
from tui.screens.themes import THEMES
from tui.settings import ScreenSettings
from tui.startup import collect_from_now_on
from tui.terminal import keep_title, on_a_tty, restore_title, set_title
from tui.widgets.happenings import Happening
from tui.widgets.ink import Line
from tui.widgets.listing import Tally

_KEPT = 200
_SETTLED = 2.0
"""Seconds until the first paint is surely over."""
_PATIENCE = 0.4
"""Seconds that quitting waits for a feed to end."""


class SteerpaneApp(App[None]):
    """Watches one plan and one host, and lets the user steer."""

    CSS_PATH: ClassVar = [styles_dir() / f"{n}.tcss" for n in ("base", "plan", "banner", "pager")]
    TITLE = "steerpane"

    def __init__(self, plan: PlanFeed, host: HostFeed, settings: ScreenSettings) -> None:
        # An empty NO_COLOR means nothing (no-color.org), which Textual sees otherwise. With one
        # that counts, only a native palette comes out without any colour at all.
        if os.environ.get("NO_COLOR") == "":
            del os.environ["NO_COLOR"]
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.animation_level = "none"
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = THEMES.get(settings.theme, THEMES["dark"]).name
        self.set_class(settings.ascii, "-ascii")
        self._plan = plan
        self._host = host
        self._settings = settings
        self._glyphs = glyphs_for(settings.ascii)
        self._happenings: tuple[Happening, ...] = ()
        self._sample = Sample()
        self._title = ""
        self._had_tty = on_a_tty()
        self.pane = PlanScreen(settings, plan.act, self._start_feeds)

    def open(self) -> None:
        """Take the terminal over until the user quits."""
        self.run(mouse=self._settings.mouse)

    def get_default_screen(self) -> Screen[None]:
        """Return the plan's screen; every other one is opened above it."""
        return self.pane

    def on_mount(self) -> None:
        """Take care of the ways in which a terminal ends."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            # Outside the main thread there are no signals to handle.
            with suppress(RuntimeError, ValueError):
                loop.add_signal_handler(number, self.exit)
        if self._settings.title:
            keep_title(self)
        self.set_interval(1.0, self._watch_tty)
        self.set_timer(_SETTLED, collect_from_now_on)

    def _start_feeds(self) -> None:
        """Start the feeds; they post messages and touch nothing else."""
        self._plan.start(lambda update: self._post(PlanChanged(update)))
        # The host's probes are processes, which would compete with the first paint.
        if self._settings.host_after > 0:
            self.set_timer(self._settings.host_after, self._start_host)
        else:
            self._start_host()

    def _start_host(self) -> None:
        self._host.start(lambda sample, signals: self._post(HostChanged(sample, signals)))

    def _post(self, message: PlanChanged | HostChanged) -> None:
        """Post from a feed's thread, which may outlive the loop.

        What a feed knows already when it is started belongs in the first frame: it is shown now.
        """
        if isinstance(message, PlanChanged) and get_ident() == self._thread_id:
            self.on_plan_changed(message)
            return
        with suppress(RuntimeError):
            self.post_message(message)

    def on_unmount(self) -> None:
        """Stop the feeds; one that is stuck is left to its daemon thread."""
        if self._settings.title:
            restore_title(self)
        threads = [Thread(target=f.stop, daemon=True) for f in (self._plan, self._host)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(_PATIENCE / len(threads))

    def _watch_tty(self) -> None:
        """Leave when the terminal has gone without a signal, rather than spin on a dead one."""
        if self._had_tty and not on_a_tty():
            self.exit()

    def on_plan_changed(self, message: PlanChanged) -> None:
        """Show what one look at the plan brought."""
        update = message.update
        now = self._settings.clock()
        self._note(
            *(Happening(t.at or now, t) for t in update.transitions),
            *(Happening(a.at or now, a) for a in update.alarms),
            *(Happening(now, text) for text in update.notices),
        )
        tally = Tally.of(update.view.rows)
        self.pane.show_update(update, tally, self._happenings)
        self._renew()
        self._show_title(tally)
        if update.alarms:
            self._back_to_plan()
        pivotal = any(t.change in (Change.PIVOT, Change.FINISHED) for t in update.transitions)
        if self._settings.bell and (update.alarms or pivotal):
            self.bell()

    def on_host_changed(self, message: HostChanged) -> None:
        """Show one sample of the host and what happened on it."""
        self._sample = message.sample
        self._note(*(Happening(s.at, s) for s in message.signals))
        self.pane.show_sample(message.sample, self._happenings)
        self._renew()

    def _note(self, *happenings: Happening) -> None:
        if happenings:
            self._happenings = (*self._happenings, *happenings)[-_KEPT:]
            for happening in happenings:
                self.pane.banner.tell(happening)

    def _back_to_plan(self) -> None:
        """Close what hides the plan, for an alarm must be seen."""
        while self.screen is not self.pane:
            self.pop_screen()

    def _renew(self) -> None:
        if self.screen is not self.pane:
            from tui.screens.pager import Pager

            if isinstance(self.screen, Pager):
                self.screen.renew()

    def _show_title(self, tally: Tally) -> None:
        title = tally.progress if tally.total else "steerpane"
        if tally.current is not None:
            title += f" {self._glyphs.running} {tally.current.content}"
        if self._settings.title and title != self._title:
            self._title = title
            set_title(self, title)

    def _fatal_error(self) -> None:
        """End on an unexpected error with one line; its traceback is kept, not shown."""
        from tui.crash import keep

        error = self._exception
        assert error is not None
        self.panic(f"steerpane: {keep(error)}")

    async def on_key(self, event: events.Key) -> None:
        """Give keys to an open question, here where they arrive in the order they were typed."""
        if self.screen is self.pane and self.pane.prompt.open:
            event.prevent_default()
            event.stop()
            self.pane.prompt.take(event)
            self.pane.prompted()

    def on_paste(self, event: events.Paste) -> None:
        """Give a pasted text to an open question."""
        if self.screen is self.pane and self.pane.prompt.open:
            self.pane.prompt.paste(event.text)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer every key's action in the command palette too."""
        for binding in BINDINGS:
            run = partial(self.call_later, self.run_action, binding.action, self.pane)
            title = binding.description[:1].upper() + binding.description[1:]
            yield SystemCommand(title, f"key {shown(binding)}", run)

    def action_theme(self) -> None:
        """Change between dark and light."""
        dark, light = THEMES["dark"].name, THEMES["light"].name
        self.theme = light if self.theme == dark else dark

    def action_help_quit(self) -> None:
        """Tell how to quit to who has pressed ctrl+c."""
        self.pane.tell("q quits; the agent is not touched.")

    def action_help(self) -> None:
        """Open the help."""
        from tui.screens.help import help_lines

        self._open("Help", lambda width: help_lines(width, self._glyphs))

    def action_log(self) -> None:
        """Open the log."""
        from tui.widgets.lately import log_lines

        self._open("Log", lambda width: log_lines(self._happenings, width, self._glyphs))

    def action_gpus(self) -> None:
        """Open the GPUs' details."""
        from tui.widgets.gpus import gpu_details

        self._open("GPUs", lambda width: gpu_details(self._sample, width, self._glyphs))

    def action_detail(self) -> None:
        """Open everything about the selected task."""
        from tui.widgets.detail import full_text

        row = self.pane.selected
        if row is None:
            return

        def build(width: int) -> list[Line]:
            latest = self.pane.plan.latest(row)
            return full_text(latest, width, self._settings.clock(), self._glyphs)

        self._open("Task", build)

    def _open(self, title: str, build: Callable[[int], list[Line]]) -> None:
        from tui.screens.pager import Pager

        self.push_screen(Pager(self._settings, title, build))
