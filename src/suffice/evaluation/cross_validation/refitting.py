"""Cross-validation by refitting: for models that cannot be merged from parts, as trees and logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.estimators import Refitted, contract
from suffice.estimators.capabilities import has_probabilities
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.results import result_of
from suffice.evaluation.cross_validation.trial import Trial
from suffice.machine.threads import spread
from suffice.progress import part_by_part, report_rows
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.sources import Rows


def refitting_trial(estimator: Refitted, table: Rows, dealing: Dealing) -> Trial:
    """Read all rows once; for every fold learn from the other rows, under the whole table's schema, and predict it."""
    batch = contract.training_batch(estimator, table)
    fold = dealing.of_batch(batch)
    predicted = np.empty((batch.rows, batch.schema.class_count) if batch.schema.classes else batch.rows)
    learner = contract.before_folds(estimator, batch)
    models = enumerate(contract.models_without_folds(learner, batch, fold, dealing.count))
    judged = spread(lambda model: _fold(batch, fold, *model), models, batch.cells)
    for part in part_by_part(judged, dealing.count):
        report_rows(len(part.rows))
        predicted[part.rows] = part.predicted
    rows = predicted, batch.truth(), batch.row_weights(), fold, dealing.count
    result = result_of(batch.schema.classes, *rows, has_probabilities(estimator))
    return Trial(result, lambda: contract.fitted_on(learner, batch))


@dataclass(frozen=True, slots=True)
class _Fold:
    """The rows of a fold, and what the model without them predicts."""

    rows: AnyArray
    predicted: Array


def _fold(batch: Batch, fold: Codes, k: int, model: Any) -> _Fold:
    rows = np.flatnonzero(fold == k)
    return _Fold(rows, model.output(batch.take(rows)))
