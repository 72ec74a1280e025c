"""Cross-validation by refitting: for models that cannot be merged from parts, as trees and logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.estimators import Refitted, contract
from suffice.evaluation.folds import Dealing
from suffice.evaluation.metrics import METRICS
from suffice.evaluation.regression_metrics import REGRESSION_METRICS
from suffice.evaluation.results import CrossValidation, RegressionCrossValidation
from suffice.evaluation.trial import Trial
from suffice.machine.threads import in_threads
from suffice.progress import part_by_part, report_rows
from suffice.schema import AnyArray, Array, Batch, Codes, Nominal
from suffice.sources import Source


def refitting_trial(estimator: Refitted, table: Source, dealing: Dealing) -> Trial:
    """Read all rows once; for every fold learn from the other rows, under the whole table's schema, and predict it."""
    batch = contract.training_batch(estimator, table)
    fold = dealing.of_batch(batch)
    parts: list[_Fold] = []
    if (fold == fold[:1]).all():
        raise SettingError(f"All {len(fold)} rows came to one fold, so that none is left to learn from. Add rows.")
    learner = contract.before_folds(estimator, batch)
    models = enumerate(contract.models_without_folds(learner, batch, fold, dealing.count))
    judged = in_threads(lambda model: _fold(learner, batch, fold, *model), models)
    for part in part_by_part(judged, dealing.count):
        report_rows(len(part.rows))
        parts.append(part)
    return Trial(_result(batch, fold, parts), lambda: contract.fitted_on(learner, batch))


@dataclass(frozen=True, slots=True)
class _Fold:
    """The rows of a fold, what the model without them predicts, and how good that is."""

    rows: AnyArray
    predicted: Array
    scores: list[float]


def _fold(estimator: Refitted, batch: Batch, fold: Codes, k: int, model: Any) -> _Fold:
    rows = np.flatnonzero(fold == k)
    held_out = batch.take(rows)
    predicted = contract.predicted(model, held_out)
    truth, weights = _truth(held_out), held_out.row_weights()
    metrics = METRICS if _has_classes(batch) else REGRESSION_METRICS
    known = [name for name in metrics if len(rows) and (name != "log_loss" or hasattr(estimator, "predict_proba"))]
    scores = [
        metric.of(predicted, truth, weights) if name in known else float("nan") for name, metric in metrics.items()
    ]
    return _Fold(rows, predicted, scores)


def _result(batch: Batch, fold: Codes, parts: Sequence[_Fold]) -> CrossValidation | RegressionCrossValidation:
    predicted = np.empty((batch.rows, *parts[0].predicted.shape[1:]))
    for part in parts:
        predicted[part.rows] = part.predicted
    scores = np.array([part.scores for part in parts]).T
    if _has_classes(batch):
        named = dict(zip(METRICS, scores, strict=True))
        classes, truth = batch.schema.classes, batch.class_codes()
        return CrossValidation(classes, predicted, truth, fold, **named, weights=batch.row_weights())
    named = dict(zip(REGRESSION_METRICS, scores, strict=True))
    return RegressionCrossValidation(predicted, batch.responses(), fold, **named, weights=batch.row_weights())


def _has_classes(batch: Batch) -> bool:
    return isinstance(batch.schema.target, Nominal)


def _truth(batch: Batch) -> Codes | Array:
    return batch.class_codes() if _has_classes(batch) else batch.responses()
