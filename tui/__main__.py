"""The entry point: `steerpane`, or `python -m tui` in a checkout."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    from tui.cli import run

    # A task's text must not end a command where the terminal's encoding lacks a character of it.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
