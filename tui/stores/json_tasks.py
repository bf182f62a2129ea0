"""From the bytes of a JSON todo snapshot to tasks, whatever small dialect the agent speaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from tui.plan.model import Priority, Status, Task, priority_from, status_from
from tui.stores import spans

LISTS = ("todos", "tasks")
CONTENT = ("content", "title", "subject", "step", "text", "task")
ACTIVE = ("activeForm", "active_form")


class NotAPlan(ValueError):
    """This is JSON, but no todo snapshot; the text says why in one line."""


class _Inexact(Exception):
    """The fast parser rounded a number that is shown or compared."""


@dataclass(frozen=True, slots=True)
class TaskList:
    """The tasks of a document in order, and which entries of its array they are.

    `places[i]` is the array index of `tasks[i]`; `entries` is the array's length.
    """

    tasks: tuple[Task, ...] = ()
    places: tuple[int, ...] = ()
    entries: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the entries that are no tasks."""
        other = self.entries - len(self.tasks)
        if not other:
            return ()
        what = (
            "1 entry is not a task and is"
            if other == 1
            else f"{other} entries are not tasks and are"
        )
        return (f"{what} left alone",)


def read_tasks(data: bytes) -> TaskList:
    """Return the tasks; raises spans.Bad where nothing parses, NotAPlan where it is no plan."""
    try:
        return _tasks(_array(_load(data)))
    except _Inexact:
        return _tasks(_array(_outline(data)))


def _load(data: bytes) -> Any:
    """Parse fast where the strict parser agrees, else by spans."""
    try:
        return orjson.loads(data.removeprefix(spans.BOM))
    except orjson.JSONDecodeError:
        # Lone surrogates, NaN and deep nesting are no reason to refuse what the agent accepts.
        return _outline(data)


def _outline(data: bytes) -> Any:
    """Turn the parts that can be a plan into Python values, numbers into their own text."""
    root = spans.parse(data)
    if root.kind == "array":
        return [_shallow(data, item) for item in root.items]
    if root.kind != "object":
        return None
    # Of each key the last member counts, as in JSON.parse.
    return {
        spans.text_of(data, key): [_shallow(data, item) for item in node.items]
        if node.kind == "array"
        else None
        for key, node in zip(root.keys, root.items, strict=True)
    }


def _shallow(data: bytes, node: spans.Node) -> Any:
    if node.kind == "object":
        return {
            spans.text_of(data, key): None if item.kind == "object" else _shallow(data, item)
            for key, item in zip(node.keys, node.items, strict=True)
        }
    if node.kind == "string":
        return spans.text_of(data, (node.start, node.end))
    return data[node.start : node.end].decode() if node.kind == "number" else None


def _array(root: Any) -> list[Any]:
    if isinstance(root, list):
        return root
    if not isinstance(root, dict):
        raise NotAPlan("holds a single value, not a list of tasks")
    for name in LISTS:
        if isinstance(root.get(name), list):
            found: list[Any] = root[name]
            return found
    if not root:
        return []
    if named := next((name for name in LISTS if name in root), None):
        raise NotAPlan(f'holds "{named}", but that is not a list')
    raise NotAPlan('holds neither a list nor an object with "todos" or "tasks"')


def _tasks(array: list[Any]) -> TaskList:
    tasks: list[Task] = []
    places: list[int] = []
    statuses: dict[str | None, Status] = {None: Status.PENDING}
    priorities: dict[str | None, Priority | None] = {None: None}
    for place, item in enumerate(array):
        if isinstance(item, str):
            tasks.append(Task(item, origin=len(tasks)))
        elif isinstance(item, dict) and (content := _first(item, CONTENT)) is not None:
            status, priority = _text(item.get("status")), _text(item.get("priority"))
            if status is not None and status not in statuses:
                statuses[status] = status_from(status)
            if priority is not None and priority not in priorities:
                priorities[priority] = priority_from(priority)
            task = Task(
                content, statuses[status], priorities[priority], _text(item.get("id")),
                _first(item, ACTIVE), status, priority, len(tasks),
            )  # fmt: skip
            tasks.append(task)
        else:
            continue
        places.append(place)
    if array and not tasks:
        raise NotAPlan("holds a list, but nothing in it is a task")
    return TaskList(tuple(tasks), tuple(places), len(array))


def _first(item: dict[str, Any], names: tuple[str, ...]) -> str | None:
    for name in names:
        if (text := _text(item.get(name))) is not None:
            return text
    return None


def _text(value: Any) -> str | None:
    """Return a string or number as text; anything else says nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        raise _Inexact
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None
