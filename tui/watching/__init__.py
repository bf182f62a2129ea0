"""Noticing that a plan file may have changed."""
