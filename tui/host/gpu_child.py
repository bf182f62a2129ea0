"""The probe child for GPUs: every request is answered by `{"gpus": […]}`, one row for each GPU
with the fields of `tui.host.sample.Gpu`, or by `{"problem": "why there are none"}`.

`retry` says after how many seconds asking again makes sense, `leave` that this process ends now
and a new one has to be asked. Nothing here is NVIDIA's but what `tui.host.nvml` reads: a child for
another vendor speaks the same lines.
"""

from __future__ import annotations

import time

from tui.host.child import serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tui.host.nvml import Card

_NOT_LOADED = 9
# What the driver says at its start: what to tell the user, and when to look again (seconds).
_PROBLEMS = {
    4: ("no permission to use the NVIDIA driver: is the user allowed to open /dev/nvidia*?", 60.0),
    _NOT_LOADED: ("NVIDIA driver not loaded: try nvidia-smi, or modprobe nvidia", 10.0),
    12: ("no NVIDIA driver here", 60.0),
    13: ("NVIDIA driver too old to be asked: update it", 600.0),
    18: ("NVIDIA driver was upgraded under the running kernel: reboot, or reload its module", 30.0),
    999: ("GPU access lost: restart the container, or see the kernel log on the host", 60.0),
}
_RETRY = 60.0


class Gpus:
    """Answers requests; finds the GPUs on the first one and keeps the driver open after that."""

    def __init__(self) -> None:
        self._cards: list[Card] = []

    def answer(self, _request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        if not self._cards and (problem := self._open()):
            return problem
        now = time.monotonic()
        said: dict[str, Any] = {"gpus": [card.look(now) for card in self._cards]}
        pids = {pid for row in said["gpus"] for pid, _, _ in row.get("holders") or ()}
        self._names.keep(pids)
        if all(card.lost for card in self._cards):
            # Only a process that opens the driver anew can see GPUs that came back.
            said.update(retry=_RETRY, leave=True)
        return said

    def _open(self) -> dict[str, Any] | None:
        try:
            import pynvml
        except ImportError:
            return _none("no GPU figures: install nvidia-ml-py", 600.0)
        from tui.host.holders import Names
        from tui.host.nvml import Card

        try:
            pynvml.nvmlInit()
            count = pynvml.nvmlDeviceGetCount()
        except pynvml.NVMLError as error:
            problem, retry = _PROBLEMS.get(
                error.value, (f"NVIDIA driver error {error.value}: {error}", _RETRY)
            )
            # A process that has mapped the old library cannot see the new driver, and one
            # without a driver need not live on; only a module that loads late is awaited.
            return _none(problem, retry, leave=error.value != _NOT_LOADED)
        if not count:
            return _none("no NVIDIA GPU visible here", _RETRY)
        self._names = Names()
        self._cards = [Card(index, self._names) for index in range(count)]
        return None


def _none(problem: str, retry: float, *, leave: bool = True) -> dict[str, Any]:
    return {"problem": problem, "retry": retry, "leave": leave}


if __name__ == "__main__":
    serve(Gpus().answer)
