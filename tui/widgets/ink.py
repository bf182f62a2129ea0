"""Lines of text before they are coloured: parts with an ink each, measured in terminal cells."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import takewhile

from rich.cells import cell_len, chop_cells, set_cell_size


class Ink(StrEnum):
    """What a part of a line means; the style sheets say what it looks like."""

    TEXT = "text"
    STRONG = "strong"
    DIM = "dim"
    FAINT = "faint"
    RULE = "rule"
    HEAD = "head"
    ACCENT = "accent"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    STRUCK = "struck"
    ALARM = "alarm"
    KEY = "key"
    CURSOR = "cursor"
    CARET = "caret"


Part = tuple[str, Ink]
Line = tuple[Part, ...]


def measure(text: str) -> int:
    """Return how many cells a text takes."""
    return len(text) if text.isascii() else cell_len(text)


def length(line: Iterable[Part]) -> int:
    """Return how many cells a line takes."""
    return sum(measure(text) for text, _ in line)


def clip(text: str, width: int, ellipsis: str) -> str:
    """Return the text cut to `width` cells, with an ellipsis where something is missing."""
    if width <= 0:
        return ""
    # A text of thousands of characters is not measured whole: no character is that narrow.
    head = text if len(text) <= 8 * width else text[: 8 * width]
    if head is text and measure(text) <= width:
        return text
    return set_cell_size(head, width - 1).rstrip() + ellipsis


def wrap(text: str, width: int, limit: int, ellipsis: str, reserve: int = 0) -> list[str]:
    """Return the text as at most `limit` lines of `width` cells, broken between words.

    The first line leaves `reserve` cells free for what stands at its right edge.
    """
    width = max(2, width)
    room = max(2, width - reserve)
    lines: list[str] = []
    line = ""
    head = text[: 8 * width * limit]
    for word in head.split(" "):
        if line and measure(line) + 1 + measure(word) <= room:
            line = f"{line} {word}"
            continue
        if line:
            lines.append(line)
            room = width
        # A word wider than the line is cut into pieces; the last one may be continued.
        while measure(word) > room and len(lines) < limit:
            piece = chop_cells(word, room)[0]
            lines.append(piece)
            word, room = word[len(piece) :], width
        line = word
        if len(lines) >= limit:
            break
    lines.append(line)
    if len(lines) <= limit and len(head) == len(text):
        return lines
    last = lines[limit - 1]
    if measure(last) >= width:
        last = set_cell_size(last, width - 1)
    lines[limit - 1] = last + ellipsis
    return lines[:limit]


def fill(left: Line, right: Line, width: int) -> Line:
    """Return one line with `left` and `right` at its ends; the left part must leave room."""
    gap = width - length(left) - length(right)
    return (*left, (" " * max(0, gap), Ink.TEXT), *right)


def crop(line: Iterable[Part], width: int) -> Line:
    """Return the line's first `width` cells."""
    out: list[Part] = []
    for text, ink in line:
        if width <= 0:
            break
        size = measure(text)
        out.append((text if size <= width else set_cell_size(text, width), ink))
        width -= size
    return tuple(out)


def differing(old: Line, new: Line, width: int) -> tuple[int, int]:
    """Return the first cell that differs and the one after the last, of two lines so wide.

    Over a slow link it matters that a figure is drawn again without the line it stands in.
    """
    if not old or not new or old[0][1] is not new[0][1]:
        return 0, width  # the first ink may colour the whole line
    start = _alike(old, new)
    if length(old) != (size := length(new)):
        return start, width
    end = size - _alike(_mirrored(old), _mirrored(new))
    return start, max(start + 1, end)


def _alike(one: Iterable[Part], other: Iterable[Part]) -> int:
    """Return how many cells two lines share from the left."""
    cells = 0
    for (a, a_ink), (b, b_ink) in zip(one, other, strict=False):
        if a_ink is not b_ink:
            break
        if a != b:
            # Cells and characters are the same thing in ASCII only.
            if a.isascii() and b.isascii():
                cells += sum(
                    1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))
                )
            break
        cells += measure(a)
    return cells


def _mirrored(line: Line) -> Line:
    return tuple((text[::-1] if text.isascii() else text, ink) for text, ink in reversed(line))


def bar(share: float, width: int, full: str, empty: str, ink: Ink) -> Line:
    """Return a gauge of fixed scale; from one per cent on it shows at least one cell."""
    share = min(1.0, max(0.0, share))
    filled = round(share * width)
    if share >= 0.01:
        filled = max(1, filled)
    if share < 1.0:
        filled = min(width - 1, filled)
    filled = max(0, filled)
    return (full * filled, ink), (empty * (width - filled), Ink.RULE)
