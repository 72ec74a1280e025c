"""A trial: one model on a table, cross-validated, and ready to be fitted on all rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from suffice.errors import SettingError
from suffice.evaluation.cross_validation.results import Result
from suffice.settings import require_whole

MOST_FOLDS = 1000
USUAL_FOLDS = 10
FEWEST_FOLDS = 3  # where nobody says how many
MANY_ROWS = 1_000_000  # to learn from, over all folds


@dataclass(frozen=True)
class Trial:
    """How good the models of a contestant are on rows they have not seen."""

    result: Result
    fitted: Callable[[], Any]  # the model of all rows, from what was read or measured already


def require_folds(folds: int, seed: int = 0) -> None:
    """From two folds to a thousand, and a seed that is one."""
    require_whole("folds", folds, 2)
    require_whole("random_state", seed, 0)
    if folds > MOST_FOLDS:
        raise SettingError(f"{folds} folds are more than {MOST_FOLDS:,}; use fewer.")


def folds_for(rows: int) -> int:
    """As many folds as suit a table: ten; of more than 100,000 rows fewer, which tell as much; of a few rows each one.

    >>> [folds_for(rows) for rows in (5, 150, 100_000, 200_000, 5_000_000)]
    [5, 10, 10, 5, 3]
    """
    return max(2, min(USUAL_FOLDS, rows, max(FEWEST_FOLDS, MANY_ROWS // max(rows, 1))))


def require_rows(rows: int, folds: int) -> None:
    """At least a row for every fold."""
    if rows < folds:
        raise SettingError(f"{folds} folds are more than the {rows} rows of the table. Use fewer folds.")
