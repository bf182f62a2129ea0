"""The GPUs: memory on a fixed scale, utilisation, power, temperature."""

from __future__ import annotations

from tui.figures import gibibytes, short
from tui.glyphs import Glyphs
from tui.host.sample import Condition, Gpu, Sample
from tui.settings import ScreenSettings
from tui.widgets.disks import heading
from tui.widgets.ink import Ink, Line, bar, clip, crop, length, wrap
from tui.widgets.painted import Painted

_TWO_FROM = 72
"""From this width on two GPUs share a line."""
_POWER_FROM, _HEAT_FROM = 30, 34


def _share(gpu: Gpu) -> float:
    return (gpu.memory_used or 0) / gpu.memory_total if gpu.memory_total else 0.0


def _figure(value: float | None, width: int, unit: str = "") -> str:
    return f"{'?' if value is None else f'{value:.0f}'}{unit}".rjust(width)


def _gibibytes(count: int | None) -> str:
    return "?" if count is None else gibibytes(count)


class Gpus(Painted):
    """One line per GPU below a heading, two per line when wide, all in one line when squeezed."""

    def __init__(self, settings: ScreenSettings, name: str) -> None:
        super().__init__(settings, name)
        self._gpus: tuple[Gpu, ...] = ()
        self._problem = ""

    def show(self, gpus: tuple[Gpu, ...], problem: str) -> None:
        """Take over new figures; `problem` says why there are none."""
        self._gpus, self._problem = gpus, problem
        self.sync()

    def wanted(self, width: int) -> int:
        """Return how many lines would show everything."""
        if not self._gpus:
            return 1 if self._problem else 0
        columns = 2 if width >= _TWO_FROM and len(self._gpus) > 1 else 1
        return 1 + -(-len(self._gpus) // columns)

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the heading and the GPUs, or all of them summed up."""
        if not self._gpus:
            text = f" GPU {self.glyphs.dot} {self._problem}"
            return [((clip(text, width - 1, self.glyphs.ellipsis), Ink.DIM),)]
        if height == 1:
            return [self._sum(width)]
        if width < _TWO_FROM or len(self._gpus) == 1:
            return [
                heading("GPU", self._columns(width), width, self.glyphs),
                *(self._line(gpu, width) for gpu in self._gpus),
            ]
        half = -(-len(self._gpus) // 2)
        size = width // 2
        pad: Line = ((" " * (width - 2 * size), Ink.TEXT),)
        head = self._columns(size)
        lines = [
            (
                *heading("GPU", head, size, self.glyphs),
                (" ", Ink.TEXT),
                *heading("", head, size - 1 + length(pad), self.glyphs)[1:],
            )
        ]
        for index in range(half):
            left = self._line(self._gpus[index], size)
            gap: Line = ((" " * (size - length(left)), Ink.TEXT),)
            right: Line = ()
            if index + half < len(self._gpus):
                right = self._line(self._gpus[index + half], width - size)
            lines.append((*left, *gap, *right))
        return lines

    def _columns(self, width: int) -> Line:
        text = "  GiB util"
        text += "   W" if width >= _POWER_FROM else ""
        text += f"  {self.glyphs.celsius}" if width >= _HEAT_FROM else ""
        return ((text.rstrip(), Ink.FAINT), (" ", Ink.TEXT))

    def _line(self, gpu: Gpu, width: int) -> Line:
        name: Line = ((f" {gpu.index} ", Ink.TEXT),)
        if gpu.condition in (Condition.LOST, Condition.ERROR):
            text = f"{gpu.condition.value} {gpu.problem}".strip()
            return (*name, (clip(text, width - 4, self.glyphs.ellipsis), Ink.BAD))
        stale = gpu.condition is Condition.STALE
        used, total = _gibibytes(gpu.memory_used), _gibibytes(gpu.memory_total)
        text = f" {used.rjust(len(total))}/{total}"
        if stale:
            text += f" {short(self.clock() - gpu.since)} old".rjust(6)
        else:
            text += _figure(gpu.utilisation, 5, "%")
            text += _figure(gpu.power, 4) if width >= _POWER_FROM else ""
            text += _figure(gpu.temperature, 4) if width >= _HEAT_FROM else ""
        size = max(1, width - length(name) - len(text) - 1)
        ink = Ink.FAINT if stale else Ink.ACCENT
        gauge = bar(_share(gpu), size, self.glyphs.full, self.glyphs.empty, ink)
        return (*name, *gauge, (text, Ink.DIM if stale else Ink.TEXT))

    def _sum(self, width: int) -> Line:
        """Return all GPUs as one line, the least telling figures left out first."""
        gpus = self._gpus
        first, last = gpus[0].index, gpus[-1].index
        label = f"GPU {first}" if first == last else f"GPU {first}-{last}"
        used = sum(g.memory_used or 0 for g in gpus)
        total = sum(g.memory_total or 0 for g in gpus)
        figures = [f"{gibibytes(used)}/{gibibytes(total)} GiB"]
        busy = [g.utilisation for g in gpus if g.utilisation is not None]
        if busy:
            figures.append(f"{sum(busy) / len(busy):.0f}%")
        watts = sum(g.power or 0.0 for g in gpus)
        if watts:
            figures.append(f"{watts / 1000:.1f} kW" if watts >= 1000 else f"{watts:.0f} W")
        heat = [g.temperature for g in gpus if g.temperature is not None]
        if heat:
            figures.append(f"{max(heat)}{self.glyphs.degree}")
        bad = sum(g.condition is not Condition.OK for g in gpus)
        line: Line = ((f" {label}", Ink.TEXT),)
        if bad:
            line += ((f"  {bad} not well", Ink.BAD),)
        for figure in figures:
            part = (f"  {figure}", Ink.TEXT)
            if length(line) + length((part,)) < width:
                line += (part,)
        return crop(line, width - 1)


def gpu_details(sample: Sample, width: int, glyphs: Glyphs) -> list[Line]:
    """Return every GPU with its name, limits and the processes that hold its memory."""
    if not sample.gpus:
        text = sample.gpu_problem or "No GPU is known here."
        return [((line, Ink.DIM),) for line in wrap(text, width, 4, glyphs.ellipsis)]
    out: list[Line] = []
    for gpu in sample.gpus:
        out.append(
            (
                (f"GPU {gpu.index} ", Ink.HEAD),
                (clip(gpu.name, width - 8, glyphs.ellipsis), Ink.STRONG),
            )
        )
        used, total = _gibibytes(gpu.memory_used), _gibibytes(gpu.memory_total)
        limit = f"/{gpu.power_limit:.0f}" if gpu.power_limit else ""
        facts = (
            f"{used}/{total} GiB {glyphs.dot} {_figure(gpu.utilisation, 0)}% {glyphs.dot} "
            f"{_figure(gpu.power, 0)}{limit} W {glyphs.dot} {_figure(gpu.temperature, 0)} "
            f"{glyphs.celsius}"
        )
        out += [((f"  {text}", Ink.TEXT),) for text in wrap(facts, width - 2, 3, glyphs.ellipsis)]
        if gpu.condition is not Condition.OK:
            text = f"  {gpu.condition.value} {gpu.problem}"
            out.append(((clip(text, width, glyphs.ellipsis), Ink.BAD),))
        for pid, name, size in gpu.holders:
            text = f"  {_gibibytes(size).rjust(4)} GiB  {name} (pid {pid})"
            out.append(((clip(text, width, glyphs.ellipsis), Ink.DIM),))
        if not gpu.holders:
            out.append((("  no process known on it", Ink.FAINT),))
        out.append(())
    return out[:-1]
