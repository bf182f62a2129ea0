"""Times and amounts in words, short enough for a narrow pane."""

from __future__ import annotations

_NOISE = 1e6
"""Bytes per second below which a host's own logs and caches would make a rate flicker."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def short(seconds: float) -> str:
    """Return a time in at most five characters: 41s, 28m, 1h05, 2d03h."""
    whole = int(max(0.0, seconds))
    if whole < _MINUTE:
        return f"{whole}s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m"
    if whole < _DAY:
        return f"{whole // _HOUR}h{whole % _HOUR // _MINUTE:02}"
    return f"{whole // _DAY}d{whole % _DAY // _HOUR:02}h"


def lasted(seconds: float, exact: bool) -> str:
    """Return how long something took; `exact` False when its start was not seen."""
    return short(seconds) if exact else f"at least {short(seconds)}"


def gigabytes(count: float) -> str:
    """Return disk space in GB (10^9 bytes), or TB or PB when there are ten thousand of them."""
    value, unit = count / 1e9, "GB"
    for bigger in ("TB", "PB"):
        if abs(value) < 9999.5:
            break
        value, unit = value / 1000, bigger
    digits = 1 if abs(value) < 10 else 0
    return f"{value:.{digits}f} {unit}"


def gibibytes(count: float) -> str:
    """Return GPU memory in GiB (2^30 bytes), without its unit."""
    value = count / 2**30
    return f"{value:.1f}" if 0 < value < 9.95 else f"{value:.0f}"


def rate(per_second: float | None) -> str:
    """Return a signed rate, or nothing when it is unknown or too small to matter."""
    if per_second is None or abs(per_second) < _NOISE:
        return ""
    sign, size = ("+" if per_second > 0 else "-"), abs(per_second)
    if size >= 999.5e6:
        return f"{sign}{size / 1e9:.1f} GB/s"
    digits = 0 if size >= 9.95e6 else 1
    return f"{sign}{size / 1e6:.{digits}f} MB/s"
