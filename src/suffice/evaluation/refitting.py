"""Cross-validation by refitting: for models that cannot be merged from parts, as trees and logistic regression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.errors import SettingError
from suffice.estimators import Refitted, contract
from suffice.evaluation.folds import Dealing
from suffice.evaluation.results import result_of
from suffice.evaluation.trial import Trial
from suffice.machine.threads import in_threads
from suffice.progress import report_rows
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.sources import Source


def refitting_trial(estimator: Refitted, table: Source, dealing: Dealing) -> Trial:
    """Read all rows once; for every fold learn from the other rows, under the whole table's schema, and predict it."""
    batch = contract.training_batch(estimator, table)
    fold = dealing.of_batch(batch)
    predicted = np.empty((batch.rows, batch.schema.class_count) if batch.schema.classes else batch.rows)
    learner = contract.before_folds(estimator, batch)
    for part in in_threads(lambda k: _fold(learner, batch, fold, k), range(dealing.count)):
        report_rows(len(part.rows))
        predicted[part.rows] = part.predicted
    rows = predicted, batch.truth(), batch.row_weights(), fold, dealing.count
    result = result_of(batch.schema.classes, *rows, hasattr(estimator, "predict_proba"))
    return Trial(result, lambda: contract.fitted_on(learner, batch))


@dataclass(frozen=True, slots=True)
class _Fold:
    """The rows of a fold, and what the model without them predicts."""

    rows: AnyArray
    predicted: Array


def _fold(estimator: Refitted, batch: Batch, fold: Codes, k: int) -> _Fold:
    rows, others = np.flatnonzero(fold == k), np.flatnonzero(fold != k)
    if not len(others):
        raise SettingError(f"All {len(rows)} rows came to one fold, so that none is left to learn from. Add rows.")
    return _Fold(rows, contract.predicted(contract.fold_model(estimator, batch.take(others)), batch.take(rows)))
