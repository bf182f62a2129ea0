"""Starting fast: no looking for garbage among what is being made and will live on."""

from __future__ import annotations

import gc


def defer_collection() -> None:
    """Turn the garbage collector off until `collect_from_now_on`: it delays the first paint."""
    gc.disable()


def collect_from_now_on() -> None:
    """Turn the collector on again, for all that was not made while starting."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
