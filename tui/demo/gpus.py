"""What the story does to the simulated host's GPUs: pure, from the telling's progress."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from tui.demo.story import BENCHMARK, DEPLOY, DOWNLOAD, Progress
from tui.host.sample import Gpu

MIB = 2**20
GIB = 2**30
COUNT = 8
MEMORY = 97_887 * MIB
POWER_LIMIT = 600.0

_NAME = "NVIDIA RTX PRO 6000 Blackwell Server Edition"
_OLD_SERVER = "vllm serve MiniMax-M2.5 --tensor-parallel-size 8"
_NEW_SERVER = "vllm serve Kimi-K2.5 --tensor-parallel-size 8"
_OLD_PID = 41_207
_NEW_PID = 58_330
_DRIVER = 4 * MIB  # what the driver itself shows on an empty GPU
_SERVED = 90 * GIB
_CONTEXT = 0.6 * GIB
_WEIGHTS = 63.7 * GIB  # 547 GB over eight GPUs
_CACHE_TO = 91.2 * GIB

# Seconds after the old server is told to stop until its processes are gone, one GPU after another.
_EXIT = 4.0
_EXIT_STAGGER = 0.5
# Seconds into the step that deploys.
_LAUNCH = 120.0
_LOAD_FROM = 140.0
_LOAD_TO = 740.0
_CACHE_FULL = 790.0
_WARM = 930.0
# Seconds into the benchmark at which many clients follow the single one.
_CONCURRENT = 180.0

_EMPTY_WATTS = 33.0
_READY_WATTS = 88.0
_AMBIENT = 27.0
_DEGREES_PER_WATT = 0.086
_LAGS = (0, 20, 40, 60, 80)
_NOISE_PERIOD = 6.0


@dataclass(frozen=True, slots=True)
class _Load:
    """What a GPU is busy with: mean utilisation and power, and how far both swing."""

    utilisation: float
    watts: float
    swing: float = 0.0
    watts_swing: float = 0.0


_EMPTY = _Load(0, _EMPTY_WATTS)
_READY = _Load(0, _READY_WATTS)
_LOADING = _Load(8, 112, 5, 9)
_WARMING = _Load(82, 305, 14, 40)
_SINGLE_STREAM = _Load(86, 285, 5, 14)
_MANY_STREAMS = _Load(98, 577, 2, 20)


def gpus(progress: Progress, at: float) -> tuple[Gpu, ...]:
    """All GPUs; while nothing works on them, their figures stand still."""
    past = tuple(progress.back(lag) for lag in _LAGS)
    return tuple(_gpu(index, progress, past, at) for index in range(COUNT))


def _gpu(index: int, progress: Progress, past: tuple[Progress, ...], at: float) -> Gpu:
    holders = _holders(index, progress)
    load = _load(index, progress)
    utilisation = load.utilisation + load.swing * _noise(index, progress.now, "utilisation")
    warmth = sum(_load(index, then).watts for then in past) / len(past)
    return Gpu(
        id=f"GPU-00000000-0000-4000-8000-{index:012x}",
        index=index,
        name=_NAME,
        memory_total=MEMORY,
        memory_used=_DRIVER + sum(size for _, _, size in holders),
        utilisation=round(min(100.0, max(0.0, utilisation))),
        power=round(_watts(index, progress), 1),
        power_limit=POWER_LIMIT,
        # Heat follows power slowly, and the cards in the middle of the row get the least air.
        temperature=round(_AMBIENT + _confined(index) + _DEGREES_PER_WATT * warmth),
        holders=holders,
        since=at,
    )


def _confined(index: int) -> int:
    return 2 * min(index, COUNT - 1 - index)


def _holders(index: int, progress: Progress) -> tuple[tuple[int, str, int], ...]:
    exit_after = _EXIT + _EXIT_STAGGER * index
    if progress.effort(DEPLOY) < exit_after:
        size = round(_SERVED + 0.2 * GIB * _noise(index, 0, "served"))
        return ((_OLD_PID + index, _OLD_SERVER, size),)
    if not _launched(progress, exit_after):
        return ()
    return ((_NEW_PID + index, _NEW_SERVER, _loaded(index, progress.effort(DEPLOY))),)


def _launched(progress: Progress, exit_after: float) -> bool:
    """True while the new server runs: it needs a whole model, and a deployment left in peace."""
    work = progress.latest(DEPLOY)
    if work is None or progress.effort(DEPLOY) < _LAUNCH:
        return False
    if not progress.back(progress.now - work.begun).complete(DOWNLOAD):
        return False
    stopped = work.ended is not None and not progress.complete(DEPLOY)
    return not stopped or progress.now - (work.ended or 0.0) < exit_after


def _loaded(index: int, effort: float) -> int:
    pace = 1.0 + 0.03 * _noise(index, 0, "pace")
    weights = _share(effort, _LOAD_FROM, _LOAD_FROM + (_LOAD_TO - _LOAD_FROM) * pace)
    cache = _share(effort, _LOAD_TO + 20, _CACHE_FULL)
    full = _CACHE_TO + 0.1 * GIB * _noise(index, 0, "cache")
    return round(_CONTEXT + _WEIGHTS * weights + (full - _CONTEXT - _WEIGHTS) * cache)


def _load(index: int, progress: Progress) -> _Load:
    holders = _holders(index, progress)
    if not holders:
        return _EMPTY
    effort = progress.effort(DEPLOY)
    new = holders[0][1] == _NEW_SERVER
    if new and effort < _WARM:
        return _LOADING if effort < _CACHE_FULL else _WARMING
    if progress.current is not None and progress.current.step == BENCHMARK:
        single = progress.effort(BENCHMARK) < _CONCURRENT
        return _SINGLE_STREAM if single else _MANY_STREAMS
    return _READY


def _watts(index: int, progress: Progress) -> float:
    load = _load(index, progress)
    watts = load.watts + load.watts_swing * _noise(index, progress.now, "watts")
    return min(POWER_LIMIT, watts + 1.5 * _noise(index, 0, "card"))


def _share(value: float, start: float, end: float) -> float:
    return min(1.0, max(0.0, (value - start) / (end - start)))


def _noise(index: int, now: float, what: str) -> float:
    """A value from -1 to 1 that is the same in every telling and holds for some seconds."""
    slot = int(now // _NOISE_PERIOD)
    digest = blake2b(f"{what} {index} {slot}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**31 - 1.0
