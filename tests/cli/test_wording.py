"""The library's settings as options of the command line."""

from __future__ import annotations

from suffice.cli.wording import READING
from suffice.sources.reading import SETTINGS


def test_every_setting_that_says_how_columns_are_read_is_an_option() -> None:
    assert set(READING) == set(SETTINGS)
