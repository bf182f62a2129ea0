"""From the tasks that are wanted to the bytes that say so, leaving every other byte as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tui.plan.model import Priority, Status, Task, priority_from, status_from
from tui.plan.text import neutralise
from tui.stores import json_layout, spans
from tui.stores.base import Project
from tui.stores.document import Refused
from tui.stores.json_tasks import ACTIVE, CONTENT, LISTS, NotAPlan, TaskList, read_tasks
from tui.stores.json_words import priority_word, status_word

_is_number = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").fullmatch
_SURROGATE = re.compile("[\ud800-\udfff]")


def steer_bytes(data: bytes, project: Project) -> bytes:
    """Return the document as `project` wants its tasks; raises Refused where it cannot say so."""
    try:
        found = read_tasks(data)
    except NotAPlan as error:
        raise Refused(f"this is no plan: it {error}") from None
    wanted = project(found.tasks)
    kept = sorted(task.origin for task in wanted if task.origin is not None)
    if len(set(kept)) != len(kept):
        raise ValueError("a projection has each task of the snapshot at most once")
    if len(kept) < len(found.tasks):
        data = _without(data, found, set(range(len(found.tasks))).difference(kept))
        found = read_tasks(data)
        now = {old: new for new, old in enumerate(kept)}
        wanted = tuple(t if t.origin is None else replace(t, origin=now[t.origin]) for t in wanted)
    changed = {
        origin: task
        for task in wanted
        if (origin := task.origin) is not None
        and (_restated(found.tasks[origin], task) or _reranked(found.tasks[origin], task))
    }
    order = [task.origin for task in wanted]
    if not changed and order == list(range(len(order))):
        return data
    return _Editor(data, found).apply(wanted, changed)


def _without(data: bytes, found: TaskList, origins: set[int]) -> bytes:
    """Return the document without some tasks; what is no task stays."""
    array = _list_of_tasks(data, spans.parse(data))
    assert array is not None
    places = {found.places[origin] for origin in origins}
    return spans.splice(data, spans.remove_elements(array, places))


def _restated(old: Task, new: Task) -> bool:
    """Return whether a status is to be written."""
    return new.status is not old.status or new.raw_status not in (None, old.raw_status)


def _reranked(old: Task, new: Task) -> bool:
    """Return whether a priority is to be written or taken away."""
    if new.priority is None and new.raw_priority is None:
        return old.raw_priority is not None
    return new.priority is not old.priority or new.raw_priority not in (None, old.raw_priority)


@dataclass(frozen=True, slots=True)
class _Field:
    """What the tasks of a document say in one field: its texts and how many bare numbers."""

    texts: tuple[str, ...]
    numbers: int


class _Editor:
    """The edits of one document."""

    def __init__(self, data: bytes, found: TaskList) -> None:
        self.data = data
        self.found = found
        self.root = spans.parse(data)
        array = _list_of_tasks(data, self.root)
        if array is None:
            raise Refused("the file holds {} and no list that a task could be added to")
        self.array = array
        self.nodes = [array.items[place] for place in found.places]
        self.objects = [node for node in self.nodes if node.kind == "object"]
        self.ascii_only = data.isascii() and b"\\u" in data

    def apply(self, wanted: Sequence[Task], changed: dict[int, Task]) -> bytes:
        """Return the document with values changed, elements reordered and new ones put in."""
        edits = {self.found.places[o]: self._change(task, o) for o, task in changed.items()}

        def element(place: int) -> bytes:
            item = self.array.items[place]
            return spans.splice(self.data, edits.get(place, ()), item.start, item.end)

        sequence: list[int | Task] = [
            task if task.origin is None else self.found.places[task.origin] for task in wanted
        ]
        # What is no task keeps its place, counted from the top.
        for place in sorted(set(range(self.found.entries)).difference(self.found.places)):
            sequence.insert(place, place)
        order = [entry for entry in sequence if isinstance(entry, int)]
        moved = spans.permute(self.array, order, element, edits)
        return spans.splice(self.data, [*moved, *self._additions(sequence)])

    @cached_property
    def _statuses(self) -> _Field:
        return self._field("status")

    @cached_property
    def _priorities(self) -> _Field:
        return self._field("priority")

    def _field(self, key: str) -> _Field:
        texts: list[str] = []
        numbers = 0
        for item in (self._value(node, key) for node in self.objects):
            if item is not None and item.kind == "string":
                texts.append(spans.text_of(self.data, (item.start, item.end)))
            elif item is not None and item.kind == "number":
                numbers += 1
        return _Field(tuple(texts), numbers)

    def _value(self, node: spans.Node, key: str) -> spans.Node | None:
        index = spans.find(self.data, node, key)
        return None if index is None else node.items[index]

    def _change(self, task: Task, origin: int) -> list[spans.Edit]:
        """Return the edits inside the element of one changed task."""
        old, node = self.found.tasks[origin], self.nodes[origin]
        if node.kind != "object":
            name = neutralise(old.content)[:40]
            reason = f"“{name}” is plain text in the file: it has no status or priority to change"
            raise Refused(reason, (origin,))
        edits: list[spans.Edit] = []
        if _restated(old, task):
            edits.append(self._set(node, "status", self._status(task)))
        if _reranked(old, task):
            if (word := self._priority(task)) is not None:
                edits.append(self._set(node, "priority", word))
            else:
                # An earlier duplicate would come into force if only the last one went.
                gone = spans.find_all(self.data, node, "priority")
                edits += spans.remove_members(node, gone)
        return edits

    def _set(self, node: spans.Node, key: str, word: bytes) -> spans.Edit:
        value = self._value(node, key)
        if value is None:
            return spans.add_member(self.data, node, key, word)
        return spans.set_value(value, word)

    def _status(self, task: Task) -> bytes:
        word = task.raw_status
        # A word left over from before the change does not say what is wanted.
        if word is None or status_from(word) is not task.status:
            word = status_word(task.status, self._statuses.texts)
        return self._spelled(word, self._statuses)

    def _priority(self, task: Task) -> bytes | None:
        word = task.raw_priority
        if word is None or priority_from(word) is not task.priority:
            if task.priority is None:
                return None
            if self._priorities.numbers and not self._priorities.texts:
                reason = "priorities are numbers in this file, and nothing says which way they run"
                raise Refused(reason, () if task.origin is None else (task.origin,))
            word = priority_word(task.priority, self._priorities.texts)
        return self._spelled(word, self._priorities)

    def _spelled(self, word: str, field: _Field) -> bytes:
        """Return a word as JSON: without quotes where its field holds bare numbers."""
        return word.encode() if field.numbers and _is_number(word) else self._quoted(word)

    def _additions(self, sequence: Sequence[int | Task]) -> list[spans.Edit]:
        """Return the insertions of new tasks: each run of them before the element it precedes."""
        runs: dict[int, list[bytes]] = {}
        ids = [task.id for task in self.found.tasks if task.id is not None]
        before = 0
        for entry in sequence:
            if isinstance(entry, int):
                before += 1
            else:
                runs.setdefault(before, []).append(self._element(entry, ids))
        if not self.array.items:
            layout = json_layout.for_empty(self.data, self.root, self.array)
            outer = (layout.before, layout.after, layout.apart)
            return [spans.fill(self.array, raws, *outer) for raws in runs.values()]
        return [spans.insert_elements(self.data, self.array, at, raws) for at, raws in runs.items()]

    def _element(self, task: Task, ids: list[str]) -> bytes:
        """Return a new task with the members that its siblings have; its id joins `ids`."""
        if self.nodes and not self.objects:
            return self._quoted(task.content)
        sibling = self.objects[-1] if self.objects else None
        members: dict[str, bytes] = {}
        names = [name for name in CONTENT if sibling and self._shared(name)] or ["content"]
        members[names[0]] = self._quoted(task.content)
        if not sibling or self._statuses.texts or task.status is not Status.PENDING:
            members["status"] = self._status(task)
        if task.priority or task.raw_priority or self._shared("priority"):
            # Agents that give every task a priority may refuse a list in which one has none.
            ranked = task.priority or task.raw_priority
            word = self._priority(task if ranked else Task("", priority=Priority.MEDIUM))
            if word is not None:
                members["priority"] = word
        if sibling and self._shared("id"):
            ids.append(json_layout.fresh_id(ids, task.content))
            members["id"] = self._id(ids[-1])
        for name in ACTIVE:
            if self._shared(name):
                members[name] = self._quoted(task.active_form or task.content)
        layout = (
            json_layout.like(self.data, sibling)
            if sibling
            else json_layout.for_empty(self.data, self.root, self.array)
        )
        place = {self._key(key): i for i, key in enumerate(sibling.keys)} if sibling else {}
        ordered = sorted(members.items(), key=lambda m: place.get(m[0], len(place)))
        return layout.element([(self._quoted(key), raw) for key, raw in ordered])

    def _shared(self, key: str) -> bool:
        """Return whether every task has a text or a number under this key."""
        values = [self._value(node, key) for node in self.objects]
        return bool(values) and all(v and v.kind in ("string", "number") for v in values)

    def _id(self, name: str) -> bytes:
        kinds = {v.kind for node in self.objects if (v := self._value(node, "id"))}
        return name.encode() if kinds == {"number"} and _is_number(name) else self._quoted(name)

    def _key(self, span: tuple[int, int]) -> str:
        return spans.text_of(self.data, span)

    def _quoted(self, text: str) -> bytes:
        """Return the text as a JSON string; a lone surrogate stays an escape, as in JavaScript."""
        raw = json.dumps(text, ensure_ascii=self.ascii_only)
        return _SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}", raw).encode()


def _list_of_tasks(data: bytes, root: spans.Node) -> spans.Node | None:
    if root.kind == "array":
        return root
    for name in LISTS:
        index = spans.find(data, root, name)
        if index is not None and root.items[index].kind == "array":
            return root.items[index]
    return None
