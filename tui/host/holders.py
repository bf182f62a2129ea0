"""What to call a process that holds GPU memory, told from /proc; runs in the GPU probe child."""

from __future__ import annotations

import os
import re

# The kernel's fixed inode number of the first PID namespace, the one whose numbers NVML reports.
_FIRST_NAMESPACE = "pid:[4026531836]"
_INTERPRETER = re.compile(r"(python|pypy|ruby|perl|node|bash|sh|uv|env)[\d.]*t?")
_OPTIONS_WITH_VALUE = frozenset(("-W", "-X", "-c"))
_ANCESTORS = 4
_LONGEST = 40


def describe(argv: list[str], comm: str) -> str:
    """Return a short name such as "vllm serve Kimi-K2.5" from a command line, or from comm.

    Interpreters and paths go, and so does everything from the first option on.
    """
    if not argv or not argv[0]:
        return comm
    if len(argv) == 1 or " " in argv[0]:
        # A process that renamed itself: "VLLM::Worker_TP3" (workers of a kind are one name).
        title = argv[0].split("::")[0].lower() if "::" in argv[0] else _base(argv[0].split()[0])
        return (title or comm)[:_LONGEST]
    words = _without_interpreter(argv)
    named = [_base(words[0]) if words else comm]
    for word in words[1:3]:
        if word.startswith("-"):
            break
        named.append(_base(word))
    if named[0].startswith("vllm.entrypoints"):
        named = ["vllm", "serve", *_option(argv, "--model")]
    return " ".join(named)[:_LONGEST]


def _without_interpreter(argv: list[str]) -> list[str]:
    words = list(argv)
    while words and _INTERPRETER.fullmatch(_base(words[0])):
        words.pop(0)
        while words and words[0].startswith("-"):
            option = words.pop(0)
            if option == "-m":
                return words
            if option in _OPTIONS_WITH_VALUE and words:
                words.pop(0)
    return words or argv[:1]


def _option(argv: list[str], name: str) -> list[str]:
    for i, word in enumerate(argv):
        if word == name and i + 1 < len(argv):
            return [_base(argv[i + 1])]
        if word.startswith(name + "="):
            return [_base(word.partition("=")[2])]
    return []


def _base(word: str) -> str:
    return os.path.basename(word.rstrip("/")) or word


class Names:
    """Names of processes by pid; asks /proc again each time, but follows ancestors only once."""

    def __init__(self, proc: str = "/proc") -> None:
        self._proc = proc
        self._known: dict[int, tuple[bytes, str]] = {}
        try:
            self._foreign = os.readlink(f"{proc}/self/ns/pid") != _FIRST_NAMESPACE
        except OSError:
            self._foreign = False

    def of(self, pid: int) -> str:
        """Return the name of a process; "pid N" when it cannot be seen from here."""
        raw = self._read(pid, "cmdline")
        known = self._known.get(pid)
        if known is not None and known[0] == raw:
            return known[1]
        name = self._find(pid, raw)
        self._known[pid] = raw, name
        return name

    def keep(self, pids: set[int]) -> None:
        """Forget every process but these."""
        self._known = {p: n for p, n in self._known.items() if p in pids}

    def _find(self, pid: int, raw: bytes) -> str:
        if self._foreign and not self._uses_gpu(pid):
            # In a container the number belongs to the host; the same number here is another one.
            return f"pid {pid} (host)"
        comm = self._read(pid, "comm").decode(errors="replace").strip()
        argv = _split(raw)
        if argv and argv[0].startswith("VLLM::"):
            return self._server_of(pid) or describe(argv, comm)
        return describe(argv, comm) or f"pid {pid}"

    def _server_of(self, pid: int) -> str:
        """Return the name of the vLLM server that a worker belongs to, empty if it is gone."""
        for _ in range(_ANCESTORS):
            # The second field, the name, may hold spaces and brackets: count from its end.
            after = self._read(pid, "stat").rpartition(b")")[2].split()
            if len(after) < 2 or (pid := int(after[1])) <= 1:
                break
            argv = _split(self._read(pid, "cmdline"))
            if any(_base(word) == "vllm" or word.startswith("vllm.") for word in argv):
                return describe(argv, "")
        return ""

    def _uses_gpu(self, pid: int) -> bool:
        try:
            handles = os.listdir(f"{self._proc}/{pid}/fd")
        except OSError:
            return False
        for handle in handles:
            try:
                target = os.readlink(f"{self._proc}/{pid}/fd/{handle}")
            except OSError:
                continue
            if target.startswith("/dev/nvidia"):
                return True
        return False

    def _read(self, pid: int, name: str) -> bytes:
        try:
            with open(f"{self._proc}/{pid}/{name}", "rb") as file:
                return file.read(4096)
        except OSError:
            return b""


def _split(raw: bytes) -> list[str]:
    return raw.decode(errors="replace").rstrip("\0").split("\0") if raw else []
