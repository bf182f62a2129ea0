"""Write the table of keys into the README: `python -m tests.readme`."""

from __future__ import annotations

from pathlib import Path

from tui.screens.keys import BINDINGS, shown

README = Path(__file__).resolve().parents[1] / "README.md"
_BEGIN, _END = "from tui/screens/keys.py -->\n", "<!-- /keys -->"


def table() -> str:
    """Return the keys as a table, a row per key, in the order of the help screen."""
    rows = [f"| `{shown(b).replace('|', chr(92) + '|')}` | {b.description} |" for b in BINDINGS]
    return "\n".join(["| key | what it does |", "|---|---|", *rows]) + "\n"


def renewed(text: str) -> str:
    """Return the README's text with the table as it is now."""
    head, _, rest = text.partition(_BEGIN)
    _, _, tail = rest.partition(_END)
    return head + _BEGIN + table() + _END + tail


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
