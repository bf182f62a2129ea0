"""Benchmarks: they report figures and never pass or fail by a time; see `run.py`."""
