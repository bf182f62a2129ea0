"""From samples to signals: one for each thing that happened, not one for each figure that moved.

Pure: time is what the samples say, in seconds divided by `pace` where a story is told faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.host.episodes import Episode, Moved
from tui.host.rates import replaced
from tui.host.sample import Condition, Disk, Event, Gpu, Sample, Signal

DISK_FLOOR = 10e9  # bytes; a smaller change of a disk is no event,
DISK_SHARE = 0.01  # nor is a smaller share of the whole
VRAM_FLOOR = float(2**30)  # bytes on one GPU

_DISK_REST = 10.0
# Free space is told in jumps by file systems that commit late, allocate ahead or cache on clients.
_SLOW_REST = 40.0
_PROMPT = frozenset(("", "ext2", "ext3", "ext4", "f2fs", "tmpfs", "overlay"))
_LONG = 600.0
_CLAIM_REST = 10.0
_RELEASE_REST = 4.0
# The GPUs of one server let go within this time of each other.
_TOGETHER = 8.0
# The list of holders is read less often than the memory.
_HOLDERS_LAG = 10.0
# This share of a threshold within a rest is noise.
_DISK_NOISE = 1 / 200
_VRAM_NOISE = 1 / 8


class _DiskState:
    def __init__(self, disk: Disk, at: float, floor: float, pace: float) -> None:
        prompt = disk.fstype in _PROMPT
        self.total = disk.total
        self.told = at
        self.episode = Episode(
            disk.used,
            at,
            floor,
            floor * _DISK_NOISE,
            rest_up=(_DISK_REST if prompt else _SLOW_REST) / pace,
            rest_down=(_DISK_REST if prompt or disk.fstype == "xfs" else _SLOW_REST) / pace,
        )


class _GpuState:
    def __init__(self, gpu: Gpu, used: int, at: float, floor: float, pace: float) -> None:
        self.gpu = gpu
        self.lag = _HOLDERS_LAG / pace
        self.episode = Episode(
            used,
            at,
            floor,
            floor * _VRAM_NOISE,
            rest_up=_CLAIM_REST / pace,
            rest_down=_RELEASE_REST / pace,
        )
        # pid -> name, first and last time it was seen on the GPU; it was there all along at first.
        self._seen = {pid: (name, float("-inf"), at) for pid, name, _ in gpu.holders}

    def feed(self, gpu: Gpu, used: int, at: float) -> Moved | None:
        self.gpu = gpu
        for pid, name, _ in gpu.holders:
            self._seen[pid] = name, self._seen.get(pid, (name, at, at))[1], at
        ended = self.episode.feed(used, at)
        if self.episode.run is None and ended is None:
            self._seen = {p: s for p, s in self._seen.items() if at - s[2] <= self.lag}
        return ended

    def concerned(self, moved: Moved) -> set[str]:
        """Return the names of the processes that came or went, else that of the only one there."""
        present = {pid: name for pid, name, _ in self.gpu.holders}
        if moved.change < 0:
            names = {name for pid, (name, _, _) in self._seen.items() if pid not in present}
        else:
            since = moved.began - self.lag
            names = {self._seen[pid][0] for pid in present if self._seen[pid][1] >= since}
        if not names and len(set(present.values())) == 1:
            names = set(present.values())
        return names


class Signals:
    """The state machine; feed it every sample, in order. The first one is the baseline."""

    def __init__(
        self,
        pace: float = 1.0,
        *,
        disk_floor: float = DISK_FLOOR,
        disk_share: float = DISK_SHARE,
        vram_floor: float = VRAM_FLOOR,
    ) -> None:
        self._pace = pace
        self._disk_floor = disk_floor
        self._disk_share = disk_share
        self._vram_floor = vram_floor
        self._disks: dict[str, _DiskState] = {}
        self._gpus: dict[str, _GpuState] = {}
        self._released: list[tuple[_GpuState, Moved, float]] = []
        self._claimed: list[tuple[_GpuState, Moved, float]] = []

    def feed(self, sample: Sample) -> tuple[Signal, ...]:
        """Return what a sample shows to have happened."""
        at = sample.at
        signals = [s for disk in sample.disks if (s := self._disk(disk, at))]
        # One that went away and comes back may hold anything: it starts anew.
        _keep(self._disks, (disk.id for disk in sample.disks))
        for gpu in sample.gpus:
            self._gpu(gpu, at)
        _keep(self._gpus, (gpu.id for gpu in sample.gpus))
        for event, ended in (
            (Event.VRAM_RELEASED, self._released),
            (Event.VRAM_CLAIMED, self._claimed),
        ):
            if ended and self._complete(event, ended, at):
                signals.append(_of_group(event, ended, at))
                ended.clear()
        return tuple(signals)

    def _disk(self, disk: Disk, at: float) -> Signal | None:
        if disk.condition is not Condition.OK or not disk.total:
            return None
        state = self._disks.get(disk.id)
        if state is None or replaced(state.total, disk.total):
            floor = max(self._disk_floor, self._disk_share * disk.total)
            self._disks[disk.id] = _DiskState(disk, at, floor, self._pace)
            return None
        state.total = disk.total
        moved = state.episode.feed(disk.used, at)
        if moved is None:
            run = state.episode.run
            if run is None or run.change < 0:
                return None
            if at - max(run.began, state.told) < _LONG / self._pace:
                return None
            moved = run
        state.told = at
        event = Event.DISK_FILLED if moved.change > 0 else Event.DISK_FREED
        return Signal(event, disk.label, abs(moved.change), at, left=disk.free)

    def _gpu(self, gpu: Gpu, at: float) -> None:
        if gpu.condition is Condition.STALE:
            return
        used = gpu.memory_used
        if gpu.condition is not Condition.OK or used is None:
            # What is not known any more was not released.
            self._gpus.pop(gpu.id, None)
            return
        state = self._gpus.get(gpu.id)
        if state is None or state.gpu.memory_total != gpu.memory_total:
            self._gpus[gpu.id] = _GpuState(gpu, used, at, self._vram_floor, self._pace)
            return
        moved = state.feed(gpu, used, at)
        if moved is not None:
            (self._claimed if moved.change > 0 else self._released).append((state, moved, at))

    def _complete(
        self, event: Event, ended: Sequence[tuple[_GpuState, Moved, float]], at: float
    ) -> bool:
        """Return whether no other GPU is still on its way, or has been for too long."""
        up = event is Event.VRAM_CLAIMED
        runs = (state.episode.run for state in self._gpus.values())
        moving = any(run is not None and (run.change > 0) is up for run in runs)
        return not moving or at - ended[0][2] >= _TOGETHER / self._pace


def _keep(states: dict[str, _DiskState] | dict[str, _GpuState], present: Iterable[str]) -> None:
    for gone in states.keys() - set(present):
        del states[gone]


def _of_group(event: Event, ended: Sequence[tuple[_GpuState, Moved, float]], at: float) -> Signal:
    states = {state.gpu.id: state for state, _, _ in ended}.values()
    free = [(s.gpu.memory_total or 0) - (s.gpu.memory_used or 0) for s in states]
    names = sorted({name for state, moved, _ in ended for name in state.concerned(moved)})
    by = ", ".join(names[:2]) + (f" +{len(names) - 2}" if len(names) > 2 else "")
    return Signal(
        event,
        "GPU " + span(state.gpu.index for state in states),
        sum(abs(moved.change) for _, moved, _ in ended),
        at,
        by=by,
        left=sum(free),
    )


def span(numbers: Iterable[int]) -> str:
    """Return numbers with runs drawn together: "0,2-3"."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
