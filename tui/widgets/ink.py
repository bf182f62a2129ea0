"""Lines of text before they are coloured: parts with an ink each, measured in terminal cells."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

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


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """Return the text cut to `width` cells, with an ellipsis where something is missing."""
    if width <= 0:
        return ""
    # A text of thousands of characters is not measured whole: no character is that narrow.
    head = text if len(text) <= 8 * width else text[: 8 * width]
    if head is text and measure(text) <= width:
        return text
    return set_cell_size(head, width - 1).rstrip() + ellipsis


def wrap(text: str, width: int, limit: int, ellipsis: str = "…") -> list[str]:
    """Return the text as at most `limit` lines of `width` cells, broken between words."""
    width = max(1, width)
    lines: list[str] = []
    line, used = "", 0
    words = text[: 8 * width * limit].split(" ")
    for word in words:
        size = measure(word)
        if line and used + 1 + size <= width:
            line, used = f"{line} {word}", used + 1 + size
            continue
        if line:
            lines.append(line)
        if len(lines) > limit:
            break
        # A word wider than the line is cut into pieces; the last one may be continued.
        *whole, line = chop_cells(word, width) if size > width else [word]
        lines.extend(whole)
        used = measure(line)
    lines.append(line)
    if len(lines) <= limit and len(text) <= 8 * width * limit:
        return lines
    last = lines[limit - 1]
    lines[limit - 1] = (
        last if measure(last) < width else set_cell_size(last, width - 1)
    ) + ellipsis
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


def bar(share: float, width: int, full: str, empty: str, ink: Ink) -> Line:
    """Return a gauge of fixed scale; anything above nothing shows at least one cell."""
    share = min(1.0, max(0.0, share))
    filled = round(share * width)
    if share > 0.0:
        filled = max(1, filled)
    if share < 1.0:
        filled = min(width - 1, filled)
    filled = max(0, filled)
    return (full * filled, ink), (empty * (width - filled), Ink.RULE)
