"""The plan and what the user decided about it, as pure values and functions."""
