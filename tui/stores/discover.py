"""Which plan is meant: a named file, or the newest plan of a folder."""

from __future__ import annotations

from pathlib import Path

from tui.stores.base import Store
from tui.stores.json_file import JsonFile
from tui.stores.json_tasks import NotAPlan, read_tasks
from tui.stores.reading import Unread, look, shown, stamp_of
from tui.stores.spans import Bad

_FILES = 200
_SIZE = 8 << 20
_NAMES = frozenset(
    f"{dot}{name}.json" for dot in ("", ".") for name in ("todo", "todos", "tasks", "plan")
)


class NoPlan(Exception):
    """No plan was found; the text says where was looked and what to do, in one line."""


def find(path: Path | None, cwd: Path) -> Store:
    """Return the store of the plan that is meant; raises NoPlan.

    A file need not exist yet, only its folder. Without a path the current folder counts, then the
    root of its git repository.
    """
    try:
        return _of_folders(cwd) if path is None else _named(cwd / path.expanduser())
    except (OSError, RuntimeError) as error:  # closed folders, unknown ~user
        reason = error.strerror if isinstance(error, OSError) else error
        where = shown(path or cwd)
        raise NoPlan(f"{where} cannot be reached ({reason}): check the path") from error


def _of_folders(cwd: Path) -> Store:
    root = next((f for f in (cwd, *cwd.parents) if (f / ".git").exists()), cwd)
    folders = list(dict.fromkeys((cwd, root)))
    for folder in folders:
        if store := _newest(folder):
            return store
    looked = " and ".join(shown(folder) for folder in folders)
    raise NoPlan(f"no plan in {looked}: name the agent's todo file, or its folder")


def _named(path: Path) -> Store:
    if "\0" in str(path):
        raise NoPlan(f"{shown(path)} cannot be the name of a file: check the path")
    if path.is_dir():
        if store := _newest(path):
            return store
        raise NoPlan(f"no plan in {shown(path)}: name the agent's todo file")
    if not path.is_symlink() and not path.parent.is_dir():
        raise NoPlan(f"the folder {shown(path.parent)} does not exist: check the path")
    return JsonFile(path)


def _newest(folder: Path) -> Store | None:
    """Return the plan that was written last, among the newest few hundred files."""
    found = []
    for place in (folder, folder / ".steerpane"):
        try:
            files = [f for f in place.iterdir() if f.suffix == ".json"]
        except OSError:  # no such folder, or one that is closed to us
            continue
        found += [(stamp, file) for file in files if (stamp := stamp_of(file))]
    found.sort(key=lambda pair: pair[0][3], reverse=True)
    for stamp, file in found[:_FILES]:
        if stamp[2] <= _SIZE and _is_plan(file):
            return JsonFile(file)
    return None


def _is_plan(path: Path) -> bool:
    """Return whether a file is a plan beyond doubt: other lists hold texts too, but no statuses."""
    try:
        tasks = read_tasks(look(path, probe=False).data).tasks
    except (Unread, Bad, NotAPlan):
        return False
    return path.name in _NAMES or any(task.raw_status is not None for task in tasks)
