"""All probes of the host together: whom to ask, and what is known from what they answered.

Local disks share one child. Every remote mount has a child of its own, started when the local one
first names it, so that one dead server silences one row. Nothing here waits longer than it is told.
"""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tui.host import answers, mounts
from tui.host.probe import Probe, child
from tui.host.rates import UsedRate
from tui.host.sample import Condition, Disk, Gpu, Sample

# An answer may be this late (seconds) before its figures count as stale.
PATIENCE = 2.0


class _Source:
    """A probe, the wall time of its last answer, and whose figures it brings."""

    def __init__(self, command: Sequence[str], entry: Mapping[str, Any] | None = None) -> None:
        self.probe = Probe(command)
        self.entry = entry
        self.at = 0.0


class Sources:
    """The probes for some paths and, if wanted, the GPUs."""

    def __init__(
        self, paths: Sequence[Path], *, gpus: bool = True, patience: float = PATIENCE
    ) -> None:
        self._patience = patience
        self._paths = _interesting(paths)
        self._disk_command = child("disk_child")
        self._local = _Source(self._disk_command)
        self._remote: dict[str, _Source] = {}
        self._gpu = _Source(child("gpu_child")) if gpus else None
        self._entries: list[Mapping[str, Any]] = []
        self._disks: dict[str, Disk] = {}
        self._rates: dict[str, UsedRate] = {}
        self._gpus: dict[str, Gpu] = {}
        self._gpu_problem = ""

    def ask(self, now: float) -> None:
        """Ask every probe that is free (monotonic time)."""
        self._local.probe.ask({"paths": self._paths}, now)
        for source in self._remote.values():
            source.probe.ask({"mount": source.entry}, now)
        if self._gpu is not None:
            self._gpu.probe.ask({}, now)

    def waiting(self, now: float, patience: float) -> bool:
        """Return whether an answer is outstanding that is not yet late by `patience` seconds."""
        return any(s.probe.waiting and s.probe.overdue(now) < patience for s in self._all())

    def hear(self, timeout: float, wake: int | None = None) -> bool:
        """Take in answers for at most `timeout` seconds; return whether one came.

        Returns early after any answer, and when the handle `wake` becomes readable.
        """
        heard = False
        with selectors.PollSelector() as selector:
            for source in self._all():
                if source.probe.handle is not None:
                    selector.register(source.probe.handle, selectors.EVENT_READ, source)
            if wake is not None:
                selector.register(wake, selectors.EVENT_READ)
            for key, _ in selector.select(max(0.0, timeout)):
                if isinstance(key.data, _Source):
                    heard |= self._read(key.data)
        return heard

    def sample(self, now: float, at: float) -> Sample:
        """Return what is known now (monotonic time and wall time)."""
        disks = []
        for entry in self._entries:
            source = self._remote.get(entry["id"], self._local)
            disk = self._disks.get(entry["id"])
            late = source.probe.overdue(now)
            if late > self._patience:
                disk = replace(
                    disk or answers.disk(entry, at, None),
                    rate=None,
                    condition=Condition.STALE,
                    problem=answers.silence(late),
                    since=source.at or float(round(at - late)),
                )
            if disk is not None:
                disks.append(disk)
        gpus, problem = self._gpu_rows(now)
        return Sample(at, tuple(disks), gpus, problem)

    def close(self) -> None:
        """End every child without waiting."""
        for source in self._all():
            source.probe.close()

    def _all(self) -> Iterator[_Source]:
        yield self._local
        yield from self._remote.values()
        if self._gpu is not None:
            yield self._gpu

    def _read(self, source: _Source) -> bool:
        now, at = time.monotonic(), time.time()
        said = source.probe.read(now)
        if said is None:
            return False
        source.at = at
        if source is self._gpu:
            self._take_gpus(said, at)
        elif source.entry is not None:
            self._take_disk({**source.entry, **said}, now, at)
        else:
            self._take_mounts(said["disks"], now, at)
        return True

    def _take_mounts(self, entries: list[Mapping[str, Any]], now: float, at: float) -> None:
        self._entries = entries
        present = {entry["id"] for entry in entries}
        for known in (self._disks, self._rates):
            for gone in known.keys() - present:
                del known[gone]
        remote = {e["id"]: e for e in entries if e["kind"] != mounts.LOCAL}
        for name, source in list(self._remote.items()):
            if source.entry != remote.get(name):
                source.probe.close()
                del self._remote[name]
        for entry in entries:
            if entry["id"] not in remote:
                self._take_disk(entry, now, at)
            elif entry["id"] not in self._remote:
                source = self._remote[entry["id"]] = _Source(self._disk_command, entry)
                source.probe.ask({"mount": entry}, now)

    def _take_disk(self, said: Mapping[str, Any], now: float, at: float) -> None:
        name = said["id"]
        old = self._disks.get(name)
        if said.get("gone"):
            self._disks.pop(name, None)
            self._rates.pop(name, None)
            return
        if "error" in said:
            new = answers.disk(said, at, None)
            if old is not None:
                # The last good figures stay, with their age.
                new = replace(old, rate=None, condition=new.condition, problem=new.problem)
        else:
            rate = self._rates.setdefault(name, UsedRate())
            new = answers.disk(said, at, rate.feed(now, said["mount"], said["total"], said["used"]))
        if old is None or replace(new, since=old.since) != old:
            self._disks[name] = new

    def _take_gpus(self, said: Mapping[str, Any], at: float) -> None:
        self._gpu_problem = answers.line(said.get("problem"))
        rows = {}
        for row in said.get("gpus", ()):
            new = answers.gpu(row, at)
            old = self._gpus.get(new.id)
            same = old is not None and replace(new, since=old.since) == old
            rows[new.id] = old if old is not None and same else new
        self._gpus = rows

    def _gpu_rows(self, now: float) -> tuple[tuple[Gpu, ...], str]:
        late = self._gpu.probe.overdue(now) if self._gpu is not None else 0.0
        rows = tuple(self._gpus.values())
        if self._gpu is None or late <= self._patience:
            return rows, self._gpu_problem
        silence = answers.silence(late)
        if not rows:
            return (), f"GPU probe {silence}"
        stale = Condition.STALE
        return tuple(
            replace(row, condition=stale, problem=silence, since=self._gpu.at)
            if row.condition is Condition.OK
            else row
            for row in rows
        ), ""


def _interesting(paths: Sequence[Path]) -> list[str]:
    try:
        cwd = os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        cwd = ""
    home = os.environ.get("HOME", "")
    return mounts.interesting((str(p) for p in paths), os.environ, home, cwd)
