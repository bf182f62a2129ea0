"""How a command ends when it cannot do what was asked: a status and one clear line."""

from __future__ import annotations

from enum import IntEnum


class Code(IntEnum):
    """The exit statuses; scripts rely on them."""

    DONE = 0
    UNEXPECTED = 1
    USAGE = 2
    NO_SUCH = 3
    UNREADABLE = 4
    NOT_STORED = 5
    WATCH_ONLY = 6


class Failure(Exception):
    """Ends a command with a status; the message says what is wrong, where, and what to do."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
