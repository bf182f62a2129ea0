"""From wanted tasks to bytes: what was asked for is there, and everything else is as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.plan.model import Priority, Status, Task
from tui.stores import spans
from tui.stores.document import Refused
from tui.stores.json_edit import steer_bytes
from tui.stores.json_tasks import read_tasks

DATA = Path(__file__).parent.parent / "data"
Tasks = tuple[Task, ...]


def edit(data: bytes, change: Callable[[Tasks], Tasks]) -> bytes:
    """Apply a change, which must hold after it was written."""
    after = steer_bytes(data, change)
    read_tasks(after)
    return after


def on(index: int, **fields: Any) -> Callable[[Tasks], Tasks]:
    return lambda tasks: tuple(
        replace(t, **fields) if i == index else t for i, t in enumerate(tasks)
    )


def veto(index: int) -> Callable[[Tasks], Tasks]:
    return on(index, status=Status.CANCELLED, raw_status=None)


def add(text: str, at: int = 99, **fields: Any) -> Callable[[Tasks], Tasks]:
    def project(tasks: Tasks) -> Tasks:
        if any(t.content == text for t in tasks):
            return tasks
        return (*tasks[:at], Task(text, **fields), *tasks[at:])

    return project


@pytest.mark.parametrize("path", sorted(DATA.glob("*.json")), ids=lambda p: p.stem)
def test_real_agents_files_are_read_and_steered(path: Path) -> None:
    before = path.read_bytes()
    found = read_tasks(before)
    assert len(found.tasks) >= 2
    assert not found.notes
    assert steer_bytes(before, lambda tasks: tasks) == before
    after = edit(before, veto(1))
    assert after == before.replace(b'"in_progress"', b'"cancelled"')
    grown = edit(before, add("Do one thing more"))
    assert read_tasks(grown).tasks[-1].content == "Do one thing more"
    size = len(grown) - len(before)
    assert any(grown[:cut] + grown[cut + size :] == before for cut in range(len(before)))
    old, new = json.loads(before), json.loads(grown)
    if isinstance(new, dict):
        old, new = old["todos"], new["todos"]
    assert list(new[-1]) == list(old[0])
    assert edit(grown, add("Do one thing more")) == grown


def test_an_added_task_is_set_out_as_its_siblings_with_a_fresh_id() -> None:
    before = (DATA / "opencode-1.1.json").read_bytes()
    after = edit(before, add("Say “hi” \ud83d"))
    assert (
        after
        == before[: -len(b"\n]")]
        + (
            ',\n  {\n    "content": "Say “hi” \\ud83d",\n    "status": "pending",\n'
            '    "priority": "medium",\n    "id": "todo-5"\n  }\n]'
        ).encode()
    )
    first = edit(before, add("First", at=0, priority=Priority.HIGH))
    assert first.startswith(
        b'[\n  {\n    "content": "First",\n    "status": "pending",\n    "priority": "high"'
    )
    assert first.endswith(before[len(b"[\n") :])


@pytest.mark.parametrize(
    ("ids", "fresh"),
    [(["1", "2"], "3"), (["9", "10"], "11"), (["t-1", "t-7"], "t-8"), (["001", "002"], "003"),
     (["a", "b"], "b-2"), ([1, 2], 3), (["1", "1"], "2"), (["1", None], ...), ([], ...)],
)  # fmt: skip
def test_fresh_ids_follow_the_style(ids: list[object], fresh: object) -> None:
    before = json.dumps([{"content": "x", "status": "done", "id": i} for i in ids]).encode()
    assert json.loads(edit(before, add("new")))[-1].get("id", ...) == fresh


def test_uuids_are_followed_by_another_uuid() -> None:
    name = "7c1f2e0a-4b1d-4c57-9a3e-0d5f6b7a8c90"
    before = json.dumps([{"content": "x", "id": name}]).encode()
    new = json.loads(edit(before, add("new")))[-1]["id"]
    assert len(new) == 36
    assert new != name


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"[]", b'[\n  {\n    "content": "T",\n    "status": "pending"\n  }\n]'),
        (b'{"todos":[]}', b'{"todos":[{"content":"T","status":"pending"}]}'),
        (b'{"todos": [], "x": 1}', b'{"todos": [{"content": "T", "status": "pending"}], "x": 1}'),
        (
            b'{\r\n\t"x": 1,\r\n\t"tasks": []\r\n}\r\n',
            b'{\r\n\t"x": 1,\r\n\t"tasks": [\r\n\t\t{\r\n\t\t\t"content": "T",\r\n'
            b'\t\t\t"status": "pending"\r\n\t\t}\r\n\t]\r\n}\r\n',
        ),
        (b'["a"]', b'["a","T"]'),
        (b'[{"title":"a"}]', b'[{"title":"a"},{"title":"T"}]'),
        (b'[{"text": "a", "status": "todo"}]',
         b'[{"text": "a", "status": "todo"},{"text": "T", "status": "todo"}]'),
    ],
)  # fmt: skip
def test_a_task_is_added_to_any_list(before: bytes, after: bytes) -> None:
    assert edit(before, add("T")) == after


def test_a_list_is_never_invented() -> None:
    with pytest.raises(Refused, match="no list"):
        steer_bytes(b"{}", add("T"))


@pytest.mark.parametrize(
    ("words", "status", "word"),
    [
        (["done", "canceled"], Status.CANCELLED, "canceled"),
        (["pending"], Status.CANCELLED, "cancelled"),
        (["in-progress", "review"], Status.IN_PROGRESS, "in-progress"),
        (["review", "pending"], Status.IN_PROGRESS, "in_progress"),
        (["not-started", "completed"], Status.IN_PROGRESS, "in-progress"),
        (["TODO", "DONE"], Status.CANCELLED, "CANCELLED"),
        (["To Do", "Done"], Status.IN_PROGRESS, "In Progress"),
        (["To do", "Done"], Status.CANCELLED, "Cancelled"),
        (["blocked", "waiting"], Status.PENDING, "pending"),
        (["blocked", "todo"], Status.PENDING, "todo"),
        (["IN_PROGRESS", "PENDING"], Status.COMPLETED, "COMPLETED"),
        (["done", "completed"], Status.COMPLETED, "completed"),
    ],
)
def test_a_status_is_spelled_as_the_document_spells_it(
    words: list[str], status: Status, word: str
) -> None:
    items = [{"content": str(i), "status": w} for i, w in enumerate(words)]
    before = json.dumps(items).encode()
    after = json.loads(edit(before, add("new", status=status)))
    assert after[-1]["status"] == word


@pytest.mark.parametrize(
    ("words", "word"),
    [(["high", "low"], "high"), (["low"], "high"), (["P1", "P3"], "P1"), (["p2"], "p1"), (["LOW"],
     "HIGH"),
     (["critical", "low"], "high")],
)  # fmt: skip
def test_a_priority_is_spelled_as_the_document_spells_it(words: list[str], word: str) -> None:
    items = [{"content": "x", "status": "pending", "priority": w} for w in words]
    before = json.dumps([*items, {"content": "y", "status": "pending"}]).encode()
    after = edit(before, on(len(items), priority=Priority.HIGH))
    assert json.loads(after)[-1] == {"content": "y", "status": "pending", "priority": word}
    gone = edit(after, on(len(items), priority=None, raw_priority=None))
    assert gone == before


def test_the_exact_word_is_put_back() -> None:
    before = b'[{"content": "a", "status": "Later \xe2\x9c\x85", "priority": 3, "x": [1]}]'
    vetoed = edit(before, veto(0))
    assert json.loads(vetoed)[0]["status"] == "Cancelled"
    raised = edit(vetoed, on(0, priority=None, raw_priority="5"))
    assert b'"priority": 5,' in raised
    back = on(0, status=Status.PENDING, raw_status="Later ✅", priority=None, raw_priority="3")
    assert edit(raised, back) == before


def test_numbers_do_not_become_words() -> None:
    with pytest.raises(Refused, match="numbers") as caught:
        steer_bytes(
            b'[{"content":"a","priority":1}]', on(0, priority=Priority.HIGH, raw_priority=None)
        )
    assert caught.value.origins == (0,)


def test_a_word_left_over_from_before_is_not_written() -> None:
    before = b'[{"content": "a", "status": "pending"}]'
    assert edit(before, on(0, status=Status.CANCELLED)) == before.replace(b"pending", b"cancelled")


def test_an_unchanged_status_keeps_its_word() -> None:
    before = (
        b'[{"content": "a", "status": "Someday"}, {"content": "b", "status": null}, {"content": 7}]'
    )
    assert edit(before, lambda ts: tuple(replace(t, raw_status=None) for t in ts)) == before


def test_missing_status_is_added_and_duplicates_are_taken_together() -> None:
    assert edit(b'[{"content": "a"}]', veto(0)) == b'[{"content": "a","status": "cancelled"}]'
    double = b'[{"content":"a","priority":"low","x":1,"priority":"high"}]'
    assert edit(double, on(0, priority=None, raw_priority=None)) == b'[{"content":"a","x":1}]'
    both = on(0, priority=None, raw_priority=None, status=Status.CANCELLED)
    assert json.loads(edit(double, both)) == [{"content": "a", "x": 1, "status": "cancelled"}]


def test_plain_texts_move_but_have_no_status() -> None:
    before = b'[ "a", {"content": "b"} ]'
    assert edit(before, lambda ts: ts[::-1]) == b'[ {"content": "b"}, "a" ]'
    with pytest.raises(Refused, match="plain text") as caught:
        steer_bytes(before, veto(0))
    assert caught.value.origins == (0,)


def test_what_is_no_task_keeps_its_place() -> None:
    before = b'[{"content": "a"}, null, {"content": "b"}, {"x": 1}, {"content": "c"}]'
    assert read_tasks(before).notes == ("2 entries are not tasks and are left alone",)
    assert edit(before, lambda ts: ts[::-1]) == (
        b'[{"content": "c"}, null, {"content": "b"}, {"x": 1}, {"content": "a"}]'
    )
    after = edit(before, add("n", at=0))
    assert json.loads(after) == [
        {"content": "n"},
        None,
        {"content": "a"},
        {"x": 1},
        {"content": "b"},
        {"content": "c"},
    ]


def test_a_projection_that_repeats_a_task_is_an_error() -> None:
    with pytest.raises(ValueError, match="at most once"):
        steer_bytes(b'["a", "b"]', lambda ts: (*ts, ts[0]))


@pytest.mark.parametrize(
    ("before", "gone", "after"),
    [
        (b'["a", "b", "c"]', {1}, b'["a", "c"]'),
        (b'["a", "b", "c"]', {0, 1}, b'["c"]'),
        (b'["a",\n "b"\n]', {1}, b'["a"\n]'),
        (b'[\n "a"\n]', {0}, b"[]"),
        (b'["a", null, "b"]', {0}, b'[null, "b"]'),
        (b'["a", null, "b"]', {1}, b'["a", null]'),
    ],
)
def test_a_task_that_is_left_out_is_taken_out(before: bytes, gone: set[int], after: bytes) -> None:
    assert steer_bytes(before, lambda ts: tuple(t for t in ts if t.origin not in gone)) == after


def test_taking_one_out_goes_together_with_other_changes() -> None:
    before = b'[{"content": "a"}, {"content": "b"}, {"content": "c", "status": "pending"}]'

    def project(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
        a, _b, c = tasks
        return (replace(c, status=Status.CANCELLED, raw_status=None), a)

    after = steer_bytes(before, project)
    assert after == b'[{"content": "c", "status": "cancelled"}, {"content": "a"}]'


texts = st.text(max_size=12) | st.sampled_from(
    ["😀 家 \u202e", "\ud83d", "\x1b[31m", "[b]x[/b]", 'q"\\']
)
words = st.sampled_from(["pending", "in_progress", "done", "canceled", "Blocked", "", 3, None])
items = st.fixed_dictionaries(
    {"content": texts, "status": words},
    optional={
        "priority": st.sampled_from(["high", "low", "urgent", None]),
        "id": st.sampled_from(["1", "2", 3, None]),
        "big": st.just(1234567890123456789012345),
        "nested": st.just({"status": "done", "a": [1, {"priority": "x"}]}),
    },
)
plans = st.lists(items | st.just(None) | st.just([1]), max_size=6).filter(
    lambda x: not x or any(isinstance(i, dict) for i in x)
)
styles = st.sampled_from([{}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}])


@given(plans, st.booleans(), styles, st.booleans(), st.booleans(), st.booleans(), st.data())
@settings(deadline=None)
def test_only_what_was_asked_for_changes(
    plan: list[Any],
    wrapped: bool,
    style: dict[str, Any],
    bom: bool,
    crlf: bool,
    ascii_only: bool,
    data: st.DataObject,
) -> None:
    value = {"before": 1.0, "todos": plan, "after": [None]} if wrapped else plan
    raw = json.dumps(value, ensure_ascii=ascii_only, **style).encode("utf-8", "surrogatepass")
    raw = (spans.BOM if bom else b"") + (raw.replace(b"\n", b"\r\n") if crlf else raw) + b"\n"
    found = read_tasks(raw)
    count = len(found.tasks)
    order = data.draw(st.permutations(range(count)))
    vetoed = data.draw(st.sets(st.sampled_from(range(count)))) if count else set()
    ranked = data.draw(st.sets(st.sampled_from(range(count)))) if count else set()
    extra = data.draw(st.lists(st.integers(0, count), max_size=2))

    def project(tasks: Tasks) -> Tasks:
        done = len(tasks) > count
        out = []
        for i in range(len(tasks)) if done else order:
            task = tasks[i]
            if done or i in vetoed:
                task = (
                    replace(task, status=Status.CANCELLED, raw_status=None) if i in vetoed else task
                )
            if not done and i in ranked:
                task = replace(task, priority=Priority.HIGH, raw_priority=None)
            out.append(task)
        if not done:
            for k, at in enumerate(extra):
                out.insert(at, Task(f"added {k}"))
        return tuple(out)

    after = steer_bytes(raw, project)
    spans.check(after)
    result = json.loads(after.removeprefix(spans.BOM).decode("utf-8", "surrogatepass"))
    if wrapped:
        assert {**result, "todos": 0} == {**value, "todos": 0}
        result = result["todos"]
    others = {i: e for i, e in enumerate(plan) if not isinstance(e, dict)}
    assert {i: result[i] for i in others} == others
    tasks = [e for e in result if isinstance(e, dict)]
    new = [e for e in tasks if str(e["content"]).startswith("added ")]
    old = [e for e in tasks if e not in new]
    assert len(new) == len(extra)
    source = [e for e in plan if isinstance(e, dict)]
    for i, entry in zip(order, old, strict=True):
        want = dict(source[i])
        task = found.tasks[i]
        if i in vetoed and task.status is not Status.CANCELLED:
            want["status"] = entry["status"]
            assert read_tasks(json.dumps([entry]).encode()).tasks[0].status is Status.CANCELLED
        if i in ranked and task.priority is not Priority.HIGH:
            want["priority"] = "high"
        assert entry == want
    if not vetoed and not ranked and not extra:
        assert len(after) == len(raw)
    assert after.startswith(spans.BOM) is bom
    assert steer_bytes(after, lambda ts: ts) == after
