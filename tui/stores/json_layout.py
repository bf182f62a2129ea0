"""How a document sets its tasks out, and a new task set out the same way."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from tui.stores import spans

_UUID = re.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch
# Longer runs of digits are no counters.
_COUNTED = re.compile(r"(.*?)(0*)([0-9]{1,15})", re.DOTALL).fullmatch
_INDENT = re.compile(rb"\n([ \t]+)")


@dataclass(frozen=True, slots=True)
class Layout:
    """The bytes around the members of a task, and around the tasks of an array that had none."""

    opening: bytes
    colon: bytes
    between: bytes
    closing: bytes
    before: bytes = b""
    apart: bytes = b""
    after: bytes = b""

    def element(self, members: Sequence[tuple[bytes, bytes]]) -> bytes:
        """Return an object of these members, keys and values being JSON already."""
        inside = self.between.join(key + self.colon + value for key, value in members)
        return b"{" + self.opening + inside + self.closing + b"}"


def like(data: bytes, node: spans.Node) -> Layout:
    """Return the layout of an object that has a member."""
    return Layout(
        opening=data[node.start + 1 : node.keys[0][0]],
        colon=data[node.keys[-1][1] : node.items[-1].start],
        between=spans.separator(data, node.start, node.keys, node.items),
        closing=data[node.items[-1].end : node.end - 1],
    )


def for_empty(data: bytes, root: spans.Node, array: spans.Node) -> Layout:
    """Return the layout for the first tasks of an empty array, as the rest of the document is.

    A bare [] has no rest: its tasks are set out as agents do, by two blanks.
    """
    before = data[: array.start]
    if array is not root and b"\n" not in before:
        colon = data[root.keys[-1][1] : root.items[-1].start]
        apart = b", " if colon.endswith(b" ") else b","
        return Layout(b"", colon, apart, b"", apart=apart)
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    indent = _INDENT.search(before)
    unit = indent[1] if indent else b"  "
    line = before[before.rfind(b"\n") + 1 :]
    base = newline + line[: len(line) - len(line.lstrip(b" \t"))] if b"\n" in before else newline
    return Layout(
        opening=base + unit * 2,
        colon=b": ",
        between=b"," + base + unit * 2,
        closing=base + unit,
        before=base + unit,
        apart=b"," + base + unit,
        after=base,
    )


def fresh_id(ids: Sequence[str], content: str) -> str:
    """Return an id that none of `ids` is, made as the last of them was."""
    last = ids[-1]
    if _UUID(last):
        seed = "\n".join((*ids, content)).encode("utf-8", "surrogatepass")
        return str(uuid.uuid5(uuid.NAMESPACE_OID, hashlib.sha256(seed).hexdigest()))
    counted = _COUNTED(last)
    prefix = counted[1] if counted else f"{last}-"
    width = len(counted[2] + counted[3]) if counted else 1
    numbers = [int(m[3]) for i in ids if (m := _COUNTED(i)) and m[1] == prefix]
    number = max(numbers, default=1) + 1
    while (name := f"{prefix}{number:0{width if counted and counted[2] else 1}}") in ids:
        number += 1
    return name
