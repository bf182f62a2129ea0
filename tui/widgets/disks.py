"""The disks: how full, and how fast that changes."""

from __future__ import annotations

from tui.figures import gigabytes, rate, short
from tui.glyphs import Glyphs
from tui.host.sample import Condition, Disk
from tui.settings import ScreenSettings
from tui.widgets.ink import Ink, Line, bar, clip, fill, measure
from tui.widgets.painted import Painted

_FULL, _FILLING = 95.0, 85.0


_RATE_FROM, _AMOUNT_FROM, _FREE_FROM = 20, 27, 44
"""From so many cells on there is room for a rate beside the bar, for amounts, for what is free.

Where not both have room, a disk that fills or empties shows its rate, any other what is free; with
even less the rate takes the place of the bar.
"""
_SLOT = 12


def fill_ink(percent: float) -> Ink:
    """Return the ink for how full something is; the figures beside it say the same."""
    return Ink.BAD if percent >= _FULL else Ink.WARN if percent >= _FILLING else Ink.ACCENT


def _amount(disk: Disk) -> str:
    used, total = gigabytes(disk.used), gigabytes(disk.total)
    if used.split()[1] == total.split()[1]:
        used = used.split()[0]
    return f"{used}/{total}"


def _pressing(disk: Disk) -> tuple[bool, bool, float, float]:
    """Return how much a disk matters when only one can be shown."""
    well = disk.condition is Condition.OK
    return not well, disk.percent >= _FULL, abs(disk.rate or 0.0), disk.percent


class Disks(Painted):
    """One line per disk below a heading; all in one line when squeezed."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._disks: tuple[Disk, ...] = ()

    def show(self, disks: tuple[Disk, ...]) -> None:
        """Take over new figures."""
        self._disks = disks
        self.sync()

    def wanted(self) -> int:
        """Return how many lines would show everything."""
        return len(self._disks) + 1 if self._disks else 0

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the heading and the disks, or the most pressing disk alone."""
        if not self._disks:
            return []
        label = min(max(measure(d.label) for d in self._disks), max(7, width // 4))
        if height == 1:
            disk = max(self._disks, key=_pressing)
            more = f" +{len(self._disks) - 1}" if len(self._disks) > 1 else ""
            return [self._line(disk, width, min(label, measure(disk.label)), 0, more)]
        size = max(measure(_amount(disk)) for disk in self._disks)
        return [
            heading("Disk", (), width, self.glyphs),
            *(self._line(disk, width, label, size, "") for disk in self._disks),
        ]

    def _line(self, disk: Disk, width: int, label: int, column: int, more: str) -> Line:
        name = clip(disk.label, label, self.glyphs.ellipsis)
        left: Line = ((f" {name}{' ' * (label - measure(name))} ", Ink.TEXT),)
        room = width - label - 3
        stale = disk.condition is not Condition.OK
        if stale and (disk.condition is not Condition.STALE or disk.problem or not disk.total):
            text = f"{disk.condition.value} {disk.problem}".strip()
            if disk.since:
                text += f", {short(self.clock() - disk.since)} old"
            return (*left, (clip(text, room, self.glyphs.ellipsis), Ink.WARN))
        share = disk.percent
        amount, speed = f"{_amount(disk)}{more}", rate(disk.rate)
        if stale:
            speed = f"{short(self.clock() - disk.since)} old"
        elif disk.read_only:
            speed = speed or "read-only"
        # The slot for the rate is always kept, or the bar would jump whenever it comes and goes.
        slot = _SLOT if room >= _RATE_FROM else 0
        free = f"{gigabytes(disk.free)} free" if slot and not stale else ""
        beside = _SLOT + 1 if room >= _FREE_FROM else 0
        if slot and not beside:
            speed = speed or free
        if room < _AMOUNT_FROM:
            amount, column = f"{share:.0f}%{more}", 3
        amount = amount.rjust(column)
        size = max(1, room - measure(amount) - 1 - beside - slot)
        ink = Ink.FAINT if stale else fill_ink(share)
        gauge = bar(share / 100, size, self.glyphs.full, self.glyphs.empty, ink)
        if speed and not slot and measure(speed) <= size:
            gauge = ((speed.rjust(size), Ink.DIM if stale else Ink.ACCENT),)
        right: Line = ((amount, Ink.DIM if stale else Ink.TEXT),)
        if beside:
            right += ((free.rjust(beside), Ink.DIM),)
        if slot:
            right += ((speed.rjust(slot), Ink.DIM if stale or speed == free else Ink.ACCENT),)
        return fill((*left, *gauge), right, width - 1)


def heading(title: str, right: Line, width: int, glyphs: Glyphs) -> Line:
    """Return the line that opens a pane: its name on a rule, with column heads at the end."""
    taken = measure(title) + 3 + sum(measure(text) for text, _ in right) + (1 if right else 0)
    rule = glyphs.rule * max(0, width - taken)
    gap: Line = ((" ", Ink.TEXT),) if right else ()
    return (
        (f" {title} ", Ink.HEAD),
        (rule, Ink.RULE),
        *gap,
        *right,
        (glyphs.rule if not right else "", Ink.RULE),
    )
