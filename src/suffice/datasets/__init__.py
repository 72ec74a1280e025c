"""The tables of the lectures, and three that everybody knows, ready to load by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from suffice.errors import TableError, did_you_mean
from suffice.shown import quoted

if TYPE_CHECKING:
    import pyarrow

_TARGETS = {
    "play_tennis": "PlayTennis",
    "play_tennis_days": "PlayTennis",
    "hours_played": "Hours Played",
    "mpg": "mpg",
    "iris": "species",
    "wine": "cultivar",
    "breast_cancer": "diagnosis",
}

NAMES: tuple[str, ...] = tuple(_TARGETS)


def load(name: str) -> pyarrow.Table:
    """A built-in table by its name; text stays text and numbers are int64 or float64.

    >>> load("play_tennis").column_names
    ['Outlook', 'Temperature', 'Humidity', 'Wind', 'PlayTennis']
    """
    from pyarrow.csv import ConvertOptions, read_csv

    _require_known(name)
    # Without spellings of true and false, Windy stays the words that the lecture prints.
    words = ConvertOptions(true_values=[], false_values=[])
    return read_csv(Path(__file__).with_name(f"{name}.csv"), convert_options=words)


def default_target(name: str) -> str:
    """The column that a built-in table is meant to predict.

    >>> default_target("hours_played")
    'Hours Played'
    """
    _require_known(name)
    return _TARGETS[name]


def _require_known(name: str) -> None:
    if name not in _TARGETS:
        hint = did_you_mean(name.lower(), NAMES) or " Use one of these, or the path of a file."
        raise TableError(f"There is no built-in table {name!r}; there are {quoted(NAMES)}.{hint}")
