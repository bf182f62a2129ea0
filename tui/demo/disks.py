"""What the story does to the simulated host's disks: pure, from the telling's progress."""

from __future__ import annotations

import math

from tui.demo.story import DELETE, DOWNLOAD, Progress
from tui.host.sample import Disk

GB = 10**9

OLD_MODEL = 540 * GB
"""Kimi-K2.5-NVFP4, which the plan wants to delete."""

SERVED_MODEL = 215 * GB
"""MiniMax-M2.5, which is served while the story begins."""

NEW_MODEL = 547 * GB
"""Kimi-K2.5 INT4 as it arrives; the plan expects 595 GB."""

SHARDS = 64
WORKERS = 8

_QUIET = (
    # Device, mount point, type, total, used, free; ext4 keeps a share of the free space for root.
    ("259:2", "/", "ext4", 235 * GB, 61 * GB, 162 * GB),
    ("259:3", "/home", "ext4", 470 * GB, 128 * GB, 318 * GB),
    ("259:7", "/var/lib/docker", "xfs", 960 * GB, 214 * GB, 746 * GB),
)
_SHARED_TOTAL = 1700 * GB

# `rm` needs a moment to be typed and then some seconds for 540 GB; the rest is looking again.
_DELETE_FROM = 4.0
_DELETE_TO = 12.0
# The list of files comes first.
_DOWNLOAD_FROM = 8.0
_RATE_WINDOW = 2.0


def used_on_shared(progress: Progress) -> int:
    """Bytes used on /shared."""
    return OLD_MODEL - freed(progress) + SERVED_MODEL + arrived(progress)


def freed(progress: Progress) -> int:
    """Bytes of the old model that are gone."""
    span = _DELETE_TO - _DELETE_FROM
    return round(OLD_MODEL * _unit((progress.effort(DELETE) - _DELETE_FROM) / span))


def arrived(progress: Progress) -> int:
    """Bytes of the new model that have arrived."""
    span = DOWNLOAD.duration - _DOWNLOAD_FROM
    share = _unit((progress.effort(DOWNLOAD) - _DOWNLOAD_FROM) / span)
    # The workers change shards at about the same time, which makes the rate dip once a round, and
    # a line that others use too makes it waver. Whole waves leave the total as it is.
    rounds = 2 * math.pi * SHARDS / WORKERS
    waver = 2 * math.pi * 21
    share += 0.04 * math.sin(rounds * share) / rounds + 0.02 * math.sin(waver * share) / waver
    return round(NEW_MODEL * share)


def disks(progress: Progress, at: float) -> tuple[Disk, ...]:
    """All disks; `rate` is bytes per second of story, as the real work would show it."""
    used = used_on_shared(progress)
    shared = Disk(
        id="259:9",
        path="/shared",
        label="/shared",
        fstype="xfs",
        total=_SHARED_TOTAL,
        used=used,
        free=_SHARED_TOTAL - used,
        rate=(used - used_on_shared(progress.back(_RATE_WINDOW))) / _RATE_WINDOW,
        since=at,
    )
    quiet = (
        Disk(device, path, path, fstype, total, used, free, rate=0.0, since=at)
        for device, path, fstype, total, used, free in _QUIET
    )
    return (shared, *quiet)


def _unit(share: float) -> float:
    return min(1.0, max(0.0, share))
