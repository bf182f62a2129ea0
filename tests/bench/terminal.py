"""A program in a pseudo-terminal of its own, with the bytes it drew and when."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_SEQUENCE = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.")


class Terminal:
    """Runs a command at a size; everything it writes is read at once and kept."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        size: tuple[int, int] = (120, 40),
        cwd: Path | None = None,
    ) -> None:
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if cwd is not None:
                os.chdir(cwd)
            os.execvpe(command[0], list(command), dict(env))
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.drawn = bytearray()

    def read(self, seconds: float) -> bytes:
        """Return what is drawn within some seconds, as soon as anything is."""
        if not select.select([self.fd], [], [], max(0.0, seconds))[0]:
            return b""
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return b""
        self.drawn += data
        return data

    def drain(self, quiet: float = 0.3, limit: float = 10.0) -> int:
        """Read until nothing came for a while; returns the number of bytes."""
        until, total = time.perf_counter() + limit, 0
        while time.perf_counter() < until and (data := self.read(quiet)):
            total += len(data)
        return total

    def wait_for(self, text: str, limit: float = 20.0) -> float:
        """Wait until a text is drawn and return the moment; raises TimeoutError."""
        wanted, seen, until = text.encode(), bytearray(), time.perf_counter() + limit
        while time.perf_counter() < until:
            seen += self.read(until - time.perf_counter())
            if wanted in _SEQUENCE.sub(b"", bytes(seen)):
                return time.perf_counter()
        raise TimeoutError(f"{text!r} was not drawn; last: {bytes(self.drawn[-400:])!r}")

    def type(self, keys: str) -> None:
        """Send keys."""
        os.write(self.fd, keys.encode())

    def hang_up(self) -> None:
        """Close the terminal under the program, as a lost connection does."""
        os.close(self.fd)
        self.fd = -1

    def wait(self, limit: float = 10.0) -> float:
        """Return the seconds until the program is gone; raises TimeoutError."""
        begun = time.perf_counter()
        while time.perf_counter() - begun < limit:
            if self.fd >= 0:
                self.read(0.005)
            else:
                time.sleep(0.005)
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                self.pid = 0
                return time.perf_counter() - begun
        raise TimeoutError("it did not end")

    def close(self) -> None:
        """End the program, whatever it is doing."""
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.pid, 0)
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def tree(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                todo += [int(p) for p in children.read_text().split()]
    return found


def cpu_seconds(pids: Sequence[int]) -> float:
    """Return the CPU time that processes have used, with that of their children waited for."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += sum(int(f) for f in fields[11:15])
    return total / os.sysconf("SC_CLK_TCK")


def memory(pid: int, field: str) -> float:
    """Return one field of smaps_rollup ("Rss", "Pss") in MiB."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    return 0.0
