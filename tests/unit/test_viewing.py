"""The rows a screen shows of steered tasks."""

from __future__ import annotations

from dataclasses import replace

from tui.plan.directives import Directive, Kind, State
from tui.plan.model import Priority, Status, Task
from tui.plan.steering import Bound
from tui.plan.transitions import Span
from tui.view import Row
from tui.viewing import rows


def on(key: str, kind: Kind, **more: object) -> Bound:
    return Bound(Directive(f"{kind}-{key}", kind, key, 0.0, **more), key)  # type: ignore[arg-type]


def test_texts_are_neutralised_and_never_empty() -> None:
    tasks = [
        Task("\x1b[31mred\u202e", key="a", active_form="do\ting\x07"),
        Task(" \u200b\n", key="b"),
    ]
    bound = [on("a", Kind.VETO, reason="\x1b]0;x\x07why")]
    first, second = rows(tasks, bound, {})
    assert (first.content, first.active_form, first.marks[0].reason) == ("red", "do ing", "why")
    assert second.content == "(no text)"
    assert (first.position, second.position) == (1, 2)


def test_marks_are_the_weightiest_first_and_only_those_in_force() -> None:
    bound = [
        on("a", Kind.MOVE),
        on("a", Kind.PRIORITY, priority=Priority.LOW),
        on("a", Kind.HOLD, in_force=False),
        on("a", Kind.VETO, state=State.CONTESTED),
        on("gone", Kind.VETO),
    ]
    (row,) = rows([Task("x", key="a")], bound, {})
    assert [m.kind for m in row.marks] == [Kind.VETO, Kind.PRIORITY, Kind.MOVE]
    assert row.steered is not None
    assert row.steered.state is State.CONTESTED


def test_times() -> None:
    tasks = [
        Task("runs", Status.IN_PROGRESS, key="a"),
        Task("ran", Status.COMPLETED, key="b"),
        Task("waits", key="c"),
        Task("odd clock", Status.COMPLETED, key="d"),
    ]
    spans = {
        "a": Span(10.0, exact=False),
        "b": Span(10.0, 25.0),
        "d": Span(10.0, 5.0),
    }
    a, b, c, d = rows(tasks, [], spans)
    assert (a.since, a.took, a.exact) == (10.0, None, False)
    assert (b.since, b.took, b.exact) == (None, 15.0, True)
    assert (c.since, c.took) == (None, None)
    assert d.took == 0.0


def test_rows_that_did_not_change_are_taken_over() -> None:
    tasks = [Task(f"task {n}", key=f"k{n}") for n in range(4)]
    shown = rows(tasks, [], {})
    again = rows(tasks, [], {}, shown)
    assert all(new is old for new, old in zip(again, shown, strict=True))


def test_rows_that_changed_in_any_way_are_not() -> None:
    task = Task("text", Status.PENDING, Priority.LOW, active_form="doing", key="k")
    (shown,) = rows([task], [], {})
    changed = [
        replace(task, content="other"),
        replace(task, status=Status.IN_PROGRESS),
        replace(task, priority=None),
        replace(task, active_form=None),
        task.named("k2"),
    ]
    for other in changed:
        assert rows([other], [], {}, (shown,)) == rows([other], [], {})
        assert rows([task], [], {}, rows([other], [], {})) == (shown,)
    marked = rows([task], [on("k", Kind.VETO)], {}, (shown,))
    assert marked != (shown,)
    assert rows([task], [], {}, marked) == (shown,)
    timed = rows([task], [], {"k": Span(1.0, 2.0)}, (shown,))
    assert timed == (shown,)  # only what is done took a time
    done = replace(task, status=Status.COMPLETED)
    (timed_row,) = rows([done], [], {"k": Span(1.0, 2.0)}, (shown,))
    assert timed_row.took == 1.0
    assert rows([task], [], {}, (timed_row,)) == (shown,)
    front = Task("front", key="f")
    assert [r.position for r in rows([front, task], [], {}, (shown,))] == [1, 2]
    assert isinstance(shown, Row)
