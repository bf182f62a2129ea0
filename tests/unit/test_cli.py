"""The command line as a script meets it: what is printed, what is written, how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import tui
from tui.cli import run

STORY = """{"todos":[
 {"content":"Check disk space","priority":"high","status":"completed"},
 {"content":"Delete the model (540GB)","priority":"high","status":"in_progress"},
 {"content":"Download the model (~595GB)","priority":"high","status":"pending"},
 {"content":"Benchmark the model","priority":"high","status":"pending"}]}"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "plan.json"
    path.write_text(STORY)
    return path


def out(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_help_and_version_answer_without_textual_or_any_other_heavy_import() -> None:
    for option in ("--help", "--version"):
        code = (
            "import sys\nfrom tui.cli import run\n"
            f"try: run(['{option}'])\nexcept SystemExit: pass\n"
            "heavy = {'textual','rich','watchfiles','orjson','pynvml','asyncio','json','typing'}\n"
            "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))"
        )
        done = subprocess.run(
            [sys.executable, "-S", "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": str(Path(tui.__file__).parents[1])},
        )
        assert done.stderr == ""
        assert "steerpane" in done.stdout


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("demo", "status", "watch", "veto", "hold", "release", "restore", "move"):
        with pytest.raises(SystemExit) as left:
            run([command, "--help"])
        assert left.value.code == 0
        assert f"steerpane {command}" in out(capsys)


def test_status_json_is_valid_and_says_what_the_file_says(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["veto", "download", "--reason", "no room", "--plan", str(plan)])
    run(["priority", "bench", "low", "--plan", str(plan)])
    capsys.readouterr()
    assert run(["status", str(plan), "--json"]) == 0
    status = json.loads(out(capsys))
    schema = json.loads((Path(tui.__file__).parent / "schema.json").read_text())
    jsonschema.validate(status, schema)
    held = json.loads(plan.read_text())["todos"]
    shown = status["plan"]["tasks"]
    assert [(t["content"], t["status"], t["priority"]) for t in shown] == [
        (t["content"], t["status"], t["priority"]) for t in held
    ]
    assert [t["position"] for t in shown] == [1, 2, 3, 4]
    assert shown[2]["directive"] == {"kind": "veto", "state": "stored", "reason": "no room"}
    assert shown[2]["directives"] == [shown[2]["directive"]]
    assert shown[3]["directive"] is None
    assert shown[3]["directives"] == [
        {"kind": "priority", "state": "stored", "reason": "", "priority": "low"}
    ]
    assert shown[0]["directive"] is None
    assert shown[0]["directives"] == []
    assert status["disks"]
    assert status["plan"]["path"] == str(plan)


def test_status_never_writes(plan: Path, tmp_path: Path) -> None:
    before = plan.stat()
    run(["status", str(plan)])
    run(["status", str(plan), "--line"])
    after = plan.stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert not (tmp_path / "state").exists()


def test_status_line(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["status", "--line"])
    assert out(capsys).endswith("1/4 ▶ Delete the model (540GB)\n")


def test_a_veto_changes_one_value_and_no_other_byte(plan: Path) -> None:
    assert run(["veto", "3", "--plan", str(plan)]) == 0
    assert plan.read_text() == STORY.replace(
        '(~595GB)","priority":"high","status":"pending"',
        '(~595GB)","priority":"high","status":"cancelled"',
    )
    assert run(["restore", "3", "--plan", str(plan)]) == 0
    assert plan.read_text() == STORY


def test_each_steering_command(plan: Path) -> None:
    assert run(["hold", "bench"]) == 0
    assert run(["release", "bench"]) == 0
    assert run(["priority", "bench", "low"]) == 0
    assert run(["move", "bench", "--before", "download"]) == 0
    assert run(["add", "Tell the team", "--priority", "high"]) == 0
    tasks = json.loads(plan.read_text())["todos"]
    assert [t["content"][:8] for t in tasks] == [
        "Check di", "Delete t", "Benchmar", "Download", "Tell the"
    ]  # fmt: skip
    assert tasks[2]["priority"] == "low"
    assert tasks[4] == {"content": "Tell the team", "priority": "high", "status": "pending"}


def test_steering_says_what_it_did(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["veto", "download"])
    assert out(capsys) == "Vetoed: Download the model (~595GB)\n"
    run(["hold", "bench", "--json"])
    answer = json.loads(out(capsys))
    assert answer["schema"] == "steerpane/1"
    assert answer["recorded"] is True
    assert answer["said"] == "Held: Benchmark the model"


def test_asking_twice_is_no_failure(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["veto", "download"]) == 0
    written = plan.stat().st_mtime_ns
    assert run(["veto", "download"]) == 0
    assert plan.stat().st_mtime_ns == written
    assert "already" in out(capsys)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["veto", "9"], 3, "no task 9"),
        (["veto", "595"], 3, "no task 595"),
        (["veto", "nothing like it"], 3, "no task"),
        (["veto", "the model"], 3, "2 Delete the model (540GB); 3 Download"),
        (["veto", "check"], 2, "completed already"),
        (["release", "bench"], 2, "nothing about it"),
        (["move", "bench"], 2, "--before"),
        (["move", "2", "--after", "2"], 2, "nowhere"),
        (["priority", "2", "urgent"], 2, "invalid choice"),
        (["add", "  "], 2, "no text"),
        (["add", "Benchmark the model"], 2, "very text"),
        (["veto"], 2, "TASK"),
        (["--nonsense"], 2, "--nonsense"),
        (["status", "missing.json"], 3, "missing.json"),
        (["status", "no/such/folder/plan.json"], 3, "no/such/folder"),
        (["veto", "1", "--plan", "missing.json"], 3, "missing.json"),
        ([], 2, "terminal"),
        (["demo"], 2, "terminal"),
    ],
)
def test_bad_input_ends_with_a_status_one_line_and_no_write(
    plan: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    status: int,
    says: str,
) -> None:
    assert run(arguments) == status
    printed = capsys.readouterr()
    assert says in printed.err
    assert len(printed.err.splitlines()) == 1
    assert printed.out == ""
    assert plan.read_text() == STORY


