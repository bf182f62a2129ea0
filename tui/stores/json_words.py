"""Choosing the word for a status or a priority: the one this document uses, or would use."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tui.plan.model import Priority, Status, priority_from, status_from

# Mere spellings of a status, best first. A word that says more than the status ("blocked",
# "review") is never chosen for it.
_SPELLINGS: dict[Status | Priority, tuple[str, ...]] = {
    Status.PENDING: ("pending", "todo", "to do", "not started", "open", "new", "planned", "queued"),
    Status.IN_PROGRESS: (
        "in progress", "doing", "active", "started", "running", "wip", "working", "current",
        "ongoing",
    ),
    Status.COMPLETED: (
        "completed", "complete", "done", "finished", "closed", "resolved", "success", "succeeded",
    ),
    Status.CANCELLED: (
        "cancelled", "canceled", "skipped", "dropped", "abandoned", "rejected", "obsolete",
        "wontfix", "won't fix",
    ),
    Priority.HIGH: ("high", "p1", "p0"),
    Priority.MEDIUM: ("medium", "normal", "med", "p2"),
    Priority.LOW: ("low", "p3", "p4"),
}  # fmt: skip
_RANKS = {Priority.HIGH: "p1", Priority.MEDIUM: "p2", Priority.LOW: "p3"}


def status_word(status: Status, seen: Iterable[str]) -> str:
    """Return the word for a status in a document whose status words are `seen`."""
    words = list(dict.fromkeys(seen))
    for spelling in _SPELLINGS[status]:
        for word in words:
            if _plain(word) == spelling and status_from(word) is status:
                return word
    gap = "_"
    if not any("_" in word for word in words):
        gap = next((w for w in "- " if any(w in word for word in words)), gap)
    return _cased(status.value.replace("_", gap), words)


def priority_word(priority: Priority, seen: Iterable[str]) -> str:
    """Return the word for a priority in a document whose priority words are `seen`."""
    words = list(dict.fromkeys(seen))
    for spelling in _SPELLINGS[priority]:
        for word in words:
            if _plain(word) == spelling and priority_from(word) is priority:
                return word
    ranked = bool(words) and all(re.fullmatch("[pP][0-9]", word) for word in words)
    return _cased(_RANKS[priority] if ranked else priority.value, words)


def _plain(word: str) -> str:
    return " ".join(word.casefold().replace("_", " ").replace("-", " ").split())


def _cased(word: str, like: list[str]) -> str:
    """Return the word in the letter case of the others."""
    letters = [w for w in like if any(c.isalpha() for c in w)]
    if letters and all(w.isupper() for w in letters):
        return word.upper()
    if letters and all(w.istitle() for w in letters):
        return word.title()
    if letters and all(w[:1].isupper() for w in letters):
        return word.capitalize()
    return word
