"""Cross-validation in one pass: statistics per fold, merged by prefix and suffix, never measured twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import TypeVar

import numpy as np

from suffice.estimators import GenerativeClassifier, contract
from suffice.evaluation.folds import Dealing, MeasureFolds, taken_apart
from suffice.evaluation.metrics import METRICS
from suffice.evaluation.results import CrossValidation
from suffice.evaluation.trial import Trial
from suffice.machine.threads import in_threads
from suffice.models.generative import GenerativeModel
from suffice.models.posterior import shares
from suffice.models.side_by_side import SideBySide
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.solve.folds import Folds
from suffice.sources import Source
from suffice.statistics.statistic import Mergeable, Together

P = TypeVar("P", bound=Mergeable)
HeldOut = tuple[Array, Codes, Array]  # posterior, true classes and weights of some rows


def one_pass_trial(estimator: GenerativeClassifier, table: Source, dealing: Dealing) -> Trial:
    """Deal the rows, measure all folds in one pass and predict them in another; a model of all rows needs no third."""
    dealt = dealing.of_table(table)
    measured = table.measure(MeasureFolds.of_schema(contract.measurement(estimator, table), dealt, table.schema))
    statistics = list(taken_apart(measured, table.schema, dealing.count))
    result = predicted(solved(estimator, all_but_one(statistics)), table, dealt)

    return Trial(result, lambda: contract.with_statistic(estimator, reduce(Together.merge, statistics)))


def solved(estimator: GenerativeClassifier, statistics: Iterable[Together]) -> list[GenerativeModel]:
    """The model of every statistic, in threads."""
    return list(in_threads(partial(contract.solved, estimator), statistics))


def all_but_one(statistics: Sequence[P]) -> Iterator[P]:
    """For each statistic the merge of all the others: what came before it, merged with what comes after."""
    after: list[P] = [statistics[-1]]
    for statistic in reversed(statistics[1:-1]):
        after.append(statistic.merge(after[-1]))
    before: P | None = None
    for position, statistic in enumerate(statistics):
        rest = after[len(statistics) - 2 - position] if position < len(statistics) - 1 else None
        if before is None:
            assert rest is not None
            yield rest
        else:
            yield before if rest is None else before.merge(rest)
        before = statistic if before is None else before.merge(statistic)


def predicted(models: Sequence[GenerativeModel], table: Source, folds: Folds) -> CrossValidation:
    """Every row predicted by the model of its fold."""
    parts = list(table.map(PredictFolds(tuple(models), SideBySide.of(models), folds)))
    return CrossValidation(
        table.schema.classes,
        np.concatenate([part.posterior for part in parts]),
        np.concatenate([part.truth for part in parts]),
        np.concatenate([part.fold for part in parts]),
        **_scores(part.held_out for part in parts),
        weights=np.concatenate([part.weights for part in parts]),
    )


@dataclass(frozen=True)
class Predicted:
    """What the rows of a batch were predicted by the models that had not seen them."""

    posterior: Array  # (row, class)
    truth: Codes
    fold: Codes
    weights: Array
    held_out: tuple[HeldOut, ...]  # the same, fold by fold


@dataclass(frozen=True)
class PredictFolds:
    """Predicts every row of a batch by the model of its fold, all models side by side where they can."""

    models: tuple[GenerativeModel, ...]
    together: SideBySide | None
    folds: Folds

    def __call__(self, batch: Batch) -> Predicted:
        """Predict a batch."""
        fold, truth, weights = self.folds.of(batch), batch.class_codes(), batch.row_weights()
        of_folds = _rows_of_folds(fold, len(self.models))
        posterior = None if self.together is None else _at_once(self.together, batch, fold)
        if posterior is None:
            posterior = _fold_by_fold(self.models, batch, of_folds)
        held_out = [
            (np.take(posterior, rows, axis=0), np.take(truth, rows), np.take(weights, rows)) for rows in of_folds
        ]
        return Predicted(posterior, truth, fold, weights, tuple(held_out))


def _at_once(models: SideBySide, batch: Batch, fold: Codes) -> Array | None:
    """Nothing where a row is impossible in every class: it takes its own model to say what then."""
    posterior, impossible = shares(models.log_joint(batch, fold))
    return None if impossible else posterior


def _fold_by_fold(models: Sequence[GenerativeModel], batch: Batch, of_folds: Sequence[AnyArray]) -> Array:
    posterior = np.empty((batch.rows, batch.schema.class_count))
    for model, rows in zip(models, of_folds, strict=True):
        if len(rows):
            posterior[rows] = model.posterior(batch.take(rows))
    return posterior


def _rows_of_folds(fold: Codes, folds: int) -> list[AnyArray]:
    ends = np.cumsum(np.bincount(fold, minlength=folds))
    return np.split(np.argsort(fold.astype(np.int16), kind="stable"), ends[:-1])


def _scores(held_out: Iterable[tuple[HeldOut, ...]]) -> dict[str, Array]:
    """Every metric of every fold, from its parts in every batch."""

    def of_fold(parts: tuple[HeldOut, ...]) -> list[float]:
        posterior, truth, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
        return [metric.of(posterior, truth, weights) if len(truth) else float("nan") for metric in METRICS.values()]

    table = np.array(list(in_threads(of_fold, zip(*held_out, strict=True))))
    return dict(zip(METRICS, table.T, strict=True))
