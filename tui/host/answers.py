"""What the probe children say, made into the values of a sample; their text is neutralised here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.host.sample import Condition, Disk, Gpu
from tui.plan.text import neutralise


def disk(said: Mapping[str, Any], at: float, rate: float | None) -> Disk:
    """Return the disk of an answer, taken at `at`; one without figures has an error."""
    path = neutralise(said["path"])
    problem = neutralise(said.get("error", ""))
    return Disk(
        id=said["id"],
        path=path,
        label=path,
        fstype=neutralise(said["fstype"]),
        total=said.get("total", 0),
        used=said.get("used", 0),
        free=said.get("free", 0),
        rate=rate,
        read_only=said.get("read_only", False),
        condition=Condition.ERROR if problem else Condition.OK,
        problem=problem,
        since=at,
    )


def gpu(said: Mapping[str, Any], at: float) -> Gpu:
    """Return the GPU of an answer, taken at `at`."""
    return Gpu(
        id=said["id"],
        index=said["index"],
        name=neutralise(said.get("name") or ""),
        memory_total=said.get("memory_total"),
        memory_used=said.get("memory_used"),
        utilisation=said.get("utilisation"),
        power=said.get("power"),
        power_limit=said.get("power_limit"),
        temperature=said.get("temperature"),
        holders=tuple(
            (pid, neutralise(name), held) for pid, name, held in said.get("holders") or ()
        ),
        condition=Condition(said["condition"]),
        problem=neutralise(said.get("problem", "")),
        since=at,
    )


def silence(seconds: float) -> str:
    """Return how long a probe has not answered, in steps, so that the text seldom changes."""
    if seconds < 5:
        return "not answering"
    if seconds < 60:
        return f"not answering for {int(seconds) // 5 * 5} s"
    if seconds < 7200:
        return f"not answering for {int(seconds) // 60} min"
    return f"not answering for {int(seconds) // 3600} h"


def line(said: str | None) -> str:
    """Return a text that a child may have said, safe to show."""
    return neutralise(said or "")
