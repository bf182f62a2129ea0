"""Editing JSON without re-writing it: where each value stands, and changes to those bytes only.

A JSON library would lose big integers, lone surrogates, duplicate keys, NaN and indentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal

import orjson

BOM = b"\xef\xbb\xbf"

Edit = tuple[int, int, bytes]
"""Replace the bytes from the first to the second offset; equal offsets insert."""

_WS = rb"[ \t\r\n]*+"
_TEXT = rb'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
_SCALAR = (
    rb"(?:%s\"|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null|NaN|-?Infinity)"
    % _TEXT
)
_skip = re.compile(_WS).match
_open_text = re.compile(_TEXT).match
_scalar = re.compile(_SCALAR).match
_key = re.compile(rb'(%s")%s:%s' % (_TEXT, _WS, _WS)).match
# Most members hold a plain value: one match takes key, value and what separates it from the next.
_member = re.compile(rb'(%s")%s:%s(%s)%s([,}])%s' % (_TEXT, _WS, _WS, _SCALAR, _WS, _WS)).match
_cut_escape = re.compile(rb"(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z").match
_cut_number = re.compile(rb"[.eE][+-]?\Z").match
_WORDS = (b"true", b"false", b"null", b"NaN", b"-Infinity", b"Infinity")

Kind = Literal["object", "array", "string", "number", "word"]
_KINDS: dict[int, Kind] = {
    **dict.fromkeys(b'"', "string"),
    **dict.fromkeys(b"-0123456789", "number"),
    **dict.fromkeys(b"tfnNI", "word"),
}
_CLOSERS: dict[Kind, bytes] = {"object": b"}", "array": b"]"}
# A plain value shares these, to which nobody appends.
_NONE: list[Node] = []
_NO_KEYS: list[tuple[int, int]] = []


class Bad(ValueError):
    """These bytes are not one JSON document; `incomplete`: they may be the beginning of one."""

    def __init__(self, pos: int, why: str, incomplete: bool = False) -> None:
        super().__init__(why)
        self.pos = pos
        self.why = why
        self.incomplete = incomplete


class Node:
    """One value: its kind, its span in the bytes, its elements, and the spans of its keys."""

    __slots__ = ("end", "items", "keys", "kind", "start")

    def __init__(self, kind: Kind, start: int, end: int, leaf: bool = True) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.items: list[Node] = _NONE if leaf else []
        self.keys: list[tuple[int, int]] = _NO_KEYS if leaf else []


def parse(data: bytes) -> Node:
    """Return the root value; raises Bad when the bytes are not exactly one UTF-8 JSON document."""
    root = _scan(data)
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise Bad(error.start, "not UTF-8 text") from None
    return root


def check(data: bytes) -> None:
    """Raise Bad unless the bytes are one JSON document; faster than `parse` for ordinary ones."""
    try:
        orjson.loads(data.removeprefix(BOM))
    except orjson.JSONDecodeError:
        # The fast parser is stricter: it refuses lone surrogates, NaN and deep nesting.
        parse(data)


def _scan(data: bytes) -> Node:
    """Walk the document with an own stack, so that nesting has no limit."""
    pos = _after_space(data, len(BOM) if data.startswith(BOM) else 0)
    if data == BOM[: len(data)] or pos == len(data):
        raise Bad(pos, "empty", incomplete=True)
    stack: list[Node] = []
    while True:
        byte = data[pos : pos + 1]
        if byte in (b"{", b"["):
            node = Node("object" if byte == b"{" else "array", pos, pos, leaf=False)
            stack.append(node)
            pos = _after_space(data, pos + 1)
            closed = data[pos : pos + 1] == _CLOSERS[node.kind]
            if closed:
                pos += 1
            elif node.kind == "object":
                pos, closed = _members(data, pos, node)
            if not closed:
                continue
            node = _close(stack, pos)
        else:
            node = _plain(data, pos)
        while stack:  # a value is complete: what follows it in its parent?
            parent = stack[-1]
            parent.items.append(node)
            pos = _after_space(data, node.end)
            byte = data[pos : pos + 1]
            closed = byte == _CLOSERS[parent.kind]
            if closed:
                pos += 1
            elif byte != b",":
                cut = pos == len(data) or (node.kind == "number" and _cut_number(data, pos))
                raise Bad(pos, "a comma is missing", incomplete=bool(cut))
            else:
                pos = _after_space(data, pos + 1)
                if parent.kind == "object":
                    pos, closed = _members(data, pos, parent)
            if not closed:
                break
            node = _close(stack, pos)
        else:
            pos = _after_space(data, node.end)
            if pos != len(data):
                raise Bad(pos, "text after the end")
            return node


def _after_space(data: bytes, pos: int) -> int:
    match = _skip(data, pos)
    return match.end() if match else pos


def _close(stack: list[Node], end: int) -> Node:
    node = stack.pop()
    node.end = end
    return node


def _members(data: bytes, pos: int, parent: Node) -> tuple[int, bool]:
    """Take members up to the first nested value (return its place) or up to the end (True)."""
    while match := _member(data, pos):
        parent.keys.append(match.span(1))
        start, end = match.span(2)
        parent.items.append(Node(_KINDS[data[start]], start, end))
        if match[3] == b"}":
            return match.end(3), True
        pos = match.end()
    match = _key(data, pos)
    if match is None:
        raise _bad_key(data, pos)
    parent.keys.append(match.span(1))
    return match.end(), False


def _bad_key(data: bytes, pos: int) -> Bad:
    if pos < len(data) and data[pos] != ord('"'):
        return Bad(pos, "a key is missing")
    text = _open_text(data, pos)
    end = text.end() if text else pos
    if data[end : end + 1] == b'"':
        end = _after_space(data, end + 1)
        return Bad(end, "a colon is missing", incomplete=end == len(data))
    return Bad(pos, "a key does not end", incomplete=bool(_cut_escape(data, end)))


def _plain(data: bytes, pos: int) -> Node:
    match = _scalar(data, pos)
    if match:
        return Node(_KINDS[data[pos]], pos, match.end())
    text = _open_text(data, pos)
    if text:
        raise Bad(pos, "a text does not end", incomplete=bool(_cut_escape(data, text.end())))
    rest = data[pos : pos + 10]
    raise Bad(pos, "a value is missing", incomplete=any(w.startswith(rest) for w in _WORDS))


def text_of(data: bytes, span: tuple[int, int]) -> str:
    """Return the text that a JSON string stands for; lone surrogates stay what they are."""
    raw = data[span[0] : span[1]].decode("utf-8", "surrogatepass")
    return str(json.loads(raw)) if "\\" in raw else raw[1:-1]


def find(data: bytes, node: Node, key: str) -> int | None:
    """Return the index of the member with this key: the last one, as JSON parsers do."""
    return max(find_all(data, node, key), default=None)


def find_all(data: bytes, node: Node, key: str) -> list[int]:
    """Return the indexes of all members with this key."""
    plain = f'"{key}"'.encode()
    return [
        i
        for i, (start, end) in enumerate(node.keys)
        if (raw := data[start:end]) == plain
        or (b"\\" in raw and text_of(data, (start, end)) == key)
    ]


def splice(data: bytes, edits: Iterable[Edit], start: int = 0, end: int | None = None) -> bytes:
    """Return the bytes from `start` to `end` with the edits applied; they must not overlap."""
    parts: list[bytes] = []
    pos = start
    for first, last, new in sorted(edits, key=lambda e: e[:2]):
        if first < pos:
            raise ValueError("edits overlap")
        parts += (data[pos:first], new)
        pos = last
    parts.append(data[pos:end])
    return b"".join(parts)


def set_value(node: Node, raw: bytes) -> Edit:
    """Put other bytes in the place of a value."""
    return node.start, node.end, raw


def permute(
    array: Node,
    order: Sequence[int],
    element: Callable[[int], bytes],
    changed: Collection[int] = (),
) -> list[Edit]:
    """Put element `order[k]` in place k; separators and indentation stay where they are.

    `element` gives the bytes of an element, `changed` names those that are new in their own place.
    """
    return [
        (array.items[k].start, array.items[k].end, element(o))
        for k, o in enumerate(order)
        if o != k or o in changed
    ]


def add_member(data: bytes, node: Node, key: str, raw: bytes) -> Edit:
    """Add a member after the last one, set apart as the others are."""
    name = json.dumps(key).encode()
    if not node.items:
        return node.start + 1, node.start + 1, name + b": " + raw
    between = separator(data, node.start, node.keys, node.items)
    colon = data[node.keys[-1][1] : node.items[-1].start]
    end = node.items[-1].end
    return end, end, between + name + colon + raw


def remove_members(node: Node, indexes: Collection[int]) -> list[Edit]:
    """Take members away, each with one of the commas beside it."""
    return _remove(node, [start for start, _end in node.keys], indexes)


def remove_elements(array: Node, indexes: Collection[int]) -> list[Edit]:
    """Take elements away, each with one of the commas beside it."""
    return _remove(array, [item.start for item in array.items], indexes)


def _remove(node: Node, starts: Sequence[int], indexes: Collection[int]) -> list[Edit]:
    edits: list[Edit] = []
    count = len(node.items)
    first = 0
    while first < count:
        last = first
        while last < count and last in indexes:
            last += 1
        if last > first:  # the run [first, last) goes
            if last < count:
                edits.append((starts[first], starts[last], b""))
            elif first:
                edits.append((node.items[first - 1].end, node.items[last - 1].end, b""))
            else:
                edits.append((node.start + 1, node.end - 1, b""))
        first = last + 1
    return edits


def insert_elements(data: bytes, array: Node, index: int, raws: Sequence[bytes]) -> Edit:
    """Insert elements before the one at `index` (or after the last), set apart as the others are.

    The array must have an element to learn from; see `fill` for an empty one.
    """
    between = separator(data, array.start, [(n.start, n.end) for n in array.items], array.items)
    if index < len(array.items):
        at = array.items[index].start
        return at, at, b"".join(raw + between for raw in raws)
    at = array.items[-1].end
    return at, at, b"".join(between + raw for raw in raws)


def fill(array: Node, raws: Sequence[bytes], before: bytes, after: bytes, between: bytes) -> Edit:
    """Put elements into an empty array: `before` the first, `between` them, `after` the last."""
    return array.start + 1, array.end - 1, before + between.join(raws) + after


def separator(
    data: bytes, start: int, heads: Sequence[tuple[int, int]], items: Sequence[Node]
) -> bytes:
    """Return what stands between the last two entries; with one: a comma and what precedes it."""
    if len(items) > 1:
        return data[items[-2].end : heads[-1][0]]
    return b"," + data[start + 1 : heads[0][0]]
