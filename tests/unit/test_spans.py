"""The span editor: it finds every value, and changes nothing but what it is told to."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.stores import spans

BIG = 1234567890123456789012345
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(BIG)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.text('aé😀\ud83d\\"\n\u202e')
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
roots = st.lists(values, max_size=5) | st.dictionaries(st.text(max_size=5), values, max_size=5)
layouts = st.tuples(
    st.sampled_from([{}, {"indent": 1}, {"indent": 2}, {"indent": 4}, {"indent": "\t"},
    {"separators": (",", ":")}]),
    st.sampled_from([b"", spans.BOM]),
    st.booleans(),
    st.sampled_from([b"", b"\n", b" \r\n"]),
    st.booleans(),
)  # fmt: skip


def written(value: object, layout: tuple[dict[str, object], bytes, bool, bytes, bool]) -> bytes:
    """Return the value as JSON in one of the ways that agents write it."""
    style, bom, crlf, tail, ascii_only = layout
    text = json.dumps(value, ensure_ascii=ascii_only, **style)  # type: ignore[arg-type]
    data = text.encode("utf-8", "surrogatepass")
    return bom + (data.replace(b"\n", b"\r\n") if crlf else data) + tail


def loads(data: bytes) -> object:
    return json.loads(data.removeprefix(spans.BOM).decode("utf-8", "surrogatepass"))


def leaves(node: spans.Node) -> list[spans.Node]:
    found, todo = [], [node]
    while todo:
        node = todo.pop()
        found.append(node)
        todo += node.items
    return found


@given(values, layouts)
@settings(deadline=None)
def test_every_span_is_the_value_it_names(value: object, layout: object) -> None:
    data = written(value, layout)
    root = spans.parse(data)
    assert loads(data[root.start : root.end]) == value
    for node in leaves(root):
        piece = loads(data[node.start : node.end])
        if node.kind == "array":
            assert piece == [loads(data[i.start : i.end]) for i in node.items]
        elif node.kind == "object":
            keys = [spans.text_of(data, key) for key in node.keys]
            assert piece == dict(
                zip(keys, (loads(data[i.start : i.end]) for i in node.items), strict=True)
            )


@given(roots, layouts, st.data())
@settings(deadline=None)
def test_setting_a_value_leaves_every_other_byte(
    value: object, layout: object, data: st.DataObject
) -> None:
    before = written(value, layout)
    node = data.draw(st.sampled_from(leaves(spans.parse(before))))
    after = spans.splice(before, [spans.set_value(node, b'"new"')])
    assert after == before[: node.start] + b'"new"' + before[node.end :]
    spans.parse(after)


@given(roots, layouts)
@settings(deadline=None, max_examples=30)
def test_no_strict_prefix_parses_and_each_is_seen_to_be_one(value: object, layout: object) -> None:
    data = written(value, layout).rstrip()
    for end in range(len(data)):
        with pytest.raises(spans.Bad) as caught:
            spans.parse(data[:end])
        assert caught.value.incomplete


@given(roots, roots, layouts)
@settings(deadline=None)
def test_a_new_text_before_the_tail_of_an_old_one_never_parses(
    new: object, old: object, layout: object
) -> None:
    first, second = written(new, layout), written(old, layout)
    if second[len(first) :].strip():
        with pytest.raises(spans.Bad):
            spans.parse(first + second[len(first) :])


@given(st.lists(values, min_size=1, max_size=6), layouts, st.data())
@settings(deadline=None)
def test_reordering_keeps_length_and_separators(
    items: list[object], layout: object, data: st.DataObject
) -> None:
    before = written(items, layout)
    root = spans.parse(before)
    order = data.draw(st.permutations(range(len(items))))

    def element(index: int) -> bytes:
        return before[root.items[index].start : root.items[index].end]

    after = spans.splice(before, spans.permute(root, order, element))
    assert len(after) == len(before)
    assert loads(after) == [items[i] for i in order]


@given(st.dictionaries(st.text(max_size=5), values, max_size=5), layouts, st.data())
@settings(deadline=None)
def test_members_come_and_go(value: dict[str, object], layout: object, data: st.DataObject) -> None:
    before = written(value, layout)
    root = spans.parse(before)
    grown = spans.splice(before, [spans.add_member(before, root, "added key", b"1")])
    assert loads(grown) == {**value, "added key": 1}
    gone = data.draw(st.sets(st.sampled_from(range(len(value))))) if value else set()
    after = spans.splice(before, spans.remove_members(root, gone))
    assert loads(after) == {k: v for i, (k, v) in enumerate(value.items()) if i not in gone}
    node = spans.parse(grown)
    index = spans.find(grown, node, "added key")
    assert index is not None
    if value:
        assert spans.splice(grown, spans.remove_members(node, [index])) == before


@given(st.lists(values, min_size=1, max_size=5), layouts, st.data())
@settings(deadline=None)
def test_elements_are_inserted_as_the_others_stand(
    items: list[object], layout: object, data: st.DataObject
) -> None:
    before = written(items, layout)
    at = data.draw(st.integers(0, len(items)))
    edit = spans.insert_elements(before, spans.parse(before), at, [b'"x"', b'"y"'])
    after = spans.splice(before, [edit])
    assert loads(after) == [*items[:at], "x", "y", *items[at:]]
    if len(items) > 1:
        assert after == written([*items[:at], "x", "y", *items[at:]], layout)


@given(st.binary(max_size=30) | st.text('{}[]",:0-1e.tfn\\ ', max_size=12).map(str.encode))
@settings(deadline=None, max_examples=400)
def test_whatever_the_fast_parser_accepts_is_accepted(data: bytes) -> None:
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return
    spans.parse(data)


@pytest.mark.parametrize(
    ("data", "incomplete"),
    [
        (b"", True), (b" \n", True), (b"\xef\xbb", True), (b"\xef\xbb\xbf", True), (b"[1.", True),
        (b"[1e", True), (b"[-", True), (b"[tru", True), (b'["a\\', True), (b'["a\\u12', True),
        (b'{"a"', True), (b'{"a":', True), (b'{"a":1', True), (b"[1,]", False), (b'{"a":1,}',
        False),
        (b"[1 2]", False), (b"{a:1}", False), (b"[01]", False), (b'["\t"]', False),
        (b'["\\q"]', False), (b"[trux", False), (b"[1]]", False), (b"[1}", False), (b'{"a" 1}',
        False),
        (b'["\xff"]', False), (b"\x00\x00", False), (b"hello", False), (b"\xff\xfe[\x00]\x00",
        False),
    ],
)  # fmt: skip
def test_what_is_no_document_is_refused(data: bytes, incomplete: bool) -> None:
    with pytest.raises(spans.Bad) as caught:
        spans.parse(data)
    assert caught.value.incomplete is incomplete
    with pytest.raises(spans.Bad):
        spans.check(data)


@pytest.mark.parametrize(
    "data", [b"[NaN,Infinity,-Infinity]", b'["\\ud83d"]', b"[1e999]", spans.BOM + b"{}"]
)
def test_what_javascript_and_python_write_is_accepted(data: bytes) -> None:
    spans.parse(data)
    spans.check(data)


def test_nesting_has_no_limit() -> None:
    depth = 100_000
    spans.check(b"[" * depth + b"]" * depth)


def test_the_last_of_duplicate_keys_counts() -> None:
    data = b'{"a": 1, "\\u0061": 2, "b": 3}'
    assert spans.find(data, spans.parse(data), "a") == 1
    assert spans.find_all(data, spans.parse(data), "a") == [0, 1]
    assert spans.find(data, spans.parse(data), "c") is None


def test_overlapping_edits_are_an_error() -> None:
    with pytest.raises(ValueError, match="overlap"):
        spans.splice(b"abcdef", [(0, 3, b"x"), (2, 4, b"y")])
