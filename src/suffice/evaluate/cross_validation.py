"""Cross-validation in one pass: statistics per fold, merged by prefix and suffix, never measured twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.estimators.base import GenerativeClassifier
from suffice.evaluate.folds import folds_of
from suffice.evaluate.metrics import METRICS
from suffice.models.generative import GenerativeModel
from suffice.report.text import text_table
from suffice.schema import AnyArray, Array, Batch, Codes, Level, Nominal, Schema
from suffice.solve.folds import Folds
from suffice.sources import Source
from suffice.statistics.statistic import S, Together
from suffice.statistics.threads import in_threads


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
    if not isinstance(estimator, GenerativeClassifier):
        raise SettingError(f"{estimator!r:.60} is no model of suffice. Use scikit-learn's own cross_validate for it.")
    opened, _ = estimator._training_table(table, target, sample_weight)
    return cross_validate_table(estimator, opened, folds, random_state)


def cross_validate_table(estimator: GenerativeClassifier, table: Source, folds: int, seed: int = 0) -> CrossValidation:
    """Cross-validate on a table that is already open."""
    require_folds(table.schema, folds)
    statistics, dealt = fold_statistics(estimator, table, folds, seed)
    return predicted(solved(estimator, all_but_one(statistics)), table, dealt)


def solved(estimator: GenerativeClassifier, statistics: Iterable[Together]) -> list[GenerativeModel]:
    """The model of every statistic, in threads."""
    return list(in_threads(estimator._solve, statistics))


def fold_statistics(
    estimator: GenerativeClassifier, table: Source, folds: int, seed: int
) -> tuple[list[Together], list[Codes]]:
    """The statistic of every fold, in one pass, and the folds of every batch's rows.

    While measuring, a row's class is the pair of its fold and its class.
    """
    schema = table.schema
    dealer = Folds(folds, schema.class_count, seed)
    labels = tuple(range(folds * schema.class_count))
    paired = schema.with_target(Nominal(schema.target.name, labels))
    measurement = estimator._measurement(table)
    dealt: list[Codes] = []

    def with_folds(batch: Batch) -> Batch:
        classes = batch.class_codes()
        dealt.append(dealer.deal(classes))
        return batch.with_classes(paired, dealt[-1] * np.int32(schema.class_count) + classes)

    total = table.measure(measurement, with_folds)
    rows = sum(map(len, dealt))
    if rows < folds:
        raise SettingError(f"{folds} folds are more than the {rows} rows of the table. Use fewer folds.")
    return list(folds_of(total, schema, folds)), dealt


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


@dataclass(frozen=True, slots=True)
class _Predictions:
    """A batch's rows sorted by fold, with what the model of their fold predicts."""

    order: AnyArray  # where each sorted row stands in the batch
    ends: AnyArray  # where each fold ends among the sorted rows
    posterior: Array
    truth: Codes
    weights: Array

    def of_fold(self, k: int) -> tuple[Array, Codes, Array]:
        """The rows of one fold."""
        rows = np.s_[self.ends[k - 1] if k else 0 : self.ends[k]]
        return self.posterior[rows], self.truth[rows], self.weights[rows]

    def in_order(self) -> tuple[Array, Codes]:
        """Predictions and classes in the order of the table."""
        place = np.empty_like(self.order)
        place[self.order] = np.arange(len(place))
        return np.take(self.posterior, place, axis=0), np.take(self.truth, place)


def predicted(models: Sequence[GenerativeModel], table: Source, dealt: Sequence[Codes]) -> CrossValidation:
    """Every row predicted by the model of its fold."""
    folds = iter(dealt)

    def with_folds(batch: Batch) -> tuple[Batch, Codes]:
        return batch, next(folds)

    def predict(pair: tuple[Batch, Codes]) -> tuple[_Predictions, tuple[Array, Codes]]:
        predictions = _predictions(models, *pair)
        return predictions, predictions.in_order()

    parts, ordered = zip(*table.map(predict, with_folds), strict=True)
    posterior, truth = (np.concatenate(part) for part in zip(*ordered, strict=True))
    return CrossValidation(table.schema.classes, posterior, truth, np.concatenate(dealt), **_scores(parts, len(models)))


def _predictions(models: Sequence[GenerativeModel], batch: Batch, fold: Codes) -> _Predictions:
    order = np.argsort(fold.astype(np.int16), kind="stable")
    ends = np.cumsum(np.bincount(fold, minlength=len(models)))
    rows = batch.take(order)
    posterior = np.empty((batch.rows, batch.schema.class_count))
    for model, start, end in zip(models, [0, *ends[:-1]], ends, strict=True):
        if end > start:
            np.exp(model.log_posterior(rows.take(np.s_[start:end])), out=posterior[start:end])
    return _Predictions(order, ends, posterior, rows.class_codes(), rows.row_weights())


def _scores(parts: Sequence[_Predictions], folds: int) -> dict[str, Array]:
    """Every metric of every fold."""

    def of_fold(k: int) -> list[float]:
        posterior, truth, weights = (
            np.concatenate(part) for part in zip(*(part.of_fold(k) for part in parts), strict=True)
        )
        return [metric(posterior, truth, weights) if len(truth) else float("nan") for metric in METRICS.values()]

    table = np.array(list(in_threads(of_fold, range(folds))))
    return dict(zip(METRICS, table.T, strict=True))


def require_folds(schema: Schema, folds: int) -> None:
    """From two folds to a thousand."""
    Folds(folds, schema.class_count)
    if folds > 1000:
        raise SettingError(f"{folds} folds are more than 1,000; use fewer.")
