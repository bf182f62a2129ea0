"""One NVIDIA GPU through NVML; for the GPU probe child only, since any call may never return."""

from __future__ import annotations

import pynvml

from tui.host.holders import Names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_HOLDERS_EVERY = 3.5  # seconds; just under two looks of two seconds
_LIMIT_EVERY = 30.0
# After one of these the handle is dead; using it again can crash the driver's library.
_LOST = {
    15: "GPU is lost (fell off the bus): reset it or reboot",
    16: "GPU needs a reset: nvidia-smi --gpu-reset, or reboot",
    999: "GPU no longer answers (unknown error): see the kernel log",
}
# What will not get better while this process lives: not supported, no permission, no such
# function or structure in this driver, argument not understood.
_NEVER = frozenset((2, 3, 4, 13, 25))
# What the binding raises in place of "no such function" for some calls.
_MISMATCH = getattr(pynvml, "NVMLLibraryMismatchError", pynvml.NVMLError)


class LostError(Exception):
    """The GPU is gone; holds the driver's code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Card:
    """One GPU and what has been learnt about what it cannot tell."""

    def __init__(self, index: int, names: Names) -> None:
        self._names = names
        self._never: dict[str, int] = {}
        self._checked = self._limited = float("-inf")
        self.lost = False
        self.row: dict[str, Any] = {"id": f"index {index}", "index": index, "condition": "ok"}
        try:
            self._handle = pynvml.nvmlDeviceGetHandleByIndex(index)
            self.row["id"] = self._ask("uuid", pynvml.nvmlDeviceGetUUID) or self.row["id"]
            self.row["name"] = self._ask("name", pynvml.nvmlDeviceGetName) or ""
        except pynvml.NVMLError as error:
            self._lose(error.value, str(error))
        except LostError as error:
            self._lose(error.code, "")

    def look(self, now: float) -> dict[str, Any]:
        """Return the GPU's figures at a monotonic time; a lost GPU is not asked any more."""
        if not self.lost:
            try:
                self._look(now)
            except LostError as error:
                self._lose(error.code, "")
        return self.row

    def _look(self, now: float) -> None:
        row = self.row
        row["memory_total"], row["memory_used"] = self._memory()
        rates = self._ask("utilisation", pynvml.nvmlDeviceGetUtilizationRates)
        row["utilisation"] = rates and rates.gpu
        row["temperature"] = self._temperature()
        power = self._ask("power", pynvml.nvmlDeviceGetPowerUsage)
        row["power"] = power and power / 1000.0
        if now - self._limited >= _LIMIT_EVERY:
            self._limited = now
            limit = self._ask("limit", pynvml.nvmlDeviceGetEnforcedPowerLimit)
            row["power_limit"] = limit and limit / 1000.0
        if now - self._checked >= _HOLDERS_EVERY:
            self._checked = now
            found = self._holders(row["memory_total"])
            if found is not None:
                row["holders"] = found

    def _ask(self, metric: str, call: Callable[..., Any], *more: Any) -> Any:
        """Return what the driver says, or None; a metric it can never tell is not asked again."""
        if metric in self._never:
            return None
        try:
            return call(self._handle, *more)
        except pynvml.NVMLError as error:
            if error.value in _LOST:
                raise LostError(error.value) from error
            if error.value in _NEVER:
                self._never[metric] = error.value
        except _MISMATCH:
            self._never[metric] = pynvml.NVML_ERROR_FUNCTION_NOT_FOUND
        return None

    def _memory(self) -> tuple[int | None, int | None]:
        """Return total and used bytes; what the driver reserves for itself is not used."""
        version = getattr(pynvml, "nvmlMemory_v2", None)
        memory = None
        if version is not None:
            memory = self._ask("memory v2", pynvml.nvmlDeviceGetMemoryInfo, version)
        if memory is None and (version is None or "memory v2" in self._never):
            memory = self._ask("memory", pynvml.nvmlDeviceGetMemoryInfo)
        if memory is not None and memory.total:
            return memory.total, memory.used
        if memory is not None or self._never.get("memory") == pynvml.NVML_ERROR_NOT_SUPPORTED:
            if not self.row["name"].endswith("(unified memory)"):
                self.row["name"] += " (unified memory)"
            return unified_memory()
        return None, None

    def _temperature(self) -> int | None:
        sensor = pynvml.NVML_TEMPERATURE_GPU
        degrees = None
        if newer := getattr(pynvml, "nvmlDeviceGetTemperatureV", None):
            degrees = self._ask("temperature v", newer, sensor)
        if degrees is None and (newer is None or "temperature v" in self._never):
            degrees = self._ask("temperature", pynvml.nvmlDeviceGetTemperature, sensor)
        return degrees

    def _holders(self, total: int | None) -> list[tuple[int, str, int | None]] | None:
        """Return the processes on the GPU by size, or None when the driver's list is no good."""
        held: dict[int, int | None] = {}
        answered = False
        for metric, call in (
            ("compute", pynvml.nvmlDeviceGetComputeRunningProcesses),
            ("graphics", pynvml.nvmlDeviceGetGraphicsRunningProcesses),
        ):
            processes = self._ask(metric, call)
            if processes is None:
                if metric not in self._never:
                    return None
                continue
            answered = True
            for process in processes:
                size = process.usedGpuMemory
                # Some drivers fill the list with another layout than they declare.
                if process.pid <= 0 or (size is not None and total and size > total):
                    return None
                held[process.pid] = max(size or 0, held.get(process.pid) or 0) or size
        if not answered:
            return None
        named = [(pid, self._names.of(pid), size) for pid, size in held.items()]
        return sorted(named, key=lambda holder: (-(holder[2] or 0), holder[0]))

    def _lose(self, code: int, said: str) -> None:
        self.lost = True
        known = {key: self.row.get(key) for key in ("id", "index", "name", "memory_total")}
        problem = _LOST.get(code) or f"driver error {code}: {said}"
        condition = "lost" if code in _LOST else "error"
        self.row = {**known, "condition": condition, "problem": problem}


def unified_memory(path: str = "/proc/meminfo") -> tuple[int | None, int | None]:
    """Return total and used bytes of memory that CPU and GPU share, None where unknown."""
    amounts = {}
    try:
        with open(path, "rb") as file:
            for line in file:
                name, _, rest = line.partition(b":")
                if name in (b"MemTotal", b"MemAvailable"):
                    amounts[name] = int(rest.split()[0]) * 1024
        total = amounts[b"MemTotal"]
        return total, total - amounts[b"MemAvailable"]
    except (OSError, KeyError, ValueError, IndexError):
        return None, None
