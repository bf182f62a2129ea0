"""Scripted feeds and the deployment story's values, to drive the screen without any agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual.events import Key
from textual.pilot import Pilot

from tui.acts import Act
from tui.app import SteerpaneApp
from tui.host.sample import Disk, Gpu, Sample, Signal
from tui.plan.model import Priority, Status
from tui.plan.steering import Kind, Mark, State
from tui.settings import ScreenSettings
from tui.view import Health, Reach, Row, Update, View

NOW = 1_800_000_000.0
HIGH = Priority.HIGH

TEXTS = (
    "Check disk space and plan cleanup",
    "Delete Kimi-K2.5-NVFP4 model (540GB) to free space",
    "Download native Kimi-K2.5 INT4 model (~595GB)",
    "Stop MiniMax, deploy and launch Kimi-K2.5 INT4",
    "Benchmark Kimi-K2.5 INT4 single-stream and concurrent",
)
TOOK = (20.0, 24.0, 1692.0)


def row(position: int, content: str, status: Status = Status.PENDING, **more: object) -> Row:
    """Return a task whose key is made from its place."""
    return Row(f"k{position}", position, content, status, **more)  # type: ignore[arg-type]


def story(current: int = 3, *, exact: bool = True) -> View:
    """Return the story's plan with the task of that index in progress."""
    rows = []
    for index, text in enumerate(TEXTS):
        if index < current:
            more = {"took": TOOK[index] if index < 3 else 300.0, "exact": exact or index > 0}
            rows.append(row(index + 1, text, Status.COMPLETED, priority=HIGH, **more))
        elif index == current:
            since = NOW - 250
            rows.append(row(index + 1, text, Status.IN_PROGRESS, priority=HIGH, since=since))
        else:
            rows.append(row(index + 1, text, priority=HIGH))
    return View(
        rows=tuple(rows),
        health=Health.OK,
        good_at=NOW,
        path="/srv/deploy/todo.json",
        store="json",
        session="deploy",
        reach=Reach.LIVE,
    )


def marked(view: View, index: int, *marks: Mark, **more: object) -> View:
    """Return the view with the user's marks on one task."""
    rows = list(view.rows)
    rows[index] = replace(rows[index], marks=marks, **more)  # type: ignore[arg-type]
    return replace(view, rows=tuple(rows))


VETO = Mark(Kind.VETO, State.STORED, reason="that model is still wanted")
HOLD = Mark(Kind.HOLD, State.ACKNOWLEDGED)

DISKS = (
    Disk(
        "259:1",
        "/shared",
        "/shared",
        "ext4",
        total=1_700_000_000_000,
        used=762_000_000_000,
        free=938_000_000_000,
        rate=330e6,
        since=NOW,
    ),
    Disk(
        "259:2",
        "/",
        "/",
        "ext4",
        total=250_000_000_000,
        used=221_000_000_000,
        free=29_000_000_000,
        rate=0.0,
        since=NOW,
    ),
)


def gpus(count: int = 8) -> tuple[Gpu, ...]:
    """Return that many GPUs at work, each a little different."""
    return tuple(
        Gpu(
            f"GPU-{index}",
            index,
            "NVIDIA RTX PRO 6000 Blackwell Server Edition",
            memory_total=97_887 * 2**20,
            memory_used=(88_000 + 700 * index) * 2**20,
            utilisation=(98, 97, 99, 100, 98, 3, 97, 99)[index % 8],
            power=520.0 + 7 * index,
            power_limit=600.0,
            temperature=66 + index,
            holders=((4711 + index, "vllm", (88_000 + 700 * index) * 2**20),),
            since=NOW,
        )
        for index in range(count)
    )


def sample(count: int = 8) -> Sample:
    """Return the story's host with that many GPUs."""
    problem = "" if count else "no NVIDIA driver on this host"
    return Sample(NOW, DISKS, gpus(count), problem)


class FakePlan:
    """A plan feed that posts what the test tells it to, and keeps what it is asked for."""

    def __init__(self, *updates: Update) -> None:
        self.updates = updates
        self.acts: list[Act] = []
        self.stopped = False
        self._post: Callable[[Update], None] | None = None

    def start(self, post: Callable[[Update], None]) -> None:
        """Post the first updates at once."""
        self._post = post
        for update in self.updates:
            post(update)

    def send(self, update: Update | View) -> None:
        """Post one more update."""
        assert self._post is not None
        self._post(update if isinstance(update, Update) else Update(update))

    def act(self, act: Act) -> None:
        """Keep an act."""
        self.acts.append(act)

    def stop(self) -> None:
        """Note that the app has stopped it."""
        self.stopped = True


class FakeHost:
    """A host feed that posts one sample, and more when told to."""

    def __init__(self, first: Sample | None = None) -> None:
        self.first = first
        self.stopped = False
        self._post: Callable[[Sample, tuple[Signal, ...]], None] | None = None

    def start(self, post: Callable[[Sample, tuple[Signal, ...]], None]) -> None:
        """Post the first sample at once."""
        self._post = post
        if self.first is not None:
            post(self.first, ())

    def send(self, value: Sample, *signals: Signal) -> None:
        """Post one more sample."""
        assert self._post is not None
        self._post(value, signals)

    def stop(self) -> None:
        """Note that the app has stopped it."""
        self.stopped = True


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def make(
    update: Update | View | None = None, host: Sample | None = None, **settings: object
) -> SteerpaneApp:
    """Return an app on fake feeds whose clock stands still."""
    if isinstance(update, View):
        update = Update(update)
    feed = FakePlan(*([update] if update else []))
    settings.setdefault("clock", Clock())
    chosen = ScreenSettings(**{"host_after": 0.0, **settings})  # type: ignore[arg-type]
    return SteerpaneApp(feed, FakeHost(host), chosen)


async def settle(pilot: Pilot[None]) -> None:
    """Wait until messages that led to other messages are dealt with, and drawn."""
    for _ in range(3):
        await pilot.pause()


async def burst(pilot: Pilot[None], *keys: str) -> None:
    """Press keys all at once, as they come over a slow line, and wait until all are dealt with."""
    app = pilot.app
    for key in keys:
        name = {"-": "minus", " ": "space", "+": "plus"}.get(key, key)
        printable = key if len(key) == 1 else " " if key == "space" else None
        event = Key(name, printable)
        event.set_sender(app)
        assert app._driver is not None
        app._driver.send_message(event)
    await settle(pilot)


def feed_of(app: SteerpaneApp) -> FakePlan:
    """Return the fake plan feed of an app made here."""
    assert isinstance(app._plan, FakePlan)
    return app._plan


def host_of(app: SteerpaneApp) -> FakeHost:
    """Return the fake host feed of an app made here."""
    assert isinstance(app._host, FakeHost)
    return app._host
