"""Estimators that cross-validation refits in every fold, as they learn from all rows at once: trees, linear models."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from suffice.estimators.enough_memory import require_memory
from suffice.estimators.predictor import Predictor
from suffice.progress import doing
from suffice.schema import Batch, Codes
from suffice.sources import Rows, gathered
from suffice.statistics.moments.column_moments import require_no_infinity


class Refitted(Predictor):
    """An estimator that learns from all rows at once, and what cross-validation by refitting asks of it."""

    _work: ClassVar[str]  # what a progress bar says meanwhile

    @contextmanager
    def _learning(self, X: Any, y: Any, sample_weight: Any) -> Iterator[Rows]:
        """What every `fit` does: the table is opened, a model of it is put in place, its columns are remembered."""
        self._require_own_settings()
        table = self._opened(X, y, sample_weight).table()
        require_memory(self, table)
        with doing(self._work):
            yield table
        self._remember(X, y, table)

    def _require_own_settings(self) -> None:
        """Settings that cannot be are an error before any row is read."""

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
