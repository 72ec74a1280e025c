"""Cross-validation in one pass: statistics per fold, merged by prefix and suffix, never measured twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from suffice.estimators import GenerativeClassifier
from suffice.evaluate.folds import folds_of
from suffice.evaluate.metrics import METRICS
from suffice.evaluate.results import CrossValidation
from suffice.evaluate.trial import Trial, require_rows
from suffice.models.generative import GenerativeModel
from suffice.schema import AnyArray, Array, Batch, Codes, Nominal
from suffice.solve.folds import Folds
from suffice.sources import Source
from suffice.statistics.statistic import S, Together
from suffice.threads import in_threads


def one_pass_trial(estimator: GenerativeClassifier, table: Source, folds: int, seed: int) -> Trial:
    """Measure all folds in one pass and predict them in another; the model of all rows needs no third."""
    statistics, dealt = fold_statistics(estimator, table, folds, seed)
    result = predicted(solved(estimator, all_but_one(statistics)), table, dealt)

    def fitted() -> GenerativeClassifier:
        whole = reduce(Together.merge, statistics)
        other = estimator._with_model(estimator._solve(whole))
        other.statistic_ = whole
        return other

    return Trial(result, fitted)


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
    require_rows(sum(map(len, dealt)), folds)
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
        return [metric.of(posterior, truth, weights) if len(truth) else float("nan") for metric in METRICS.values()]

    table = np.array(list(in_threads(of_fold, range(folds))))
    return dict(zip(METRICS, table.T, strict=True))
