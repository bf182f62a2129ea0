"""The two palettes; every colour is one of the 256 that a plain tmux can show."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="steerpane-dark",
    dark=True,
    primary="#5fafd7",
    accent="#5fafd7",
    success="#87af87",
    warning="#d7af5f",
    error="#ff5f5f",
    foreground="#d0d0d0",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    variables={
        "ink": "#d0d0d0",
        "ink-strong": "#ffffff",
        "ink-dim": "#8a8a8a",
        "ink-faint": "#585858",
        "ink-rule": "#444444",
        "cursor-row": "#303030",
        "alarm": "#d70000",
        "alarm-ink": "#ffffff",
    },
)

LIGHT = Theme(
    name="steerpane-light",
    dark=False,
    primary="#005faf",
    accent="#005faf",
    success="#00875f",
    warning="#875f00",
    error="#d70000",
    foreground="#303030",
    background="#ffffff",
    surface="#eeeeee",
    panel="#e4e4e4",
    variables={
        "ink": "#303030",
        "ink-strong": "#000000",
        "ink-dim": "#6c6c6c",
        "ink-faint": "#949494",
        "ink-rule": "#bcbcbc",
        "cursor-row": "#dadada",
        "alarm": "#d70000",
        "alarm-ink": "#ffffff",
    },
)

THEMES = {"dark": DARK, "light": LIGHT}
