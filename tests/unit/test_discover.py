"""Which plan is meant: the named one, or the newest in the folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tui.stores.discover import NoPlan, find

PLAN = '[{"content": "a", "status": "pending"}]'


def put(path: Path, text: str = PLAN, age: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_000_000_000 - age,) * 2)
    return path


def test_a_named_file_counts_even_before_it_exists(tmp_path: Path) -> None:
    assert find(put(tmp_path / "x.txt"), tmp_path).path == tmp_path / "x.txt"
    assert find(Path("soon.json"), tmp_path).path == tmp_path / "soon.json"
    link = tmp_path / "link"
    link.symlink_to("nowhere/x.json")
    assert find(link, tmp_path).path == link


def test_the_newest_plan_of_a_folder_is_meant(tmp_path: Path) -> None:
    put(tmp_path / "old.json", age=100)
    new = put(tmp_path / "new.json", age=50)
    put(tmp_path / "package.json", '{"name": "x"}')
    put(tmp_path / "rows.json", '[{"title": "a row"}]')
    put(tmp_path / "empty.json", "[]")
    put(tmp_path / "broken.json", '[{"content"')
    put(tmp_path / "zero.json", "")
    (tmp_path / "folder.json").mkdir()
    os.mkfifo(tmp_path / "fifo.json")
    (tmp_path / "dangling.json").symlink_to("nowhere")
    assert find(tmp_path, Path("/")).path == new
    assert find(None, tmp_path).path == new
    hidden = put(tmp_path / ".steerpane" / "plan.json", '{"todos": []}')
    assert find(tmp_path, Path("/")).path == hidden


def test_the_root_of_the_repository_is_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    plan = put(tmp_path / "todos.json", "[]")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert find(None, below).path == plan


@pytest.mark.parametrize(
    ("name", "words"),
    [("no/such/x.json", "does not exist"), (".", "no plan in"), (None, "no plan in"), ("a\0b",
     "check the path"),
     ("~nobody-of-that-name/x", "check the path")],
)  # fmt: skip
def test_what_cannot_be_found_is_said_in_one_line(
    tmp_path: Path, name: str | None, words: str
) -> None:
    with pytest.raises(NoPlan) as caught:
        find(None if name is None else Path(name), tmp_path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
