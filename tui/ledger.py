"""The ledger on disk: one event a line, only ever appended to, shared by panes and commands."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tui.plan.directives import (
    Anchor,
    Base,
    Directive,
    Event,
    Kind,
    Ledger,
    Op,
    State,
    TaskRef,
    fold,
)
from tui.plan.model import Priority


def new_id() -> str:
    """Return a fresh name for an event, a directive or a subject."""
    return secrets.token_hex(4)


class LedgerFile:
    """One plan's ledger.

    Every append is one `write` under a file lock, flushed to the disk; a reader sees whole lines.
    Lines that cannot be understood are left out, counted in `damaged`, and stay in the file.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "ledger.jsonl"
        self.damaged = 0
        self._stamp: tuple[int, int, int] | None = None
        self._ledger = Ledger()
        self._others = False

    def changed(self) -> bool:
        """Return whether other processes wrote since the last `read`; one `stat`.

        Raises OSError when that cannot be told.
        """
        return self._others or self._look() != self._stamp

    def read(self) -> Ledger:
        """Return the ledger as it is now, reading the file only when it changed.

        Raises OSError when it cannot be read: it is never taken for empty then.
        """
        self._others = False
        return self._read()

    def _read(self) -> Ledger:
        stamp = self._look()
        if stamp != self._stamp:
            try:
                lines = self.path.read_bytes().split(b"\n")
            except FileNotFoundError:
                lines = []
            events = [self._parse(line) for line in lines if line.strip()]
            self.damaged = events.count(None)
            self._ledger = fold(e for e in events if e is not None)
            self._stamp = stamp
        return self._ledger

    def append(self, *events: Event) -> Ledger:
        """Add events and return the ledger with them; raises OSError with nothing added."""
        if not events:
            return self.read()
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = b"".join(json.dumps(_to_json(e)).encode("ascii") + b"\n" for e in events)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        descriptor = os.open(self.path, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            size = os.fstat(descriptor).st_size
            self._others |= size != (self._stamp[1] if self._stamp else 0)
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                # A process died inside its write: its torn line ends here.
                data = b"\n" + data
            try:
                if os.write(descriptor, data) != len(data):
                    raise OSError(28, "No space left on device", str(self.path))
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)
        return self._read()

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    @staticmethod
    def _parse(line: bytes) -> Event | None:
        try:
            return _from_json(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            return None


def _to_json(event: Event) -> dict[str, Any]:
    out: dict[str, Any] = {"v": 1, "id": event.id, "op": event.op.value, "at": round(event.at, 3)}
    base = event.base
    if event.of:
        out["of"] = list(event.of)
    if event.subjects:
        out["subjects"] = {name: _without_defaults(ref) for name, ref in event.subjects.items()}
    if event.state is not None:
        out["state"] = event.state.value
    out |= {"written": True} if event.written else {}
    out |= {"settled": True} if event.settled else {}
    out |= {"echo": event.echo} if event.echo else {}
    out |= {"reason": event.reason} if event.reason else {}
    if event.directive is not None:
        d = event.directive
        out |= {"kind": d.kind.value, "subject": d.subject}
        out |= {"reason": d.reason} if d.reason else {}
        out |= {"priority": d.priority.value} if d.priority is not None else {}
        out |= {"text": d.text} if d.text else {}
        if anchor := _without_defaults(d.anchor):
            out["anchor"] = anchor
        base = d.base
    if base is not None:
        out["base"] = _without_defaults(base)
    return out


def _without_defaults(value: TaskRef | Anchor | Base) -> dict[str, Any]:
    names = value.__dataclass_fields__
    return {
        name: found
        for name in names
        if (found := getattr(value, name)) not in (None, "", 0) or name == "content"
    }


def _from_json(line: Mapping[str, Any]) -> Event:
    op, at, name = Op(line["op"]), float(line["at"]), str(line["id"])
    base = Base(**_texts(line["base"])) if "base" in line else None
    directive = None
    if op is Op.DECIDE:
        priority = line.get("priority")
        if line["kind"] == Kind.PRIORITY and priority is None:
            raise ValueError("a priority directive without a priority")
        directive = Directive(
            name,
            Kind(line["kind"]),
            str(line["subject"]),
            at,
            reason=str(line.get("reason", "")),
            priority=None if priority is None else Priority(priority),
            anchor=Anchor(**_texts(line.get("anchor", {}))),
            text=str(line.get("text", "")),
            base=base or Base(),
        )
    state = line.get("state")
    return Event(
        name,
        op,
        at,
        of=tuple(str(n) for n in line.get("of", ())),
        directive=directive,
        subjects={n: _ref(ref) for n, ref in line.get("subjects", {}).items()},
        state=None if state is None else State(state),
        base=None if directive is not None else base,
        written=bool(line.get("written", False)),
        settled=bool(line.get("settled", False)),
        echo=str(line.get("echo", "")),
        reason=str(line.get("reason", "")) if op is Op.RESTORE else "",
    )


def _ref(fields: Mapping[str, Any]) -> TaskRef:
    rest = dict(fields)
    nth, gone = rest.pop("nth", 0), rest.pop("gone", False)
    if not isinstance(nth, int):
        raise TypeError(nth)
    return TaskRef(nth=nth, gone=bool(gone), **_texts(rest))


def _texts(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields if all of them are texts; a damaged line must not fail later on."""
    if not all(isinstance(value, str) for value in fields.values()):
        raise TypeError(fields)
    return dict(fields)
