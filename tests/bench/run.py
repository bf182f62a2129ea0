"""Measure what the pane promises: `python -m tests.bench.run [NAME…]` from the checkout.

Prints one line per figure: the median of the runs, or p50 and p95 where a distribution matters.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.terminal import Terminal, cpu_seconds, memory, tree

ROOT = Path(__file__).resolve().parents[2]
STEERPANE = [sys.executable, "-m", "tui"]
STORY = [
    "Check disk space and plan cleanup",
    "Delete Kimi-K2.5-NVFP4 model (540GB) to free space",
    "Download native Kimi-K2.5 INT4 model (~595GB)",
    "Stop MiniMax, deploy and launch Kimi-K2.5 INT4",
    "Benchmark Kimi-K2.5 INT4 single-stream and concurrent",
]


def say(what: str, *figures: str) -> None:
    """Print one line of the report."""
    print(f"{what:<58} {'  '.join(figures)}", flush=True)


def spread(seconds: list[float]) -> str:
    """Return p50, p95 and the maximum in milliseconds."""
    ordered = sorted(1000 * s for s in seconds)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return f"p50 {statistics.median(ordered):.1f}  p95 {p95:.1f}  max {ordered[-1]:.1f} ms"


class Room:
    """A folder with a plan, a home and a state of its own, and the environment for them."""

    def __init__(self, folder: Path) -> None:
        self.plan = folder / "plan.json"
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TERM": "screen-256color",
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CONFIG_HOME": str(folder / "config"),
        }
        self.write(0)

    def write(self, done: int, contents: list[str] | None = None, tag: str = "") -> None:
        """Rewrite the plan as an agent does, with the first tasks done."""
        contents = STORY if contents is None else contents
        todos = [
            {
                "content": text + tag if i == done else text,
                "priority": "high",
                "status": "completed" if i < done else "in_progress" if i == done else "pending",
            }
            for i, text in enumerate(contents)
        ]
        new = self.plan.with_suffix(".new")
        new.write_text(json.dumps({"todos": todos}, indent=1))
        new.replace(self.plan)

    def pane(self, *options: str, size: tuple[int, int] = (40, 50), **env: str) -> Terminal:
        """Open the pane on the plan."""
        command = [*STEERPANE, str(self.plan), *options]
        return Terminal(command, self.env | env, size)


@contextlib.contextmanager
def room() -> Iterator[Room]:
    """Give a room and take it away."""
    with tempfile.TemporaryDirectory(prefix="steerpane-bench-") as folder:
        yield Room(Path(folder))


@contextlib.contextmanager
def opened(*args: str, done: int = 0, **kwargs: object) -> Iterator[tuple[Room, Terminal]]:
    """Give a room with a pane that is ready."""
    with room() as r:
        r.write(done)
        terminal = r.pane(*args, **kwargs)  # type: ignore[arg-type]
        try:
            terminal.wait_for("Check disk")
            terminal.drain(1.0)
            yield r, terminal
        finally:
            terminal.close()


def fake_gpus(folder: Path, **state: object) -> dict[str, str]:
    """Return the environment of a host with eight GPUs."""
    from tests.fakenvml import Driver, build

    driver = Driver(build(folder), folder)
    driver.set(**state)
    return driver.environment


def first_paint() -> None:
    """First paint against a minimal app, alternating."""
    with room() as r:
        ours, least = [], []
        for i in range(12):
            for command, marker, times in (
                ([*STEERPANE, str(r.plan)], "Check disk", ours),
                ([sys.executable, str(ROOT / "tests/bench/minimal.py")], "first paint", least),
            ):
                terminal = Terminal(command, r.env, (80, 40))
                try:
                    took = terminal.wait_for(marker) - terminal.started
                finally:
                    terminal.close()
                if i:  # the first run of each compiles
                    times.append(took)
    a, b = statistics.median(ours), statistics.median(least)
    say("first paint", f"{1000 * a:.0f} ms", f"minimal app {1000 * b:.0f} ms", f"x{a / b:.2f}")


def command_help() -> None:
    """`--help` and `--version` against an empty interpreter."""
    script = Path(sys.executable).with_name("steerpane")
    times: dict[str, list[float]] = {}
    for _ in range(15):
        for name, command in (
            ("pass", [sys.executable, "-c", "pass"]),
            ("--help", [str(script), "--help"]),
            ("--version", [str(script), "--version"]),
        ):
            begun = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            times.setdefault(name, []).append(time.perf_counter() - begun)
    base = statistics.median(times["pass"])
    for name in ("--help", "--version"):
        m = statistics.median(times[name])
        say(f"steerpane {name}", f"{1000 * m:.0f} ms", f"python -c pass x{m / base:.2f}")


def _file_to_pixels(r: Room, terminal: Terminal, rounds: int) -> list[float]:
    times = []
    for i in range(rounds):
        time.sleep(0.35)
        terminal.drain(0.05)
        mark = f" q{i:03}z"
        r.write(0, [mark.strip() + " " + STORY[0], *STORY[1:]])
        begun = time.perf_counter()
        times.append(terminal.wait_for(mark.strip()) - begun)
    return times


def _key_to_pixels(terminal: Terminal, rounds: int) -> list[float]:
    times = []
    for i in range(rounds):
        time.sleep(0.12)
        terminal.drain(0.03)
        begun = time.perf_counter()
        terminal.type("j" if i % 4 < 2 else "k")
        if terminal.read(2.0):
            times.append(time.perf_counter() - begun)
    return times


def latency() -> None:
    """File renamed to pixels, key to pixels."""
    with opened() as (r, terminal):
        say("file renamed -> pixels", spread(_file_to_pixels(r, terminal, 60)))
        say("key -> pixels", spread(_key_to_pixels(terminal, 80)))


def latency_hung() -> None:
    """The same while the GPU probe hangs."""
    with tempfile.TemporaryDirectory() as folder:
        env = fake_gpus(Path(folder))
        with opened(**env) as (r, terminal):
            _hang(Path(folder))
            time.sleep(4)
            say("file -> pixels, GPU probe hanging", spread(_file_to_pixels(r, terminal, 30)))
            say("key -> pixels, GPU probe hanging", spread(_key_to_pixels(terminal, 60)))
            begun = time.perf_counter()
            terminal.type("q")
            terminal.wait()
            say("q, GPU probe hanging", f"{1000 * (time.perf_counter() - begun):.0f} ms")


def _hang(folder: Path) -> None:
    from tests.fakenvml import Driver, build

    Driver(build(folder), folder).set(sleep__nvmlDeviceGetMemoryInfo_v2=600_000)


def steady(seconds: float = 60.0) -> None:
    """CPU, output and memory of a quiet pane and of one whose figures all change."""
    from tests.fakenvml import Driver, build

    for name, moving in (("nothing changes", False), ("every GPU figure changes", True)):
        with tempfile.TemporaryDirectory() as folder:
            driver = Driver(build(Path(folder)), Path(folder))
            driver.set(used=80 << 10, util=0)  # MiB
            # A task in progress would let its time grow, which is a change.
            with opened(done=len(STORY), size=(100, 40), **driver.environment) as (_, terminal):
                time.sleep(15)
                terminal.drain(0.1)
                pids = tree(terminal.pid)
                before, begun, drawn, step = cpu_seconds(pids), time.monotonic(), 0, 0
                while time.monotonic() - begun < seconds:
                    drawn += len(terminal.read(1.0))
                    if moving and time.monotonic() - begun > 2 * step:
                        step += 1
                        driver.set(
                            used=(80 << 10) + 100 * (step % 5),
                            util=50 + step % 40,
                            power=400_000 + 1000 * step,
                            temp=60 + step % 9,
                        )
                minutes = (time.monotonic() - begun) / 60
                used = (cpu_seconds(tree(terminal.pid)) - before) / minutes
                pss = sum(memory(p, "Pss") for p in tree(terminal.pid))
                say(
                    f"steady, 8 GPUs, 2 s: {name}",
                    f"{used:.2f} CPU s/min",
                    f"{drawn / minutes / 60:.0f} B/s",
                    f"main RSS {memory(terminal.pid, 'Rss'):.0f} MB",
                    f"tree PSS {pss:.0f} MB ({len(pids)} processes)",
                )


def endings() -> None:
    """How fast it leaves, in each way."""

    def by(what: str, leave: Callable[[Terminal], None]) -> None:
        times, restored = [], True
        for _ in range(5):
            with opened() as (_, terminal):
                leave(terminal)
                times.append(terminal.wait())
                restored = restored and (
                    what == "closed tty" or b"\x1b[?1049l" in bytes(terminal.drawn)
                )
        say(f"exit by {what}", spread(times), "terminal restored" if restored else "NOT RESTORED")

    by("q", lambda t: t.type("q"))
    by("SIGTERM", lambda t: os.kill(t.pid, signal.SIGTERM))
    by("SIGHUP", lambda t: os.kill(t.pid, signal.SIGHUP))
    by("closed tty", lambda t: t.hang_up())


def ten_thousand() -> None:
    """10,000 tasks: load, a 10-task update, and memory over 2,000 updates."""
    subprocess.run([sys.executable, "-m", "tests.bench.widget"], cwd=ROOT, check=True)


BENCHES = {
    "first_paint": first_paint,
    "help": command_help,
    "latency": latency,
    "latency_hung": latency_hung,
    "endings": endings,
    "ten_thousand": ten_thousand,
    "steady": steady,
}


def main() -> None:
    """Run the named benchmarks, or all of them."""
    for name in sys.argv[1:] or BENCHES:
        BENCHES[name]()


if __name__ == "__main__":
    main()
