"""The command line: what can be asked for, and handing it to the command that does it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from tui import __version__
from tui.commands.failure import Code, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself would be a third of what `--help` costs
    from typing import NoReturn

_TASK = "its position (1, 2, …) or a part of its text that only it has"
_EPILOG = """\
commands:
  demo               the deployment story with a scripted agent, on a simulated host
  status [PATH]      one look at the plan, the disks and the GPUs
  watch [PATH]       one line per transition or signal, until interrupted
  veto TASK          tell the agent not to do a task
  hold TASK          ask it to wait with a task        release TASK   let it go on
  restore TASK       take back what you decided about a task
  priority TASK high|medium|low|none
  move TASK --before T | --after T | --first | --last
  add TEXT           add a task to the plan
  undo, redo         your last act

`steerpane COMMAND --help` says more. Exit status: 0 done, 1 unexpected, 2 usage, 3 no such plan or
task, 4 plan unreadable, 5 recorded but not stored, 6 the store can only be watched.
"""


class _Parser(argparse.ArgumentParser):
    """Reports a usage error like every other failure."""

    def error(self, message: str) -> NoReturn:
        raise Failure(Code.USAGE, f"{message} (see {self.prog} --help)")


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments ask for and return the exit status; prints failures, raises nothing."""
    json = "--json" in arguments
    try:
        options = _parse(arguments)
        command: Callable[[argparse.Namespace], int] = options.command
        status = command(options)
        sys.stdout.flush()
        return status
    except Failure as failure:
        _say(str(failure), failure.code, json)
        return failure.code
    except BrokenPipeError:
        # Whoever read our output has seen enough; what is still buffered has nowhere to go.
        sys.stdout = None
        return Code.DONE
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from tui.crash import keep

        _say(keep(error), Code.UNEXPECTED, json)
        return Code.UNEXPECTED


def _say(message: str, code: Code, json: bool) -> None:
    if json:
        from tui.output import emit

        emit({"error": {"code": int(code), "message": message}})
    from tui.plan.text import neutralise

    print(f"steerpane: {neutralise(message)}", file=sys.stderr)  # noqa: T201


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    name = arguments[0] if arguments else ""
    if name not in _COMMANDS:
        return _pane().parse_args(arguments)
    describe, build, command = _COMMANDS[name]
    parser = _Parser(prog=f"steerpane {name}", description=describe, allow_abbrev=False)
    build(parser)
    parser.set_defaults(command=command, verb=name)
    return parser.parse_args(arguments[1:])


def _pane() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="steerpane",
        description="Watch and steer a coding agent's plan from the pane beside it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        help="the plan's file, or a folder (default: the newest plan of this folder)",
    )
    _add_screen(parser)
    parser.add_argument("--read-only", action="store_true", help="watch without ever writing")
    parser.add_argument("--version", action="version", version=f"steerpane {__version__}")
    parser.set_defaults(command=_open_pane)
    return parser


def _add_screen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--theme", choices=("dark", "light"), help="colours (default: dark)")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")


def _demo_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--speed",
        type=float,
        default=1.0,
        metavar="N",
        help="how fast the story runs: 1 takes about 90 s, 2 half of that (default: 1)",
    )
    _add_screen(parser)


def _status_options(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--json", action="store_true", help="print one JSON object")
    kind.add_argument("--line", action="store_true", help="print one line, for a status bar")


def _watch_options(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument("--read-only", action="store_true", help="watch without ever writing")


def _path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="the plan's file, or a folder")


def _steering(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plan", metavar="PATH", help="the plan's file, or a folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _task_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help=_TASK)
    parser.add_argument("--reason", default="", metavar="R", help="why, for the agent and the log")
    _steering(parser)


def _priority_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help=_TASK)
    parser.add_argument(
        "priority",
        choices=("high", "medium", "low", "none"),
        help="none takes your priority back",
    )
    _steering(parser)


def _move_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help=_TASK)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--before", metavar="T", help="before that task")
    where.add_argument("--after", metavar="T", help="after that task")
    where.add_argument("--first", action="store_true", help="before all that wait")
    where.add_argument("--last", action="store_true", help="after all others")
    _steering(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what is to be done")
    parser.add_argument("--priority", choices=("high", "medium", "low"))
    _steering(parser)


def _open_pane(options: argparse.Namespace) -> int:
    from tui.commands.pane import pane

    return pane(options)


def _demo(options: argparse.Namespace) -> int:
    from tui.commands.pane import demo

    return demo(options)


def _status(options: argparse.Namespace) -> int:
    from tui.commands.status import status

    return status(options)


def _watch(options: argparse.Namespace) -> int:
    from tui.commands.watch import watch

    return watch(options)


def _steer(options: argparse.Namespace) -> int:
    from tui.commands.steer import steer

    return steer(options)


_Command = tuple[
    str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]
]
_COMMANDS: dict[str, _Command] = {
    "demo": ("Replay the deployment story; steering works in it.", _demo_options, _demo),
    "status": ("Take one look.", _status_options, _status),
    "watch": ("Tell each transition and signal, and keep your decisions.", _watch_options, _watch),
    "veto": ("Tell the agent not to do a task.", _task_options, _steer),
    "hold": ("Ask the agent to wait with a task.", _task_options, _steer),
    "release": ("Let a held task go on.", _task_options, _steer),
    "restore": ("Take back what you decided about a task.", _task_options, _steer),
    "priority": ("Set a task's priority.", _priority_options, _steer),
    "move": ("Move a task.", _move_options, _steer),
    "add": ("Add a task to the plan.", _add_options, _steer),
    "undo": ("Undo your last act.", _steering, _steer),
    "redo": ("Redo what you have undone.", _steering, _steer),
}
