"""A test set: rows that no model has seen, judged once, by models of the whole training table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.errors import Message, SettingError, TableError, TooManyRowsError
from suffice.estimators import Predictor
from suffice.evaluation.cross_validation.results import (
    CrossValidation,
    FoldScores,
    RegressionCrossValidation,
    Result,
    result_of,
)
from suffice.evaluation.judging.classification_evaluation import Evaluation
from suffice.evaluation.judging.held_out import Answers, judged_rows
from suffice.evaluation.judging.intervals import Z
from suffice.evaluation.judging.metric import require_metric
from suffice.evaluation.judging.regression_evaluation import RegressionEvaluation
from suffice.schema import AnyArray, Array, Batch, Level
from suffice.sources import Rows, gathered, read_as
from suffice.sources.reading import Reading

GROUPS = 10  # of test rows, over which two models are compared in pairs
NAMED = "test table"


@dataclass(frozen=True)
class HeldOutTable:
    """The rows that were given to test on, and where their target and weights are."""

    table: Any
    target: Any
    sample_weight: Any = None

    @classmethod
    def of(cls, given: Any, target: Any, sample_weight: Any) -> HeldOutTable:
        """A table that names its target as the training table does, or a pair of rows and their targets."""
        if isinstance(target, (str, int, np.integer)):
            return cls(given, target, sample_weight if isinstance(sample_weight, str) else None)
        if not isinstance(given, tuple) or len(given) != 2:
            raise SettingError(
                "The target stands beside the table, so test must be a pair too: test=(X_test, y_test). Or name the "
                "target, as a column of both tables."
            )
        return cls(*given)

    def under(self, table: Rows, reading: Reading) -> Rows:
        """The test rows as a training table is read."""
        with _told_apart():
            return read_as(table.schema, self.table, self.target, self.sample_weight, reading)

    def batch_under(self, table: Rows, reading: Reading) -> Batch:
        """All of them at once."""
        rows = self.under(table, reading)
        with _told_apart():
            return gathered(rows)

    def judged_by(self, model: Predictor) -> Answers:
        """What a model says of them, which reads tables itself."""
        with _told_apart():
            return judged_rows(model, self.table, self.target, self.sample_weight)


@contextmanager
def _told_apart() -> Iterator[None]:
    """Whatever is wrong is said of the test table, as there is a training table too."""
    try:
        yield
    except TooManyRowsError:  # which is no mistake: whoever asked goes on without
        raise
    except TableError as error:
        raise TableError(Message("The test table cannot be used. ", error.message)) from error


class OnTestRows(FoldScores):
    """Scores of all test rows together, with the standard errors that belong to each metric.

    The entries of a metric are those of groups of test rows, which tell two models apart in pairs.
    """

    def mean(self, metric: str) -> float:
        """The metric of all test rows."""
        require_metric(metric, self.metrics)
        found = self._judged.overall.get(metric)
        return float("nan") if found is None else found.value

    def standard_error(self, metric: str) -> float:
        """Half of the 95 % interval's width, in standard errors."""
        found = self._judged.overall.get(metric)
        return float("nan") if found is None else (found.high - found.low) / (2 * Z)

    tried_on = NAMED

    @cached_property
    def _judged(self) -> Evaluation | RegressionEvaluation:
        return self.evaluation()

    @property
    def _heading(self) -> list[str]:
        return [NAMED, "score", "std. error"]


@dataclass(frozen=True, repr=False)
class HeldOutClasses(OnTestRows, CrossValidation):
    """What a classifier of the training table says of every test row."""


@dataclass(frozen=True, repr=False)
class HeldOutNumbers(OnTestRows, RegressionCrossValidation):
    """The number that a model of the training table predicts for every test row."""


def held_out_result(
    said: Array, truth: AnyArray, weights: Array, classes: tuple[Level, ...], seed: int, has_probabilities: bool
) -> Result:
    """What a model of the training table says of every test row, in groups that are as good as folds."""
    groups = min(GROUPS, len(truth))
    group = (np.random.default_rng(seed).permutation(len(truth)) % groups).astype(np.int32)
    kinds = HeldOutClasses, HeldOutNumbers
    return result_of(classes, said, truth, weights, group, groups, has_probabilities, kinds)
