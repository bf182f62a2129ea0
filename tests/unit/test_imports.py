"""Who loads what, seen in `sys.modules` of a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tui

ROOT = Path(tui.__file__).parents[1]


def loaded(code: str) -> set[str]:
    """Return the modules that a piece of code leaves loaded."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


@pytest.mark.parametrize(
    "module",
    [
        "tui.cli",
        "tui.worker",
        "tui.commands.status",
        "tui.commands.steer",
        "tui.commands.watch",
        "tui.host.monitor",
        "tui.demo.run",
    ],
)
def test_everything_but_the_screen_does_without_textual(module: str) -> None:
    assert not loaded(f"import {module}") & {"textual", "rich", "pynvml"}


def test_the_plan_is_pure() -> None:
    code = (
        "import tui.plan.directives, tui.plan.identity, tui.plan.model, tui.plan.roster\n"
        "import tui.plan.steering, tui.plan.text, tui.plan.transitions"
    )
    assert not loaded(code) & {"textual", "watchfiles", "orjson", "pynvml", "asyncio", "json"}


def test_the_pane_starts_without_what_its_first_paint_does_not_need() -> None:
    late = {"watchfiles", "pynvml", "psutil", "tomllib", "jsonschema"}
    assert not loaded("import tui.commands.pane, tui.host.monitor, tui.app") & late
