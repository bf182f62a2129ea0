"""How fast a disk fills: the change of used bytes over a short sliding window."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

WINDOW = 10.0
# A total that changes by more than this share is another file system, or a resized one.
REPLACED = 0.01


class UsedRate:
    """The rate of one disk.

    Free space moves in steps (XFS allocates ahead, btrfs commits every 30 s), so the rate is an
    average over ten seconds: good enough to see that something is going on, not for a forecast.
    """

    def __init__(self, window: float = WINDOW) -> None:
        self._window = window
        self._of: tuple[Hashable, int] | None = None
        self._seen: deque[tuple[float, int]] = deque()

    def feed(self, at: float, mount: Hashable, total: int, used: int) -> float | None:
        """Return bytes per second, None until two measurements of the same mount exist."""
        if self._of is None or self._of[0] != mount or replaced(self._of[1], total):
            self._of = mount, total
            self._seen.clear()
        if self._seen and at <= self._seen[-1][0]:
            return None
        self._seen.append((at, used))
        # The oldest one kept is the last that is at least a whole window old.
        while len(self._seen) > 2 and at - self._seen[1][0] >= self._window:
            self._seen.popleft()
        then, before = self._seen[0]
        return (used - before) / (at - then) if at > then else None


def replaced(total: int, now: int) -> bool:
    """Return whether a total that became another one tells of another file system."""
    return abs(now - total) > REPLACED * total
