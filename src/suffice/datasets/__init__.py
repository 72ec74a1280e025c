"""The tables of the lectures, and three that scikit-learn brings, ready to load by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from suffice.errors import TableError

if TYPE_CHECKING:
    import pyarrow

_LECTURE_TARGETS = {
    "play_tennis": "PlayTennis",
    "play_tennis_days": "PlayTennis",
    "hours_played": "Hours Played",
    "mpg": "mpg",
}
_SCIKIT_LEARN_TARGETS = {"iris": "species", "wine": "cultivar", "breast_cancer": "diagnosis"}
_TARGETS = _LECTURE_TARGETS | _SCIKIT_LEARN_TARGETS

NAMES: tuple[str, ...] = tuple(_TARGETS)


def load(name: str) -> pyarrow.Table:
    """A built-in table by its name; text stays text and numbers are int64 or float64.

    >>> load("play_tennis").column_names
    ['Outlook', 'Temperature', 'Humidity', 'Wind', 'PlayTennis']
    """
    target = default_target(name)
    return _from_scikit_learn(name, target) if name in _SCIKIT_LEARN_TARGETS else _from_lectures(name)


def default_target(name: str) -> str:
    """The column that a built-in table is meant to predict.

    >>> default_target("hours_played")
    'Hours Played'
    """
    if name not in _TARGETS:
        raise _unknown(name)
    return _TARGETS[name]


def _from_lectures(name: str) -> pyarrow.Table:
    from pyarrow.csv import ConvertOptions, read_csv

    # Without spellings of true and false, Windy stays the words that the lecture prints.
    words = ConvertOptions(true_values=[], false_values=[])
    return read_csv(Path(__file__).with_name(f"{name}.csv"), convert_options=words)


def _from_scikit_learn(name: str, target: str) -> pyarrow.Table:
    import pyarrow
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    names = [feature.removesuffix(" (cm)").replace(" ", "_") for feature in bunch.feature_names]
    classes = bunch.target_names[bunch.target].tolist()
    return pyarrow.table([*bunch.data.T, classes], names=[*names, target])


def _unknown(name: str) -> TableError:
    from difflib import get_close_matches

    nearest = get_close_matches(name.lower(), NAMES, n=1)
    hint = f"Did you mean {nearest[0]!r}?" if nearest else "Use one of these, or the path of a file."
    return TableError(f"There is no built-in table {name!r}; there are {', '.join(map(repr, NAMES))}. {hint}")
