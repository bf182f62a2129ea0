"""From steered tasks to the rows that a screen shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tui.plan.directives import Kind
from tui.plan.model import Status, Task
from tui.plan.steering import Bound, Mark
from tui.plan.text import neutralise
from tui.plan.transitions import Span
from tui.view import Row

_WEIGHT = {Kind.VETO: 0, Kind.HOLD: 1, Kind.ADD: 2, Kind.PRIORITY: 3, Kind.MOVE: 4}

_clean = lru_cache(maxsize=32_768)(neutralise)


def rows(
    tasks: Sequence[Task],
    bound: Iterable[Bound],
    spans: Mapping[str, Span],
    shown: Sequence[Row] = (),
) -> tuple[Row, ...]:
    """Return one row per task, in order; an empty content shows as “(no text)”.

    Rows of `shown` are taken over where nothing changed, which a long plan is mostly made of.
    """
    marks: dict[str, list[Mark]] = {}
    for b in bound:
        d = b.directive
        if d.in_force:
            mark = Mark(d.kind, d.state, _clean(d.reason), d.priority)
            marks.setdefault(b.key, []).append(mark)
    for found in marks.values():
        found.sort(key=lambda m: _WEIGHT[m.kind])
    out: list[Row] = []
    for index, task in enumerate(tasks):
        span = spans.get(task.key)
        old = shown[index] if index < len(shown) else None
        plain = span is None and task.key not in marks
        if old is not None and plain and _same(old, task):
            out.append(old)
        else:
            out.append(_row(index + 1, task, span, tuple(marks.get(task.key, ()))))
    return tuple(out)


def _row(position: int, task: Task, span: Span | None, marks: tuple[Mark, ...]) -> Row:
    running = span is not None and task.status is Status.IN_PROGRESS
    return Row(
        task.key,
        position,
        _text(task),
        task.status,
        task.priority,
        marks,
        since=span.start if span is not None and running else None,
        took=_took(span) if task.status is Status.COMPLETED else None,
        exact=span is None or span.exact,
        active_form=_clean(task.active_form or ""),
    )


def _took(span: Span | None) -> float | None:
    return None if span is None or span.end is None else max(0.0, span.end - span.start)


def _text(task: Task) -> str:
    return _clean(task.content) or "(no text)"


def _same(row: Row, task: Task) -> bool:
    """Return whether a row still shows a task without marks and times."""
    return (
        row.key == task.key
        and row.status is task.status
        and row.priority is task.priority
        and row.content == _text(task)
        and row.active_form == _clean(task.active_form or "")
        and not row.marks
        and row.since is row.took is None
        and row.exact
    )
