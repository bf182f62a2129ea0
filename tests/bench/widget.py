"""10,000 tasks: on the screen, the whole way from the file, and memory over 2,000 updates."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tests.bench.run import say
from tests.bench.terminal import memory
from tests.pane.fakes import feed_of, make
from tui.messages import PlanChanged
from tui.plan.model import Status
from tui.session import Session
from tui.stores.json_file import JsonFile
from tui.view import Health, Row, Update, View

COUNT = 10_000


def rows(changed: range = range(0), mark: str = "") -> tuple[Row, ...]:
    """Return the rows of a long plan, some of them reworded."""
    return tuple(
        Row(f"t{i}", i + 1, f"Task {i} of many{mark if i in changed else ''}", Status.PENDING)
        for i in range(COUNT)
    )


def view(rows: tuple[Row, ...]) -> View:
    """Return a view of rows."""
    return View(rows, Health.OK, path="/plan.json", store="json")


async def screen() -> None:
    """The app's handler and its repaint, on ready-made views."""
    app = make()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        feed = feed_of(app)

        async def shown(v: View) -> float:
            begun = time.perf_counter()
            app.on_plan_changed(PlanChanged(Update(v)))
            took = time.perf_counter() - begun
            await pilot.pause()
            return took

        loads, updates = [], []
        for i in range(5):
            await shown(view(()))
            loads.append(await shown(view(rows())))
            updates += [await shown(view(rows(range(10), f" {i}.{j}"))) for j in range(5)]
        say(
            "10,000 tasks on the screen",
            f"load {1000 * statistics.median(loads):.1f} ms",
            f"10-task update {1000 * statistics.median(updates):.1f} ms",
        )
        base = rows()
        gc.collect()
        before = 0.0
        for i in range(2_200):
            if i == 200:
                gc.collect()
                before = memory(os.getpid(), "Rss")
            changed = tuple(
                replace(r, content=f"Task {r.position} {i}") if r.position <= 10 else r
                for r in base[:200]
            )
            feed.send(Update(view(changed)))
            await pilot.pause()
        gc.collect()
        say("2,000 updates of 10 tasks", f"RSS {memory(os.getpid(), 'Rss') - before:+.1f} MB")


def whole_way() -> None:
    """From the file's bytes to the view: reading, identity, steering, rows."""
    loads, updates = [], []
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "plan.json"
            todos = [
                {"content": f"Task {i} of many", "status": "pending", "priority": "high"}
                for i in range(COUNT)
            ]
            path.write_text(json.dumps(todos, indent=2))
            session = Session(JsonFile(path), Path(folder) / "state")
            begun = time.perf_counter()
            session.look()
            loads.append(time.perf_counter() - begun)
            for todo in todos[:10]:
                todo["status"] = "completed"
            path.write_text(json.dumps(todos, indent=2))
            begun = time.perf_counter()
            session.look()
            updates.append(time.perf_counter() - begun)
    say(
        "10,000 tasks from the file to the view",
        f"load {1000 * statistics.median(loads):.0f} ms",
        f"10-task update {1000 * statistics.median(updates):.0f} ms",
    )


if __name__ == "__main__":
    asyncio.run(screen())
    whole_way()
