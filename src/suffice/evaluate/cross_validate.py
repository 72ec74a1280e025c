"""Cross-validation in one pass: statistics per fold, merged by prefix and suffix, never measured twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from suffice.errors import SettingError
from suffice.estimators.base import GenerativeClassifier, folds_of
from suffice.evaluate.folds import Folds
from suffice.evaluate.metrics import METRICS
from suffice.models.generative import GenerativeModel
from suffice.report.text import text_table
from suffice.schema import Array, Batch, Codes, Level, Nominal, Schema
from suffice.sources import Table
from suffice.sources.table import in_threads
from suffice.statistics.statistic import S, Together

T = TypeVar("T")


@dataclass(frozen=True)
class CrossValidation:
    """What every row was predicted by a model that had not seen it, and the metrics of each fold."""

    classes: tuple[Level, ...]
    posterior: Array  # (row, class), in the order of the rows
    truth: Codes  # (row,), the row's class as a position in `classes`
    fold: Codes  # (row,)
    accuracy: Array  # (fold,)
    log_loss: Array
    auc: Array

    def mean(self, metric: str) -> float:
        """The mean of a metric over the folds."""
        return float(np.nanmean(getattr(self, metric))) if not np.all(np.isnan(getattr(self, metric))) else float("nan")

    def standard_error(self, metric: str) -> float:
        """The standard error of that mean."""
        values = getattr(self, metric)[~np.isnan(getattr(self, metric))]
        return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")

    def __str__(self) -> str:
        """Mean and standard error of every metric."""
        rows = [[name, f"{self.mean(name):.4f}", f"{self.standard_error(name):.4f}"] for name in METRICS]
        return text_table([f"{len(self.accuracy)}-fold", "mean", "std. error"], rows)


def cross_validate(
    estimator: GenerativeClassifier,
    table: Any,
    target: Any,
    folds: int = 10,
    random_state: int = 0,
    sample_weight: Any = None,
) -> CrossValidation:
    """Cross-validate on a table: one pass to measure all folds, one to predict them.

    The model of a fold is solved from the merged statistics of the other folds, under the whole table's schema; it
    equals a refit on those rows. Folds are stratified and depend on `random_state` only.

    >>> import suffice as sf
    >>> result = sf.cross_validate(sf.LDA(), sf.datasets.load("iris"), "species")
    >>> round(result.mean("accuracy"), 2)
    0.98
    """
    opened, _ = estimator._training_table(table, target, sample_weight)
    return cross_validate_table(estimator, opened, folds, random_state)


def cross_validate_table(estimator: GenerativeClassifier, table: Table, folds: int, seed: int = 0) -> CrossValidation:
    """Cross-validate on a table that is already open."""
    require_rows(table.schema, folds)
    statistics = fold_statistics(estimator, table, folds, seed)
    return predicted(solved(estimator, all_but_one(statistics)), table, seed)


def solved(estimator: GenerativeClassifier, statistics: Iterable[Together]) -> list[GenerativeModel]:
    """The model of every statistic, in threads."""
    return list(in_threads(estimator._solve, statistics))


def fold_statistics(estimator: GenerativeClassifier, table: Table, folds: int, seed: int) -> list[Together]:
    """The statistic of every fold, in one pass: while measuring, a row's class is the pair of its fold and class."""
    schema = table.schema
    dealer = Folds(folds, schema.class_count, seed)
    labels = tuple(range(folds * schema.class_count))
    paired = schema.with_target(Nominal(schema.target.name, labels))
    measurement = estimator._measurement(table)

    def with_folds(batch: Batch) -> Batch:
        classes = batch.class_codes()
        return batch.with_classes(paired, dealer.deal(classes) * np.int32(schema.class_count) + classes)

    total = table.measure(measurement, with_folds)
    return list(folds_of(total, schema, folds))


def all_but_one(statistics: Sequence[S]) -> Iterator[S]:
    """For each statistic the merge of all the others: what came before it, merged with what comes after."""
    after: list[S] = [statistics[-1]]
    for statistic in reversed(statistics[1:-1]):
        after.append(statistic.merge(after[-1]))
    before: S | None = None
    for position, statistic in enumerate(statistics):
        rest = after[len(statistics) - 2 - position] if position < len(statistics) - 1 else None
        if before is None:
            assert rest is not None
            yield rest
        else:
            yield before if rest is None else before.merge(rest)
        before = statistic if before is None else before.merge(statistic)


def predicted(models: Sequence[GenerativeModel], table: Table, seed: int) -> CrossValidation:
    """Every row predicted by the model of its fold."""
    schema = table.schema
    dealer = Folds(len(models), schema.class_count, seed)

    def with_folds(batch: Batch) -> tuple[Batch, Codes]:
        return batch, dealer.deal(batch.class_codes())

    def predict(dealt: tuple[Batch, Codes]) -> tuple[Array, Codes, Codes, Array]:
        batch, fold = dealt
        posterior = np.empty((batch.rows, schema.class_count))
        for position, model in enumerate(models):
            rows = np.flatnonzero(fold == position)
            if len(rows):
                posterior[rows] = np.exp(model.log_posterior(batch.take(rows)))
        return posterior, batch.class_codes(), fold, batch.row_weights()

    parts = list(table.map(predict, with_folds))
    posterior, truth, fold, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    scores = _scores(posterior, truth, fold, weights, len(models))
    return CrossValidation(schema.classes, posterior, truth, fold, **scores)


def _scores(posterior: Array, truth: Codes, fold: Codes, weights: Array, folds: int) -> dict[str, Array]:
    """Every metric of every fold."""

    def of_fold(k: int) -> list[float]:
        rows = np.flatnonzero(fold == k)
        if not len(rows):
            return [float("nan")] * len(METRICS)
        return [metric(posterior[rows], truth[rows], weights[rows]) for metric in METRICS.values()]

    table = np.array(list(in_threads(of_fold, range(folds))))
    return dict(zip(METRICS, table.T, strict=True))


def require_rows(schema: Schema, folds: int) -> None:
    """Cross-validation needs at least two folds."""
    Folds(folds, schema.class_count)
    if folds > 1000:
        raise SettingError(f"{folds} folds are more than 1,000; use fewer.")
