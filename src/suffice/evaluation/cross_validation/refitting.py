"""Cross-validation by refitting: for models that cannot be merged from parts, as trees and logistic regression."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import LearningWarning, unsaid
from suffice.estimators import GenerativeClassifier, Refitted, contract
from suffice.estimators.capabilities import has_probabilities
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.results import Result, result_of
from suffice.evaluation.cross_validation.trial import Trial
from suffice.machine.threads import spread
from suffice.models.generative import GenerativeModel
from suffice.progress import part_by_part, report_rows
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.sources import Rows, gathered


def refitting_trial(estimator: Refitted, table: Rows, dealing: Dealing) -> Trial:
    """Read all rows once; for every fold learn from the other rows, under the whole table's schema, and predict it."""
    batch = contract.training_batch(estimator, table)
    fold = dealing.of_batch(batch)
    learner = contract.before_folds(estimator, batch)
    models = contract.models_without_folds(learner, batch, fold, dealing.count)
    result = _judged(models, batch, fold, dealing.count, has_probabilities(estimator))
    return Trial(result, lambda: contract.fitted_on(learner, batch))


def remeasuring_trial(estimator: GenerativeClassifier, table: Rows, dealing: Dealing) -> Trial:
    """The same for a model whose statistic is so large that to merge it takes longer than to measure few rows again."""
    batch, measurement = gathered(table), contract.measurement(estimator, table)
    fold = dealing.of_batch(batch)

    def without(k: int) -> GenerativeModel:
        with unsaid(LearningWarning):
            return contract.solved(estimator, measurement.of(batch.take(np.flatnonzero(fold != k))))

    result = _judged(map(without, range(dealing.count)), batch, fold, dealing.count, has_probabilities(estimator))
    return Trial(result, lambda: contract.with_statistic(estimator, measurement.of(batch)))


def _judged(models: Iterable[Any], batch: Batch, fold: Codes, count: int, are_probabilities: bool) -> Result:
    """What the model without a fold says of its rows, fold by fold; no model is kept."""
    predicted = np.empty((batch.rows, batch.schema.class_count) if batch.schema.classes else batch.rows)
    judged = spread(lambda model: _fold(batch, fold, *model), enumerate(models), batch.cells)
    for part in part_by_part(judged, count):
        report_rows(len(part.rows))
        predicted[part.rows] = part.predicted
    rows = predicted, batch.truth(), batch.row_weights(), fold, count
    return result_of(batch.schema.classes, *rows, are_probabilities)


@dataclass(frozen=True, slots=True)
class _Fold:
    """The rows of a fold, and what the model without them predicts."""

    rows: AnyArray
    predicted: Array


def _fold(batch: Batch, fold: Codes, k: int, model: Any) -> _Fold:
    rows = np.flatnonzero(fold == k)
    return _Fold(rows, model.output(batch.take(rows)))
