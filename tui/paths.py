"""Where things are on disk: our own state and configuration, and the styles of the package."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path


def _xdg(variable: str, default: str) -> Path:
    # The specification says that a relative path is to be ignored.
    given = os.environ.get(variable, "")
    return Path(given) if given.startswith("/") else Path.home() / default


def config_file() -> Path:
    """Return the configuration file, `STEERPANE_CONFIG` or the one in the XDG folder."""
    given = os.environ.get("STEERPANE_CONFIG", "")
    return Path(given) if given else _xdg("XDG_CONFIG_HOME", ".config") / "steerpane/config.toml"


def state_dir() -> Path:
    """Return the folder of our own state; it may not exist yet."""
    return _xdg("XDG_STATE_HOME", ".local/state") / "steerpane"


def plan_dir(store: str, path: Path, session: str = "") -> Path:
    """Return the folder of one plan's ledger and journal, named so that a person can find it."""
    whole = "\0".join((store, os.path.realpath(path), session))
    digest = hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path.name).strip("-.")[:40] or "plan"
    return state_dir() / "plans" / f"{name}-{digest}"


def styles_dir() -> Path:
    """Return the folder of the style sheets, in an installed package or in a checkout."""
    here = Path(__file__).resolve().parent
    shipped = here / "styles"
    return shipped if shipped.is_dir() else here.parent / "styles"
