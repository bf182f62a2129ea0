"""The scripted agent's own plan file: its form, and how a polite agent changes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tui.plan.model import Status, status_from

Todo = dict[str, Any]
"""One task as the file holds it, with every member that anybody put there."""

Change = Callable[[list[Todo]], list[Todo]]
"""From the tasks in the file to the wanted ones; leaves what it is given as it is."""


def render(todos: list[Todo]) -> bytes:
    """The file's bytes: one task a line."""
    lines = (json.dumps(todo, ensure_ascii=False, separators=(",", ":")) for todo in todos)
    return ('{"todos":[\n ' + ",\n ".join(lines) + "]}\n").encode("utf-8", "surrogatepass")


def todo(content: str, status: Status) -> Todo:
    """A task as the agent writes it."""
    return {"content": content, "priority": "high", "status": status.value}


def content_of(todo: Todo) -> str:
    """What a task says."""
    return str(todo.get("content", ""))


def status_in(todo: Todo) -> Status:
    """Where a task stands, in whatever words."""
    return status_from(str(todo.get("status", "")))


def read(path: Path) -> list[Todo]:
    """The tasks in the file; raises OSError, or ValueError when it holds no plan just now."""
    return _parse(path.read_bytes())


def rewrite(path: Path, change: Change) -> list[Todo]:
    """Replace the file by `change` of what it holds, and return that; raises as `read` does.

    Somebody else may edit the file in between: then their edit is read and `change` asked again.
    Nothing is written when nothing changes.
    """
    fresh = path.with_name(f".{path.name}.new")
    while True:
        raw = path.read_bytes()
        todos = _parse(raw)
        wanted = change(todos)
        if wanted == todos:
            return todos
        fresh.write_bytes(render(wanted))
        if path.read_bytes() == raw:
            fresh.replace(path)
            return wanted


def _parse(raw: bytes) -> list[Todo]:
    document = json.loads(raw)
    todos = document.get("todos") if isinstance(document, dict) else None
    if not isinstance(todos, list) or not all(isinstance(each, dict) for each in todos):
        raise ValueError("not a plan")
    return todos
