"""The JSON that commands print: one object, `"schema": "steerpane/1"`, its shape in schema.json."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from tui.host.sample import Disk, Gpu, Signal
from tui.plan.directives import Kind
from tui.plan.model import Task
from tui.plan.steering import Mark
from tui.plan.transitions import Transition
from tui.view import Alarm, Row, View

SCHEMA = "steerpane/1"


def emit(fields: dict[str, Any]) -> None:
    """Print one object on one line; everything that a terminal might act on is escaped."""
    sys.stdout.write(json.dumps({"schema": SCHEMA, **fields}) + "\n")
    sys.stdout.flush()


def plan(view: View, tasks: Sequence[Task]) -> dict[str, Any]:
    """Return the plan; `tasks` are those of the view's rows, with their texts as stored."""
    return {
        "store": view.store,
        "path": view.path,
        "session": view.session,
        "reach": view.reach.value,
        "health": view.health.value,
        "writing": view.writing,
        "read_at": view.good_at,
        "done": view.done,
        "total": view.total,
        "tasks": [_task(row, task) for row, task in zip(view.rows, tasks, strict=True)],
    }


def _task(row: Row, task: Task) -> dict[str, Any]:
    return {
        "position": row.position,
        "content": task.content,
        "status": row.status.value,
        "priority": None if row.priority is None else row.priority.value,
        "directive": None if row.steered is None else _directive(row.steered),
        "directives": [_directive(mark) for mark in row.marks],
        "since": row.since,
        "took": row.took,
        "exact": row.exact,
    }


def _directive(mark: Mark) -> dict[str, Any]:
    fields = {"kind": mark.kind.value, "state": mark.state.value, "reason": mark.reason}
    return {**fields, "priority": mark.priority} if mark.kind is Kind.PRIORITY else fields


def disk(d: Disk) -> dict[str, Any]:
    """Return one disk; amounts in bytes, `rate` in bytes per second."""
    return {
        "path": d.path,
        "label": d.label,
        "fstype": d.fstype,
        "total": d.total,
        "used": d.used,
        "free": d.free,
        "percent": round(d.percent, 1),
        "rate": d.rate,
        "read_only": d.read_only,
        "condition": d.condition.value,
        "problem": d.problem,
    }


def gpu(g: Gpu) -> dict[str, Any]:
    """Return one GPU; memory in bytes, power in watts, temperature in degrees Celsius."""
    return {
        "index": g.index,
        "id": g.id,
        "name": g.name,
        "memory_total": g.memory_total,
        "memory_used": g.memory_used,
        "utilisation": g.utilisation,
        "power": g.power,
        "power_limit": g.power_limit,
        "temperature": g.temperature,
        "processes": [{"pid": p, "name": n, "memory": m} for p, n, m in g.holders],
        "condition": g.condition.value,
        "problem": g.problem,
    }


def happening(h: Transition | Alarm | Signal) -> dict[str, Any]:
    """Return one line of `watch --json`."""
    match h:
        case Transition():
            return {
                "event": "transition",
                "change": h.change.value,
                "tasks": list(h.contents),
                "took": h.took,
                "took_exact": h.took_exact,
                "done": h.done,
                "total": h.total,
                "before": h.before,
                "at": h.at,
            }
        case Alarm():
            return {
                "event": "alarm",
                "task": h.content,
                "against": h.kind.value,
                "did": h.did,
                "reason": h.reason,
                "at": h.at,
            }
        case Signal():
            return {
                "event": "signal",
                "signal": h.event.value,
                "where": h.where,
                "bytes": h.amount,
                "by": h.by,
                "free": h.left,
                "at": h.at,
            }
