"""The screen, driven by scripted feeds: keys, sizes, and what it looks like."""
