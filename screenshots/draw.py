"""Draw the pictures of this folder from the demo: `python screenshots/draw.py [NAME…]`.

The real session, ledger, store and screen on the story's own moments, with a clock that stands
still, so that the same code always draws the same bytes.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from textual.pilot import Pilot  # noqa: E402

from tui.acts import Act  # noqa: E402
from tui.app import SteerpaneApp  # noqa: E402
from tui.demo.moments import EPOCH, Moment, moment, within  # noqa: E402
from tui.demo.story import CHECK, DELETE, DEPLOY, DOWNLOAD  # noqa: E402
from tui.host.sample import Sample, Signal  # noqa: E402
from tui.host.signals import Signals  # noqa: E402
from tui.session import Session  # noqa: E402
from tui.settings import ScreenSettings  # noqa: E402
from tui.stores.json_file import JsonFile  # noqa: E402
from tui.view import Update  # noqa: E402

_BEFORE = "before"
_BANNER = 0.8
"""Seconds that a banner stays: long enough to be drawn, short enough to wait for its end."""


class Stage:
    """Both feeds of the pane, moved from one moment of the story to the next by hand."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "todos.json"
        self.now = EPOCH
        self._signals = Signals()
        self._posts: list[Callable[[Update], None]] = []
        self._hosts: list[Callable[[Sample, tuple[Signal, ...]], None]] = []
        self._write(moment(_BEFORE).plan)
        self.session = Session(
            JsonFile(self.path), folder / "state", clock=self.clock, monotonic=self.clock
        )
        self.plan = _Feed(self)
        self.host = _Host(self)

    def clock(self) -> float:
        """Return the time of the story."""
        return self.now

    def go(self, at: Moment) -> None:
        """Let the agent and the host come to a moment of the story."""
        self.now = at.sample.at
        self._write(at.plan)
        self._look()
        # A little later the agent is quiet, and its file may be written.
        self.now += 1.0
        self._look()
        signals = self._signals.feed(at.sample)
        for post in self._hosts:
            post(at.sample, signals)

    def _write(self, plan: bytes) -> None:
        self.path.write_bytes(plan)
        os.utime(self.path, (self.now, self.now))

    def _look(self) -> None:
        if (update := self.session.look(poked=True)) is not None:
            for post in self._posts:
                post(update)


class _Feed:
    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def start(self, post: Callable[[Update], None]) -> None:
        self._stage._posts.append(post)
        self._stage._look()

    def act(self, act: Act) -> None:
        self._stage.now += 1.0
        update = self._stage.session.act(act).update
        for post in self._stage._posts:
            post(update)

    def stop(self) -> None:
        self._stage.session.close()


class _Host:
    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def start(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        self._stage._hosts.append(post)
        post(moment(_BEFORE).sample, ())

    def stop(self) -> None:
        """Nothing runs."""


@dataclass(frozen=True)
class Picture:
    """One picture: its size in cells, how the stage gets there, and the settings."""

    size: tuple[int, int]
    play: Callable[[Stage, Pilot[None]], Awaitable[None]]
    theme: str = "dark"
    ascii: bool = False


async def _play(stage: Stage, *moments: Moment) -> None:
    for at in moments:
        stage.go(at)
        # Until the banners of this moment have had their time.
        await asyncio.sleep(2.5 * _BANNER)


async def _pivot(stage: Stage, pilot: Pilot[None]) -> None:
    begun = [within(step, 1) for step in (CHECK, DELETE, DOWNLOAD)]
    await _play(stage, *begun, moment("download"), within(DOWNLOAD, DOWNLOAD.duration - 30))
    stage.go(within(DEPLOY, 1))
    await pilot.pause()


async def _veto(stage: Stage, pilot: Pilot[None]) -> None:
    await _play(stage, within(CHECK, 1))
    await pilot.press("j", "v", *"still needed", "enter")
    await pilot.pause()


async def _alarm(stage: Stage, pilot: Pilot[None]) -> None:
    await _veto(stage, pilot)
    stage.go(within(DELETE, 2))
    await pilot.pause()


PICTURES = {
    "pivot-40": Picture((40, 50), _pivot),
    "pivot-100": Picture((100, 34), _pivot),
    "pivot-100-light": Picture((100, 34), _pivot, theme="light"),
    "veto-40": Picture((40, 50), _veto),
    "alarm-40": Picture((40, 50), _alarm),
    "alarm-100": Picture((100, 34), _alarm),
    "pivot-24": Picture((24, 40), _pivot),
    "pivot-ascii-80": Picture((80, 30), _pivot, ascii=True),
}


async def draw(picture: Picture) -> str:
    """Return a picture as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        settings = ScreenSettings(
            theme=picture.theme,
            ascii=picture.ascii,
            title=False,
            bell=False,
            host_after=0.0,
            banner_seconds=_BANNER,
            clock=stage.clock,
        )
        app = SteerpaneApp(stage.plan, stage.host, settings)
        async with app.run_test(size=picture.size) as pilot:
            await pilot.pause()
            await picture.play(stage, pilot)
            for _ in range(3):
                await pilot.pause()
            return app.export_screenshot(title="steerpane")


def main() -> None:
    """Draw the named pictures, or all of them."""
    # What this terminal can show must not decide how the pictures look.
    os.environ.pop("NO_COLOR", None)
    os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"
    for name in sys.argv[1:] or PICTURES:
        svg = asyncio.run(draw(PICTURES[name]))
        (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
