"""Noticing that a file changed, however its writer goes about it; runs in a thread of its own."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tui.stores.base import Stamp
from tui.stores.reading import stamp_from, stamp_of
from tui.watching.fstype import Mode, mode_for

STEP_MS = 12  # a change is told one or two steps after it was made
HEARTBEAT_MS = 1000  # what no event told is found by the next heartbeat
QUICK_HEARTBEAT_MS = 250
POLL = 0.15
REVALIDATE = 2.0  # over a network a plain stat may be answered from a cache
RETRY = 60.0  # a limit on watches may be lifted, or somebody else may return some


def watch(
    path: Path,
    poke: Callable[[], None],
    stop: threading.Event,
    report: Callable[[Mode], None] = lambda _mode: None,
) -> None:
    """Call `poke` at once and whenever the file may have changed, until `stop` is set.

    Ends within 100 ms of that; `poke` runs in the calling thread. The file and its folders may be
    missing, appear, vanish, be replaced or be links that are retargeted. `report` is told the mode
    in force, at first and when it changes.
    """
    watcher = _Watcher(path, poke, stop, report)
    poke()  # what changed before the first stamp was taken would go unseen
    while not stop.is_set():
        mode = mode_for(path)
        if mode is Mode.POLL:
            watcher.poll(float("inf"), revalidate=True)
        elif not watcher.events(mode):
            watcher.poll(RETRY, revalidate=False)


class _Watcher:
    def __init__(
        self,
        path: Path,
        poke: Callable[[], None],
        stop: threading.Event,
        report: Callable[[Mode], None],
    ) -> None:
        self._path = path
        self._poke = poke
        self._stop = stop
        self._report = report
        self._mode: Mode | None = None
        self._stamp = stamp_of(path)

    def poll(self, seconds: float, revalidate: bool) -> None:
        """Look again and again, for some seconds or until the end."""
        self._tell(Mode.POLL)
        began = opened = time.monotonic()
        while not self._stop.wait(POLL) and time.monotonic() - began < seconds:
            if revalidate and time.monotonic() - opened >= REVALIDATE:
                opened = time.monotonic()
                self._compare(_opened_stamp(self._path))
            else:
                self._compare(stamp_of(self._path))

    def events(self, mode: Mode) -> bool:
        """Follow events until there are other folders to watch (True) or it cannot be done."""
        # Imported here because it is not needed to show a plan, only to follow it.
        from watchfiles import watch as follow

        around = _surroundings(self._path)
        waiting = mode is Mode.BOTH or self._stamp is None
        batches = follow(
            *around.folders,
            watch_filter=None,  # names are looked at below: other names are a heartbeat too
            step=STEP_MS,
            debounce=200,
            stop_event=self._stop,
            rust_timeout=QUICK_HEARTBEAT_MS if waiting else HEARTBEAT_MS,
            yield_on_timeout=True,
            force_polling=False,
            recursive=False,
            # True would swallow every failure to watch, not only a refused one.
            ignore_permission_denied=False,
        )
        while around == _surroundings(self._path):
            try:
                changes = next(batches, None)
            except (OSError, RuntimeError):
                # A limit on watches or instances (it comes without an errno), a folder we may not
                # read; or only a folder that went away meanwhile.
                return around != _surroundings(self._path)
            if changes is None:  # stopped
                return True
            self._tell(mode)
            if any(Path(name).name in around.names for _change, name in changes):
                # The same size within one tick of the clock leaves the stamp as it was.
                self._stamp = stamp_of(self._path)
                self._poke()
            else:
                self._compare(stamp_of(self._path))
        return True

    def _compare(self, stamp: Stamp | None) -> None:
        if stamp != self._stamp:
            self._stamp = stamp
            self._poke()

    def _tell(self, mode: Mode) -> None:
        if mode is not self._mode:
            self._mode = mode
            self._report(mode)


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The folders to watch, which of that name they are, and the names in them that matter."""

    folders: tuple[Path, ...]
    identities: tuple[tuple[int, int], ...]
    names: frozenset[str]


def _surroundings(path: Path) -> _Surroundings:
    """Return what to watch for a file: its folder, and that of the link to it if it is one.

    In place of a folder that does not exist stands the nearest one above it that does.
    """
    folders: list[Path] = []
    names: list[str] = []
    link = Path(os.path.abspath(path))  # noqa: PTH100 - absolute() would leave ".." in it
    for place in dict.fromkeys((Path(os.path.realpath(link)), link)):
        folder, name = place.parent, place.name
        # is_dir() raises where a folder above is closed to us.
        while not os.path.isdir(folder) and folder != folder.parent:  # noqa: PTH112
            folder, name = folder.parent, folder.name
        folders.append(folder)
        names.append(name)
    folders = list(dict.fromkeys(folders))
    stamps = [stamp_of(folder) for folder in folders]
    identities = tuple(stamp[:2] if stamp else (0, 0) for stamp in stamps)
    return _Surroundings(tuple(folders), identities, frozenset(names))


def _opened_stamp(path: Path) -> Stamp | None:
    """Return the stamp as the file's server gives it: opening asks anew where `stat` may not."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return None
    try:
        return stamp_from(os.fstat(fd))
    finally:
        os.close(fd)
