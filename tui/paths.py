"""Where the program's own read-only files are."""

from __future__ import annotations

from pathlib import Path


def styles_dir() -> Path:
    """Return the absolute folder of the style sheets: in an installed wheel or in a checkout."""
    beside = Path(__file__).resolve().parent / "styles"
    return beside if beside.is_dir() else beside.parent.parent / "styles"
