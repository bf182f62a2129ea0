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

STEP_MS = 20  # a change is told one or two steps after it was made
HEARTBEAT_MS = 1000  # what no event told is found by the next heartbeat
QUICK_HEARTBEAT_MS = 250
POLL = 0.15
REVALIDATE = 2.0  # over a network a plain stat may be answered from a cache
RETRY = 60.0  # a limit on watches may be lifted, or somebody else may return some


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder to watch and the names in it that matter; a new folder of that name is another one."""

    path: Path
    identity: tuple[int, int]
    names: frozenset[str]


def watch(
    path: Path,
    poke: Callable[[], None],
    stop: threading.Event,
    report: Callable[[Mode], None] = lambda _mode: None,
) -> None:
    """Call `poke` whenever the file may have changed, until `stop` is set; ends within 100 ms.

    The file and its folders may be missing, appear, vanish, be replaced or be links that are
    retargeted. `report` is told the mode in force, at first and when it changes.
    """
    watcher = _Watcher(path, poke, stop, report)
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
        """Follow events until the folders to watch are others (True) or cannot be watched (False)."""
        # Imported here because it is not needed to show a plan, only to follow it.
        from watchfiles import watch as follow

        folders = _folders(self._path)
        waiting = mode is Mode.BOTH or self._stamp is None
        try:
            for changes in follow(
                *(folder.path for folder in folders),
                watch_filter=None,  # names are looked at below: a batch of others is a heartbeat too
                step=STEP_MS,
                debounce=200,
                stop_event=self._stop,
                rust_timeout=QUICK_HEARTBEAT_MS if waiting else HEARTBEAT_MS,
                yield_on_timeout=True,
                force_polling=False,
                recursive=False,
                # True would swallow every failure to watch, not only this one.
                ignore_permission_denied=False,
            ):
                self._tell(mode)
                if _concern(changes, folders):
                    self._stamp = stamp_of(self._path)
                    self._poke()
                else:
                    self._compare(stamp_of(self._path))
                if _folders(self._path) != folders:
                    return True
        except (OSError, RuntimeError) as error:
            # A folder that went away meanwhile is no reason to poll; a limit on watches or
            # instances is one (it comes without an errno), and so is a folder we may not read.
            if isinstance(error, FileNotFoundError) and _folders(self._path) != folders:
                return True
            return False
        return True

    def _compare(self, stamp: Stamp | None) -> None:
        if stamp != self._stamp:
            self._stamp = stamp
            self._poke()

    def _tell(self, mode: Mode) -> None:
        if mode is not self._mode:
            self._mode = mode
            self._report(mode)


def _concern(changes: set[tuple[object, str]], folders: tuple[_Folder, ...]) -> bool:
    """Return whether a batch of events touches a name that matters."""
    touched = {os.path.split(name) for _change, name in changes}
    return any((str(folder.path), name) in touched for folder in folders for name in folder.names)


def _folders(path: Path) -> tuple[_Folder, ...]:
    """Return the folder of the file, and that of the link to it if it is one.

    In place of a folder that does not exist stands the nearest one above it that does.
    """
    names: dict[Path, set[str]] = {}
    link = Path(os.path.abspath(path))  # noqa: PTH100 - absolute() would leave ".." in it
    for place in (Path(os.path.realpath(link)), link):
        folder, name = place.parent, place.name
        while not folder.is_dir() and folder != folder.parent:
            folder, name = folder.parent, folder.name
        names.setdefault(folder, set()).add(name)
    return tuple(
        _Folder(folder, _identity(folder), frozenset(wanted)) for folder, wanted in names.items()
    )


def _identity(folder: Path) -> tuple[int, int]:
    stamp = stamp_of(folder)
    return stamp[:2] if stamp else (0, 0)


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
