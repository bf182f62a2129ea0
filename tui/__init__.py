"""steerpane: watch and steer a coding agent's plan from the pane beside it."""

__version__ = "0.1.0"
