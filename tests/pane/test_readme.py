"""What the README shows is what there is."""

from __future__ import annotations

import re

from tests.readme import README, renewed


def test_the_table_of_keys_is_up_to_date() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == renewed(text)


def test_every_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    assert pictures
    for picture in pictures:
        assert (README.parent / picture).is_file(), picture
