"""From a PATH on the command line to the session of the plan that is meant."""

from __future__ import annotations

import time
from pathlib import Path

from tui.commands.failure import Code, Failure
from tui.paths import plan_dir
from tui.session import Session
from tui.stores.base import Store
from tui.stores.discover import NoPlan, find
from tui.view import Health, Update, View

_PATIENCE = 3.5
"""Seconds that a command waits for an agent that is just writing, as DESIGN rule 10 has it."""


def store_of(path: str | None) -> Store:
    """Return the store that a PATH names; raises Failure when there is none."""
    if path == "":
        # An unset variable in a script must not steer whatever plan is at hand.
        raise Failure(Code.USAGE, "the path is empty: name the plan, or leave it out")
    if path is not None and _mistyped(path):
        known = "see steerpane --help for the commands"
        raise Failure(Code.NO_SUCH, f"there is no file, folder or command {path!r}: {known}")
    try:
        return find(None if path is None else Path(path), Path.cwd())
    except NoPlan as none:
        raise Failure(Code.NO_SUCH, str(none)) from None


def _mistyped(path: str) -> bool:
    """True for a single word that is no file: rather a command gone wrong than a plan to come."""
    return "/" not in path and "." not in path and not Path(path).exists()


def session_of(store: Store, *, read_only: bool, notices: tuple[str, ...] = ()) -> Session:
    """Return the session of a store, on the ledger that panes and commands share."""
    folder = plan_dir(store.name, store.path, store.session)
    return Session(store, folder, read_only=read_only, notices=notices)


def settle(session: Session) -> tuple[View, Update | None]:
    """Look until the plan was read whole; raises Failure when that is not to be had.

    Returns the view, and what the last look had to tell.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        update = session.look()
        view = session.view
        if view.health is not Health.BEING_WRITTEN or time.monotonic() > until:
            break
        time.sleep(0.05)
    match view.health:
        case Health.OK:
            return view, update
        case Health.MISSING:
            raise Failure(Code.NO_SUCH, f"there is no plan at {view.path}: check the path")
        case _:
            raise Failure(Code.UNREADABLE, view.problem or f"{view.path} is {view.health}")
