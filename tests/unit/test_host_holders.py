"""The names of processes that hold GPU memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.host.holders import Names, describe

SERVE = "/usr/bin/python3.11 /opt/venv/bin/vllm serve moonshotai/Kimi-K2.5 -tp 8"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (SERVE, "vllm serve Kimi-K2.5"),
        ("python -u /home/me/train.py --lr 1", "train.py"),
        ("python -W ignore -m torch.distributed.run x", "torch.distributed.run x"),
        (
            "python3 -m vllm.entrypoints.openai.api_server --host :: --model=/m/Kimi/",
            "vllm serve Kimi",
        ),
        ("/usr/bin/ollama runner --model /x", "ollama runner"),
        ("VLLM::Worker_TP3", "vllm"),
        ("/usr/lib/xorg/Xorg", "Xorg"),
        ("python3 -c pass", "python3"),
        ("", "comm"),
    ],
)
def test_describe(command, name):
    assert describe(command.split(" "), "comm") == name


def test_a_name_is_never_long():
    assert len(describe(["x" * 300, "y" * 300], "")) == 40


def process(proc: Path, pid: int, command: str, parent: int, fd: str = "") -> None:
    folder = proc / str(pid)
    (folder / "fd").mkdir(parents=True)
    (folder / "cmdline").write_bytes(command.replace(" ", "\0").encode() + b"\0")
    (folder / "comm").write_text("comm\n")
    (folder / "stat").write_text(f"{pid} (a ) b) S {parent} 1 1")
    if fd:
        (folder / "fd" / "3").symlink_to(fd)


def namespace(proc: Path, inode: int) -> None:
    (proc / "self" / "ns").mkdir(parents=True)
    (proc / "self" / "ns" / "pid").symlink_to(f"pid:[{inode}]")


def test_a_vllm_worker_has_the_name_of_its_server(tmp_path):
    namespace(tmp_path, 4026531836)
    process(tmp_path, 10, SERVE, 1)
    process(tmp_path, 11, "VLLM::EngineCore", 10)
    process(tmp_path, 12, "VLLM::Worker_TP0", 11)
    assert Names(str(tmp_path)).of(12) == "vllm serve Kimi-K2.5"


def test_a_name_follows_a_process_that_renames_itself(tmp_path):
    namespace(tmp_path, 4026531836)
    process(tmp_path, 11, "python a.py", 1)
    names = Names(str(tmp_path))
    assert names.of(11) == "a.py"
    (tmp_path / "11" / "cmdline").write_bytes(b"trainer\0")
    assert names.of(11) == "trainer"


def test_a_number_from_the_host_is_not_mistaken_for_a_process_in_the_container(tmp_path):
    namespace(tmp_path, 4026532000)
    process(tmp_path, 11, "sshd", 1, "/dev/null")
    process(tmp_path, 12, "python a.py", 1, "/dev/nvidia0")
    names = Names(str(tmp_path))
    assert names.of(11) == "pid 11 (host)"
    assert names.of(12) == "a.py"
    assert names.of(99) == "pid 99 (host)"


def test_a_process_that_is_gone_has_its_number(tmp_path):
    namespace(tmp_path, 4026531836)
    assert Names(str(tmp_path)).of(7) == "pid 7"
