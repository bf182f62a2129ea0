"""The loop of a probe child: one JSON line on stdin asks, one JSON line on stdout answers.

The child holds no file system (its directory is /), ends when its parent does, and never runs
interpreter or library clean-up: that is where drivers hang and crash.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PR_SET_PDEATHSIG = 1
_SIGKILL = 9


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer requests until stdin ends or an answer says `leave`; does not return."""
    _die_with_parent()
    os.chdir("/")
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    status = 0
    try:
        while line := requests.readline():
            said = answer(json.loads(line))
            answers.write(json.dumps(said).encode() + b"\n")
            answers.flush()
            if said.get("leave"):
                break
    except BrokenPipeError:
        status = 1
    os._exit(status)


def _die_with_parent() -> None:
    """Have the kernel end this process with its parent, even while a call never returns."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
