"""Every key of the plan's screen; the help, the palette and the key bar are made from this."""

from __future__ import annotations

from textual.binding import Binding


def _key(keys: str, action: str, what: str, group: Binding.Group) -> Binding:
    return Binding(keys, action, what, show=False, group=group)


STEER = Binding.Group("Steer the selected task")
LOOK = Binding.Group("Look")
MOVE = Binding.Group("Move about")
OTHER = Binding.Group("Everything else")

BINDINGS: list[Binding] = [
    _key("v", "veto", "veto it: the agent shall not do it", STEER),
    _key("h", "hold", "hold it for now, or release it", STEER),
    _key("r", "restore", "take back what you decided about it", STEER),
    _key("1", "priority('high')", "high priority", STEER),
    _key("2", "priority('medium')", "medium priority", STEER),
    _key("3", "priority('low')", "low priority", STEER),
    _key("0", "priority('')", "the agent's own priority again", STEER),
    _key("plus,equals_sign", "raise_priority(1)", "raise its priority", STEER),
    _key("minus", "raise_priority(-1)", "lower its priority", STEER),
    _key("J,shift+down", "move(1)", "move it down", STEER),
    _key("K,shift+up", "move(-1)", "move it up", STEER),
    _key("a", "add", "add a task after it", STEER),
    _key("u", "undo", "undo your last act", STEER),
    _key("U", "redo", "redo what was undone", STEER),
    _key("enter", "app.detail", "the whole task", LOOK),
    _key("l", "app.log", "what happened so far", LOOK),
    _key("i", "app.gpus", "GPUs and who holds their memory", LOOK),
    _key("p", "panes", "fold or unfold the disk and GPU panes", LOOK),
    _key("c,z", "fold", "fold or unfold completed tasks", LOOK),
    _key("slash", "filter", "show only tasks with these words", LOOK),
    _key("escape", "clear", "show all tasks again", LOOK),
    _key("j,down", "go(1)", "next task", MOVE),
    _key("k,up", "go(-1)", "previous task", MOVE),
    _key("g,home", "end(-1)", "first task", MOVE),
    _key("G,end", "end(1)", "last task", MOVE),
    _key("pagedown", "page(1.0)", "a page down", MOVE),
    _key("pageup", "page(-1.0)", "a page up", MOVE),
    _key("ctrl+d", "page(0.5)", "half a page down", MOVE),
    _key("ctrl+u", "page(-0.5)", "half a page up", MOVE),
    _key("space,x", "acknowledge", "acknowledge an alarm", OTHER),
    _key("t", "app.theme", "dark or light", OTHER),
    _key("question_mark", "app.help", "this help", OTHER),
    _key("q", "app.quit", "quit; the agent is not touched", OTHER),
]

_NAMES = {
    "plus": "+", "equals_sign": "=", "minus": "-", "slash": "/", "question_mark": "?",
    "escape": "Esc", "enter": "Enter", "space": "Space", "pagedown": "PgDn", "pageup": "PgUp",
    "home": "Home", "end": "End", "down": "Down", "up": "Up",
    "shift+down": "Shift+Down", "shift+up": "Shift+Up", "ctrl+d": "^d", "ctrl+u": "^u",
}  # fmt: skip


def shown(binding: Binding) -> str:
    """Return a binding's keys as the user knows them."""
    return " ".join(_NAMES.get(key, key) for key in binding.key.split(","))
