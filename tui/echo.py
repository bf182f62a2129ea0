"""Telling our own writes in an agent's store from what the agent says."""

from __future__ import annotations

import hashlib

from tui.plan.directives import Ledger


def digest(raw: bytes) -> str:
    """Return the short digest by which bytes we wrote are known again."""
    return hashlib.sha256(raw).hexdigest()[:16]


class Echo:
    """Knows the bytes for ours that a ledger announces, until something else took their place.

    Without that the agent would go unheard when it comes to write the very bytes that we wrote
    once.
    """

    def __init__(self) -> None:
        self._seen = self._overtaken = ""

    def found(self, raw: bytes, ledger: Ledger) -> bool:
        """Take note of other bytes in the store than before; returns whether they are ours."""
        ours = ledger.echo_id != self._overtaken and ledger.echo == digest(raw)
        self._overtaken = self._seen or self._overtaken
        self._seen = ledger.echo_id if ours else ""
        return ours

    def wrote(self, ledger: Ledger) -> None:
        """Take note that the bytes announced last are in the store."""
        self._seen = ledger.echo_id
