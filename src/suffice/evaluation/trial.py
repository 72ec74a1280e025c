"""A trial: one estimator on a table, cross-validated, and ready to be fitted on all rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from suffice.errors import SettingError
from suffice.evaluation.models import Model
from suffice.evaluation.results import Result
from suffice.solve.folds import require_folds as require_whole_folds

MOST_FOLDS = 1000


@dataclass(frozen=True)
class Trial:
    """How good an estimator's models are on rows they have not seen."""

    result: Result
    fitted: Callable[[], Model]  # the estimator with the model of all rows, from what was read or measured already


def require_folds(folds: int, seed: int = 0) -> None:
    """From two folds to a thousand, and a seed that is one."""
    require_whole_folds(folds, seed)
    if folds > MOST_FOLDS:
        raise SettingError(f"{folds} folds are more than {MOST_FOLDS:,}; use fewer.")


def require_rows(rows: int, folds: int) -> None:
    """At least a row for every fold."""
    if rows < folds:
        raise SettingError(f"{folds} folds are more than the {rows} rows of the table. Use fewer folds.")
