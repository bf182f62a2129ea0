"""A fake NVIDIA driver library: built from C, driven by a file while the real binding uses it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_SOURCE = Path(__file__).with_name("fakenvml.c")
_NAME = "libnvidia-ml.so.1"


def build(folder: Path) -> Path:
    """Compile the library into a folder and return it; skips the test where there is no cc."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) to build the fake driver library with")
    library = folder / _NAME
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", f"-Wl,-soname,{_NAME}"]
    subprocess.run([compiler, *flags, "-o", library, _SOURCE], check=True)
    return library


class Driver:
    """The state of the fake driver; every change is seen by the library's next call."""

    def __init__(self, library: Path, folder: Path) -> None:
        self.library = library
        self.state = folder / "nvml-state"
        self._pairs: dict[str, object] = {}
        self.set()

    @property
    def environment(self) -> dict[str, str]:
        """The variables that make a new process use this library and state."""
        return {"LD_LIBRARY_PATH": str(self.library.parent), "FAKENVML_STATE": str(self.state)}

    def set(self, **pairs: object) -> None:
        """Change some keys, see the C source; "__" stands for a dot, None takes a key away."""
        for key, value in pairs.items():
            name = key.replace("__", ".")
            self._pairs.pop(name, None)
            if value is not None:
                self._pairs[name] = value
        text = "".join(f"{key} {value}\n" for key, value in self._pairs.items())
        new = self.state.with_suffix(".new")
        new.write_text(text, encoding="ascii")
        new.replace(self.state)
