"""Keeping the traceback of an unexpected error where it can be found, off the user's terminal."""

from __future__ import annotations

import time
import traceback

from tui.paths import state_dir

_ENOUGH = 1 << 20


def keep(error: BaseException) -> str:
    """Append the traceback to the crash log and return, in words, what failed and where it is."""
    what = f"unexpected {type(error).__name__}: {error}"
    path = state_dir() / "crash.log"
    text = "".join(traceback.format_exception(error))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        full = path.exists() and path.stat().st_size > _ENOUGH
        with path.open("w" if full else "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}\n{text}\n")
    except OSError as failure:
        return f"{what} (the traceback could not be kept: {failure.strerror})"
    return f"{what} (the traceback is in {path})"
