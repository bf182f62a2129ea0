"""`steerpane status`: one look at the plan, the disks and the GPUs."""

from __future__ import annotations

import argparse
import sys
import time

from tui.commands.opening import session_of, settle, store_of
from tui.config import load
from tui.figures import gibibytes, gigabytes, lasted, rate
from tui.glyphs import Glyphs, glyphs_for
from tui.host.sample import Condition, Disk, Gpu, Sample
from tui.output import disk, emit, gpu, plan
from tui.plan.directives import State
from tui.plan.text import neutralise
from tui.view import Row, View

_LINE = 60


def status(options: argparse.Namespace) -> int:
    """Print one look at everything, as text, as one line or as JSON."""
    config = load()
    store = store_of(options.path)
    session = session_of(store, read_only=True)
    view, update = settle(session)
    notices = () if update is None else update.notices
    if options.line:
        print(_line(view))  # noqa: T201
        return 0
    from tui.host.monitor import look

    sample = look([store.path.parent, *config.mounts])
    if options.json:
        problems = (view.problem, sample.gpu_problem, *config.problems, *notices)
        emit(
            {
                "plan": plan(view, session.tasks),
                "disks": [disk(d) for d in sample.disks],
                "gpus": [gpu(g) for g in sample.gpus],
                "problems": [p for p in problems if p],
            }
        )
        return 0
    for line in _text(view, sample):
        print(line)  # noqa: T201
    for problem in (*config.problems, *notices):
        print(f"steerpane: {neutralise(problem)}", file=sys.stderr)  # noqa: T201
    return 0


def _glyphs() -> Glyphs:
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").casefold()
    return glyphs_for(not encoding.startswith("utf"))


def _line(view: View) -> str:
    line = f"{view.done}/{view.total}"
    if (row := view.current) is not None:
        glyphs, text = _glyphs(), row.content
        text = text if len(text) <= _LINE else text[: _LINE - 1] + glyphs.ellipsis
        line += f" {glyphs.running} {text}"
    against = [
        mark
        for row in view.rows
        if (mark := row.steered) and mark.state in (State.CONTESTED, State.DEFIED)
    ]
    return f"{line} ! {against[0].kind} {against[0].state}" if against else line


def _text(view: View, sample: Sample) -> list[str]:
    glyphs = _glyphs()
    lines = [f"{neutralise(view.path)}  {view.done}/{view.total} completed"]
    lines += [f"  {view.problem}"] if view.problem else []
    lines += [_row(row, glyphs) for row in view.rows] or ["  no tasks"]
    lines += ["", *(_disk(d) for d in sample.disks)]
    lines += [_gpu(g, glyphs) for g in sample.gpus] or [sample.gpu_problem or "no GPUs"]
    return lines


def _row(row: Row, glyphs: Glyphs) -> str:
    parts = [f"{glyphs.status(row.status)} {row.position:>2} {row.content}"]
    parts += [row.priority.value] if row.priority else []
    if row.took is not None or row.since is not None:
        seconds = row.took if row.took is not None else time.time() - (row.since or 0)
        parts.append(lasted(seconds, row.exact))
    for mark in row.marks:
        why = f" ({mark.reason})" if mark.reason else ""
        parts.append(f"{mark.kind} {mark.state}{why}")
    return "  ".join(parts)


def _disk(d: Disk) -> str:
    if d.condition is not Condition.OK:
        return f"{d.label}  {d.problem or d.condition}"
    change = f"  {rate(d.rate)}" if rate(d.rate) else ""
    return (
        f"{d.label}  {gigabytes(d.used)} used, {gigabytes(d.free)} free of "
        f"{gigabytes(d.total)} ({d.percent:.0f} %){change}"
    )


def _gpu(g: Gpu, glyphs: Glyphs) -> str:
    if g.condition is not Condition.OK:
        return f"GPU {g.index}  {g.problem or g.condition}"
    figures = []
    if g.memory_used is not None and g.memory_total is not None:
        figures.append(f"{gibibytes(g.memory_used)} of {gibibytes(g.memory_total)} GiB")
    figures += [] if g.utilisation is None else [f"{g.utilisation} %"]
    figures += [] if g.power is None else [f"{g.power:.0f} W"]
    figures += [] if g.temperature is None else [f"{g.temperature} {glyphs.celsius}"]
    return f"GPU {g.index}  {g.name}  " + ", ".join(figures)
