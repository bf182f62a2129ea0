"""An episode: an amount that moves one way until it rests or turns; pure, on any clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moved:
    """One finished (or long) episode: from one amount to another, begun at a time."""

    start: int
    end: int
    began: float

    @property
    def change(self) -> int:
        """Signed bytes; negative when the amount fell."""
        return self.end - self.start


class Episode:
    """Follows one amount and tells of every run up or down of at least `threshold` bytes.

    A run ends when it advances by less than `noise` for the quiet time of its direction, or when
    the amount turns back by `threshold`. Background noise therefore never makes an episode, and a
    stop in between does not split one.
    """

    def __init__(
        self,
        amount: int,
        at: float,
        threshold: float,
        noise: float,
        *,
        rest_up: float,
        rest_down: float,
    ) -> None:
        self._threshold = threshold
        self._noise = noise
        self._rest = {1: rest_up, -1: rest_down}
        self._start = self._peak = self._advanced = amount
        self._began = self._advanced_at = at
        self._way = 0

    def feed(self, amount: int, at: float) -> Moved | None:
        """Take the amount at a time; return the run that ended with it, if it was big enough."""
        ended = None
        if self._way * (self._peak - amount) >= self._threshold:
            ended = self.run
            self._restart(self._peak, self._advanced_at)
        if not self._way and amount != self._start:
            self._way = 1 if amount > self._start else -1
            self._began = at
        if self._way * (amount - self._peak) > 0:
            self._peak = amount
        if abs(self._peak - self._advanced) >= self._noise:
            self._advanced, self._advanced_at = self._peak, at
        if ended is None and at - self._advanced_at >= self._rest.get(self._way, 0.0):
            ended = self.run
            self._restart(amount, at)
        return ended

    @property
    def run(self) -> Moved | None:
        """The run under way as far as it has come, None while it is not big enough."""
        moved = Moved(self._start, self._peak, self._began)
        return moved if abs(moved.change) >= self._threshold else None

    def _restart(self, amount: int, at: float) -> None:
        self._start = self._peak = self._advanced = amount
        self._began = self._advanced_at = at
        self._way = 0
