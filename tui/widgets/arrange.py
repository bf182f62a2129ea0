"""How many lines each pane gets: the plan never loses, the rest folds before it vanishes."""

from __future__ import annotations

from dataclasses import dataclass, field

WIDE_FROM = 100
"""From this width on the host stands right of the plan instead of below it."""


@dataclass(frozen=True, slots=True)
class Wants:
    """How many lines each pane would fill; 0 for a pane that has nothing to show."""

    header: int = 1
    plan: int = 1
    disks: int = 0
    gpus: int = 0
    detail: bool = True
    banner: int = 0
    keys: int = 1


@dataclass(slots=True)
class Heights:
    """How many lines each pane gets."""

    spare: int
    lines: dict[str, int] = field(default_factory=dict)

    def give(self, pane: str, lines: int) -> None:
        """Raise a pane to `lines`, as far as there is room."""
        have = self.lines.setdefault(pane, 0)
        more = max(0, min(lines - have, self.spare))
        self.lines[pane] = have + more
        self.spare -= more

    def whole(self, pane: str, lines: int) -> None:
        """Raise a pane to `lines`, or leave it as it is when they are not all to be had."""
        if lines - self.lines.get(pane, 0) <= self.spare:
            self.give(pane, lines)


def arrange(width: int, height: int, wants: Wants) -> dict[str, int]:
    """Return the height of every pane but the plan, which takes what is left.

    One line of the plan comes first, then what the user must see or is typing, then one line of
    everything, then more of it.
    """
    heights = Heights(height)
    heights.give("plan", 1)
    heights.give("keys", wants.keys)
    heights.give("header", 1)
    if wants.banner:
        heights.give("banner", min(wants.banner, max(1, height // 6)))
    heights.give("plan", 3)
    if width >= WIDE_FROM:
        beside = Heights(height - heights.lines["keys"] - heights.lines.get("banner", 0))
        beside.give("disks", min(1, wants.disks))
        beside.give("gpus", min(1, wants.gpus))
        beside.whole("disks", wants.disks)
        beside.whole("gpus", wants.gpus)
        for pane in ("disks", "gpus"):
            if beside.lines[pane] > 1 and beside.spare > 4:
                beside.give(pane, beside.lines[pane] + 1)
        beside.give("lately", beside.spare if beside.spare > 2 else 0)
        heights.lines |= beside.lines
    else:
        heights.give("gpus", min(1, wants.gpus))
        heights.give("disks", min(1, wants.disks))
        heights.give("plan", min(5, wants.plan))
    if height >= 12:
        heights.give("header", 2)
    if height >= 20:
        heights.give("header", wants.header)
        heights.give("detail", 4 if wants.detail else 0)
    if width < WIDE_FROM:
        heights.whole("disks", wants.disks)
        heights.give("plan", min(wants.plan, height * 2 // 5))
        heights.whole("gpus", wants.gpus)
    heights.give("plan", min(wants.plan, height // 2))
    if height >= 30:
        heights.give("detail", 7 if wants.detail else 0)
        # An empty line between the panes, where nobody misses it.
        for pane in ("disks", "gpus"):
            if heights.lines.get(pane, 0) > 1 and heights.spare > 4:
                heights.give(pane, heights.lines[pane] + 1)
    panes = ("header", "detail", "disks", "gpus", "lately", "banner", "keys")
    return {pane: heights.lines.get(pane, 0) for pane in panes}