def test_a_folder_without_a_plan(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.unlink()
    assert run(["status"]) == 3
    assert "no plan" in capsys.readouterr().err
    assert run(["status", "--json"]) == 3
    assert json.loads(out(capsys))["error"]["code"] == 3


@pytest.mark.parametrize(
    ("content", "status", "says"),
    [
        (b"\x00\x01\x02\xff" * 64, 4, ""),
        (b'{"todos": [{"content": "a"', 4, "being written"),
        (b"", 4, "being written"),
        (b'{"name": "x"}', 4, "todo file"),
        (b"3", 4, "todo file"),
    ],
)
def test_what_is_no_plan_is_left_alone(
    plan: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
    status: int,
    says: str,
) -> None:
    monkeypatch.setattr("tui.commands.opening._PATIENCE", 0.2)
    plan.write_bytes(content)
    assert run(["status", str(plan)]) == status
    assert says in capsys.readouterr().err
    assert run(["veto", "a", "--plan", str(plan)]) == status
    assert plan.read_bytes() == content


@pytest.mark.parametrize("content", ["[]", "{}", '{"todos": []}'])
def test_an_empty_plan_is_a_plan(
    plan: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    plan.write_text(content)
    assert run(["status", str(plan), "--json"]) == 0
    assert json.loads(out(capsys))["plan"]["tasks"] == []


def test_hostile_text_never_reaches_the_terminal(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "\x1b]0;pwned\x07\x1b[31m[bold]red[/bold] \u202eabc \x9b5n"
    plan.write_text(json.dumps([{"content": evil}, {"content": None}, {"content": 7, "id": 1}]))
    for arguments in (["status"], ["status", "--json"], ["status", "--line"], ["hold", "red"]):
        assert run([*arguments, *([str(plan)] if arguments[0] == "status" else [])]) == 0
        text = out(capsys)
        assert not any(c in text for c in "\x1b\x07\x9b\u202e")


def test_hostile_names_never_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    config = tmp_path / "evil\x1b[31m.toml"
    config.write_text("nonsense = 1\nmounts = 1\nbell = 1")
    monkeypatch.setenv("STEERPANE_CONFIG", str(config))
    path = tmp_path / "pl\x1b[31man\udcff.json"
    path.write_text(STORY)
    assert run(["status", str(path)]) == 0
    printed = capsys.readouterr()
    assert f"{tmp_path}/plan.json  1/4" in printed.out
    assert len(printed.err.splitlines()) == 3
    assert not any(c in printed.out + printed.err for c in "\x1b\udcff")


def test_a_text_beyond_the_encoding_of_the_terminal_is_no_error(plan: Path) -> None:
    plan.write_text('[{"content": "na\u00efve \u6e05", "status": "in_progress"}]')
    done = subprocess.run(
        [sys.executable, "-m", "tui", "status", "--line"],
        capture_output=True,
        check=True,
        cwd=plan.parent,
        env={"PYTHONPATH": str(Path(tui.__file__).parents[1]), "PYTHONIOENCODING": "ascii"},
    )
    assert done.stdout == b"0/1 > na?ve ?\n"


def test_recorded_but_not_stored_says_why(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan.write_text('["Check disk", "Delete it"]')
    assert run(["veto", "2"]) == 5
    printed = capsys.readouterr().err
    assert "recorded" in printed
    assert "plain text" in printed
    assert run(["veto", "1", "--json"]) == 5
    assert json.loads(out(capsys))["stored"] is False


def test_an_unexpected_error_is_one_line_and_its_traceback_is_kept(
    plan: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("surprise")

    monkeypatch.setattr("tui.commands.opening.find", fail)
    assert run(["status"]) == 1
    printed = capsys.readouterr()
    assert "Traceback" not in printed.out + printed.err
    assert len(printed.err.splitlines()) == 1
    assert "surprise" in (tmp_path / "state/steerpane/crash.log").read_text()


def test_output_into_a_closed_pipe_is_no_error(plan: Path) -> None:
    command = f"{sys.executable} -m tui status {plan} | true"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        cwd=Path(tui.__file__).parents[1],
        check=False,
    )
    assert done.stderr == ""


def test_undo_and_redo_and_taking_an_addition_out(plan: Path) -> None:
    assert run(["veto", "3"]) == 0
    assert run(["undo"]) == 0
    assert plan.read_text() == STORY
    assert run(["redo"]) == 0
    assert run(["undo"]) == 0
    assert run(["add", "Tell the team"]) == 0
    assert run(["restore", "tell"]) == 0
    assert plan.read_text() == STORY


def test_a_priority_for_a_vetoed_task_is_refused(plan: Path) -> None:
    assert run(["veto", "bench"]) == 0
    assert run(["priority", "bench", "low"]) == 2


def test_a_command_gone_wrong_does_not_wait_for_a_plan(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["status", "vteo"]) == 3
    assert "command 'vteo'" in capsys.readouterr().err


def test_the_line_tells_of_a_decision_that_the_agent_went_against(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["veto", "bench"])
    plan.write_text(
        STORY.replace(
            'Benchmark the model","priority":"high","status":"pending"',
            'Benchmark the model","priority":"high","status":"completed"',
        )
    )
    run(["restore", "2"])
    capsys.readouterr()
    run(["status", "--line"])
    assert out(capsys).endswith("! veto defied\n")


def test_an_empty_path_is_no_path(plan: Path) -> None:
    assert run(["veto", "3", "--plan", ""]) == 2
    assert run(["status", ""]) == 2
    assert plan.read_text() == STORY


def test_a_command_tells_the_alarm_that_nobody_else_saw(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["veto", "bench"])
    plan.write_text(
        STORY.replace(
            'model","priority":"high","status":"pending"}]',
            'model","priority":"high","status":"completed"}]',
        )
    )
    capsys.readouterr()
    assert run(["priority", "download", "low"]) == 0
    assert "ALARM: the agent finished what you vetoed" in capsys.readouterr().err


def test_a_long_number_is_no_position(plan: Path) -> None:
    assert run(["veto", "9" * 5000]) == 3


def test_a_ledger_that_cannot_be_read_is_a_problem(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["veto", "bench"])
    (ledger,) = (tmp_path / "state/steerpane/plans").glob("*/ledger.jsonl")
    ledger.unlink()
    ledger.mkdir()
    capsys.readouterr()
    assert run(["status", "--json"]) == 0
    assert any("ledger" in problem for problem in json.loads(out(capsys))["problems"])
