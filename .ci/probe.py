"""Use an installed steerpane as a stranger would: no checkout, no network, no terminal."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def command(script: str, *arguments: str) -> str:
    """Run the installed command and return what it printed."""
    done = subprocess.run([script, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


async def pane(plan: Path) -> None:
    """Open the pane without a terminal and find every style sheet that was shipped in use."""
    from tui.app import SteerpaneApp
    from tui.demo.run import Demo
    from tui.paths import plan_dir, styles_dir
    from tui.session import Session
    from tui.settings import ScreenSettings
    from tui.stores.discover import find
    from tui.worker import PlanWorker

    sheets = sorted(styles_dir().glob("*.tcss"))
    assert sheets, "no style sheets were shipped"
    store = find(plan, plan.parent)
    session = Session(store, plan_dir(store.name, store.path))
    with Demo() as demo:
        app = SteerpaneApp(PlanWorker(session), demo.host, ScreenSettings())
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            assert {Path(p).name for p in app.css_path} == {s.name for s in sheets}


def main() -> None:
    """Fail loudly when anything is missing from the wheel."""
    script = sys.argv[1]
    assert command(script, "--version").startswith("steerpane ")
    assert "veto" in command(script, "--help")
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.json"
        plan.write_text('[{"content": "Ship it", "status": "pending"}]')
        status = json.loads(command(script, "status", str(plan), "--json"))
        assert status["schema"] == "steerpane/1"
        assert status["plan"]["tasks"][0]["content"] == "Ship it"
        command(script, "veto", "ship", "--plan", str(plan), "--reason", "not yet")
        assert json.loads(plan.read_text())[0]["status"] == "cancelled"
        asyncio.run(pane(plan))
    print("the wheel works")


if __name__ == "__main__":
    main()
