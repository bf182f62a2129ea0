"""What every test of the screen needs: one time zone and one set of environment variables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take away what differs from one machine to the next."""
    monkeypatch.setenv("TZ", "UTC")
    for name in ("NO_COLOR", "TEXTUAL_COLOR_SYSTEM", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def no_loop() -> None:
    """Close the event loop that the async tests leave behind, or a sync one would drop it open."""
    with suppress(RuntimeError):
        asyncio.get_event_loop_policy().get_event_loop().close()
    asyncio.set_event_loop(None)
