"""What the host looked like at one moment: frozen values that every probe fills in.

Memory and disk amounts are bytes; times are seconds since the epoch. None means "not known".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Condition(StrEnum):
    """How far a figure can be trusted."""

    OK = "ok"
    STALE = "stale"
    ERROR = "error"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Disk:
    """One file system that matters to the plan.

    `id` names the file system (mountinfo's major:minor), `path` its mount point and `label` what
    is shown. `used`, `free` and `percent` are what `df` says: free is what an unprivileged
    process may still fill, percent is used / (used + free). `rate` is the change of `used` in
    bytes per second, None until two samples exist. `since` is when the figures were first seen as
    they are, so that what did not change compares equal; while they are stale it is when they
    were last known to be true.
    """

    id: str
    path: str
    label: str
    fstype: str = ""
    total: int = 0
    used: int = 0
    free: int = 0
    rate: float | None = None
    read_only: bool = False
    condition: Condition = Condition.OK
    problem: str = ""
    since: float = 0.0

    @property
    def percent(self) -> float:
        """Used share of what an unprivileged process can use, 0 to 100."""
        usable = self.used + self.free
        return 100.0 * self.used / usable if usable else 0.0


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU.

    `id` is its UUID, `index` the driver's number. Utilisation is percent, power is watts,
    temperature degrees Celsius. `holders` are the processes on it as (pid, name, bytes). `since`
    is meant as for a disk.
    """

    id: str
    index: int
    name: str = ""
    memory_total: int | None = None
    memory_used: int | None = None
    utilisation: int | None = None
    power: float | None = None
    power_limit: float | None = None
    temperature: int | None = None
    holders: tuple[tuple[int, str, int | None], ...] = ()
    condition: Condition = Condition.OK
    problem: str = ""
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Sample:
    """All disks and GPUs at one moment; `gpu_problem` says why there are no GPUs, in one line."""

    at: float = 0.0
    disks: tuple[Disk, ...] = ()
    gpus: tuple[Gpu, ...] = ()
    gpu_problem: str = ""


class Event(StrEnum):
    """The kinds of signal."""

    DISK_FREED = "disk freed"
    DISK_FILLED = "disk filled"
    VRAM_CLAIMED = "vram claimed"
    VRAM_RELEASED = "vram released"

    @property
    def of_memory(self) -> bool:
        """True when it is about GPU memory, False when about a disk."""
        return self in (Event.VRAM_CLAIMED, Event.VRAM_RELEASED)

    @property
    def verb(self) -> str:
        """What became of the bytes: freed, filled, claimed or released."""
        return self.value.split()[-1]


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that happened on the host: `amount` bytes on `where` ("/shared", "GPU 0-7").

    `by` names the processes concerned, where they are known; `left` is what is free afterwards.
    """

    event: Event
    where: str
    amount: int
    at: float
    by: str = ""
    left: int | None = None
