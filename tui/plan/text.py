"""Making text from outside harmless: what reaches a terminal is data, never an instruction."""

from __future__ import annotations

import re

# C0 and C1 controls (so every escape sequence), lone surrogates, and the characters that
# reorder or hide what follows them: bidirectional overrides and isolates, what has no width (but
# for the joiners that Persian and Indic spelling needs), tags.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# A whole escape sequence goes at once, so that its parameters do not stay behind as noise. A
# string that nothing ends stays: a terminal would hide the rest of the text.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]?"
)
# VS16 turns a one-cell glyph into an emoji whose width terminals disagree about.
_VS16 = "\ufe0f"


def neutralise(text: str) -> str:
    """Return the text as one line without anything a terminal would act on.

    Escape sequences vanish, whitespace of every kind becomes single spaces, other control and
    direction characters are dropped.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = _ESCAPES.sub("", text).replace(_VS16, "")
    return " ".join(_UNSAFE.sub("", " ".join(text.split())).split())
