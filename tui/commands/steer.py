"""`steerpane veto`, `hold`, `release`, `restore`, `priority`, `move` and `add`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from tui.acts import Act, Edge, Outcome, Place, Verb
from tui.commands.failure import Code, Failure
from tui.commands.opening import session_of, settle, store_of
from tui.output import emit
from tui.plan.model import Priority, Task
from tui.plan.text import neutralise
from tui.session import Session
from tui.telling import tell
from tui.view import Reach, Update

_PATIENCE = 3.0
_LISTED = 5


def steer(options: argparse.Namespace) -> int:
    """Carry out one act; the exit status says how far it came."""
    session = session_of(store_of(options.plan), read_only=False)
    try:
        _, told = settle(session)
        _warn(told)
        act = _act(options, session.tasks)
        outcome = session.act(act)
        _warn(outcome.update, outcome.said)
        if outcome.refused:
            if outcome.already:
                return _report(options, outcome, Code.DONE, "")
            raise Failure(Code.USAGE, outcome.said)
        if not outcome.recorded:
            raise Failure(Code.UNEXPECTED, outcome.said)
        unstored = _until_stored(session, outcome)
    finally:
        session.close()
    if not unstored:
        return _report(options, outcome, Code.DONE, "")
    watched = session.store.reach is Reach.WATCH_ONLY
    return _report(options, outcome, Code.WATCH_ONLY if watched else Code.NOT_STORED, unstored)


def _warn(update: Update | None, said: str = "") -> None:
    """Tell what nobody else may be there to tell: alarms, and what became of earlier decisions."""
    if update is None:
        return
    for text in (*map(tell, update.alarms), *update.notices):
        if text != said:
            print(f"steerpane: {neutralise(text)}", file=sys.stderr)  # noqa: T201


def _until_stored(session: Session, outcome: Outcome) -> str:
    """Wait a little for an agent that is just writing; returns why it is still not stored."""
    until = time.monotonic() + _PATIENCE
    unstored = outcome.unstored
    while unstored and session.due is not None:
        wait = session.due - time.monotonic()
        if time.monotonic() + wait > until:
            break
        time.sleep(max(0.01, wait))
        session.look()
        unstored = session.unstored
    return unstored


def _report(options: argparse.Namespace, outcome: Outcome, code: Code, unstored: str) -> int:
    if options.json:
        emit(
            {
                "verb": options.verb,
                "said": outcome.said,
                "recorded": outcome.recorded,
                "stored": not unstored and code is Code.DONE,
                "problem": unstored,
            }
        )
    elif code is Code.DONE:
        print(neutralise(outcome.said))  # noqa: T201
    if unstored:
        message = f"recorded, but not in the agent's plan: {unstored} ({outcome.said})"
        if options.json:
            return code
        raise Failure(code, message)
    return code


def _act(options: argparse.Namespace, tasks: Sequence[Task]) -> Act:
    verb = Verb(options.verb)
    if verb is Verb.ADD:
        priority = None if options.priority is None else Priority(options.priority)
        return Act(verb, text=options.text, priority=priority, place=Place(edge=Edge.LAST))
    if verb in (Verb.UNDO, Verb.REDO):
        return Act(verb)
    key = resolve(options.task, tasks)
    match verb:
        case Verb.PRIORITY:
            none = options.priority == "none"
            return Act(verb, key, priority=None if none else Priority(options.priority))
        case Verb.MOVE:
            return Act(verb, key, place=_place(options, tasks))
        case _:
            return Act(verb, key, reason=options.reason)


def _place(options: argparse.Namespace, tasks: Sequence[Task]) -> Place:
    if options.before is not None:
        return Place(before=resolve(options.before, tasks))
    if options.after is not None:
        return Place(after=resolve(options.after, tasks))
    return Place(edge=Edge.FIRST if options.first else Edge.LAST)


def resolve(name: str, tasks: Sequence[Task]) -> str:
    """Return the key of the task that a position or a part of a text names; raises Failure."""
    if name.isascii() and name.isdecimal() and len(name) < 10:
        # Never a part of a text: a mistyped position must not veto whatever mentions that number.
        if 1 <= int(name) <= len(tasks):
            return tasks[int(name) - 1].key
        raise Failure(Code.NO_SUCH, f"there is no task {name}: the plan has {len(tasks)}")
    wanted = " ".join(name.casefold().split())
    texts = [" ".join(neutralise(t.content).casefold().split()) for t in tasks]
    found = [i for i, text in enumerate(texts) if wanted and wanted in text]
    exact = [i for i in found if texts[i] == wanted]
    if len(exact or found) == 1:
        return tasks[(exact or found)[0]].key
    if not found:
        raise Failure(Code.NO_SUCH, f"no task {name!r} among the {len(tasks)} of the plan")
    listed = "; ".join(f"{i + 1} {neutralise(tasks[i].content)[:50]}" for i in found[:_LISTED])
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    raise Failure(Code.NO_SUCH, f"{name!r} is in several tasks: {listed}{more}; say which")
