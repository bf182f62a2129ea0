"""The configuration file: what is right in it counts, what is wrong is told, nothing is fatal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.config import Config, load
from tui.settings import ScreenSettings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_a_file_the_defaults_count(path: Path) -> None:
    assert load(path) == Config()


def test_every_setting_is_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    path.write_text(
        'theme = "light"\nascii = true\nmouse = true\nbell = false\ntitle = false\n'
        'banner_seconds = 3\nfold_completed = true\ninterval = 5\nmounts = ["~/models", "/data"]\n'
    )
    screen = ScreenSettings("light", True, True, False, False, 3, True)
    mounts = (Path("/home/me/models"), Path("/data"))
    assert load(path) == Config(screen, mounts, 5.0)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('theme = "pink"', 'theme must be "dark" or "light"'),
        ("ascii = 1", "ascii must be true or false"),
        ("interval = 0.1", "interval must be from 0.5 to 60"),
        ("interval = nan", "interval must be from 0.5 to 60"),
        ("banner_seconds = true", "banner_seconds must be from 0.5 to 60"),
        ('mounts = "/data"', "mounts must be a list of folders"),
        ("mounts = [1]", "mounts must be a list of folders"),
        ('mounts = ["~nobody-of-that-name/x"]', "mounts must be a list of folders"),
        ("colour = 1", "there is no setting 'colour'"),
    ],
)
def test_a_wrong_line_is_told_and_the_others_count(path: Path, line: str, says: str) -> None:
    path.write_text(f"{line}\ntitle = false")
    config = load(path)
    assert config.screen == ScreenSettings(title=False)
    (problem,) = config.problems
    assert problem.startswith(f"{path}: {says}")


@pytest.mark.parametrize("content", [b"theme = ", b"\xff"])
def test_a_file_that_cannot_be_understood_leaves_the_defaults(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    config = load(path)
    assert config.screen == ScreenSettings()
    assert len(config.problems) == 1
    assert config.problems[0].endswith("; using the defaults")


def test_a_file_that_cannot_be_read_leaves_the_defaults(path: Path) -> None:
    path.mkdir()
    assert load(path) == Config(problems=(f"{path}: Is a directory; using the defaults",))
