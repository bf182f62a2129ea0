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
    tasks: Sequence[Task], bound: Iterable[Bound], spans: Mapping[str, Span]
) -> tuple[Row, ...]:
    """Return one row per task, in order; an empty content shows as “(no text)”."""
    marks: dict[str, list[Mark]] = {}
    for b in bound:
        d = b.directive
        if d.in_force:
            mark = Mark(d.kind, d.state, _clean(d.reason), d.priority)
            marks.setdefault(b.key, []).append(mark)
    for found in marks.values():
        found.sort(key=lambda m: _WEIGHT[m.kind])
    out: list[Row] = []
    for position, task in enumerate(tasks, 1):
        span = spans.get(task.key)
        running = span is not None and task.status is Status.IN_PROGRESS
        out.append(
            Row(
                task.key,
                position,
                _clean(task.content) or "(no text)",
                task.status,
                task.priority,
                tuple(marks.get(task.key, ())),
                since=span.start if span is not None and running else None,
                took=_took(span),
                exact=span is None or span.exact,
                active_form=_clean(task.active_form or ""),
            )
        )
    return tuple(out)


def _took(span: Span | None) -> float | None:
    return None if span is None or span.end is None else max(0.0, span.end - span.start)
