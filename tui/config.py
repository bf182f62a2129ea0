"""The configuration file: what the user prefers, each line checked, none of it fatal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tui.paths import config_file
from tui.plan.text import neutralise
from tui.settings import ScreenSettings


@dataclass(frozen=True, slots=True)
class Config:
    """What the user prefers.

    `mounts` are further folders whose file systems are shown; `interval` is the seconds between
    two looks at the host. `problems` tells, a line each, what in the file was passed over.
    """

    screen: ScreenSettings = field(default_factory=ScreenSettings)
    mounts: tuple[Path, ...] = ()
    interval: float = 2.0
    problems: tuple[str, ...] = ()


_SCREEN = {
    "theme": ("dark", "light"),
    "ascii": bool,
    "mouse": bool,
    "bell": bool,
    "title": bool,
    "banner_seconds": (0.5, 60.0),
    "fold_completed": bool,
}
_INTERVAL = (0.5, 60.0)


def load(path: Path | None = None) -> Config:
    """Read the configuration; what is wrong in it is told in `problems` and otherwise ignored."""
    path = config_file() if path is None else path
    where = neutralise(str(path))
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return Config()
    except OSError as error:
        return Config(problems=(f"{where}: {error.strerror}; using the defaults",))
    import tomllib  # most people have no such file, and everybody waits for the first paint

    try:
        given = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Config(problems=(f"{where}: {error}; using the defaults",))
    return _from(given, where)


def _from(given: Mapping[str, Any], where: str) -> Config:
    problems: list[str] = []
    screen: dict[str, Any] = {}
    config = Config()
    for name, value in given.items():
        allowed = _SCREEN.get(name, _INTERVAL if name == "interval" else None)
        if name == "mounts":
            try:
                config = replace(config, mounts=_folders(value))
            except (TypeError, RuntimeError):  # no list of texts; an unknown ~user
                problems.append(f"{where}: mounts must be a list of folders")
        elif allowed is None:
            known = ", ".join(sorted([*_SCREEN, "interval", "mounts"]))
            problems.append(f"{where}: there is no setting {name!r}; there are {known}")
        elif wrong := _wrong(value, allowed):
            problems.append(f"{where}: {name} must be {wrong}")
        elif name == "interval":
            config = replace(config, interval=float(value))
        else:
            screen[name] = value
    return replace(config, screen=replace(config.screen, **screen), problems=tuple(problems))


def _folders(value: object) -> tuple[Path, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(Path(v).expanduser() for v in value)


def _wrong(value: object, allowed: object) -> str:
    """Return what a value must be when it is not, else nothing."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    match allowed:
        case (float() as low, float() as high):
            return "" if number and low <= value <= high else f"from {low:g} to {high:g}"  # type: ignore[operator]
        case tuple():
            return "" if value in allowed else " or ".join(f'"{a}"' for a in allowed)
        case _:
            return "" if isinstance(value, bool) else "true or false"
