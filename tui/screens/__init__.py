"""Screens over the pane: help, log, prompts."""
