"""Estimators that cross-validation refits in every fold, as they learn from all rows at once: trees, linear models."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Self

from suffice.estimators.predictor import Predictor
from suffice.schema import Batch, Codes
from suffice.sources import Rows, gathered
from suffice.statistics.moments.column_moments import require_no_infinity


class Refitted(Predictor):
    """What cross-validation by refitting asks of an estimator."""

    def _training_batch(self, table: Rows) -> Batch:
        """All rows of a table."""
        batch = gathered(table)
        require_no_infinity(batch)
        return batch

    def _before_folds(self, batch: Batch) -> Self:
        """The estimator to fit without each fold of these rows, which it may look at to be quicker."""
        return self

    def _models_without_folds(self, batch: Batch, fold: Codes, count: int) -> Iterator[Any] | None:
        """For every fold of a batch the model of all others, where they are quicker to learn together; else None."""
        return None

    @abstractmethod
    def _fold_model(self, batch: Batch) -> Any:
        """The model of the rows of a batch, which only has to predict."""

    def _fitted_on(self, batch: Batch) -> Self:
        """A copy, fitted on the rows of a batch."""
        return self._with_model(self._fold_model(batch))
