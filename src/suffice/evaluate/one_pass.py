"""Cross-validation in one pass: statistics per fold, merged by prefix and suffix, never measured twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce

import numpy as np

from suffice.estimators import GenerativeClassifier, contract
from suffice.evaluate.folds import folds_of
from suffice.evaluate.metrics import METRICS
from suffice.evaluate.results import CrossValidation
from suffice.evaluate.trial import Trial, require_rows
from suffice.machine.threads import in_threads
from suffice.models.generative import GenerativeModel
from suffice.models.posterior import shares
from suffice.models.side_by_side import SideBySide
from suffice.schema import AnyArray, Array, Batch, Codes, Nominal
from suffice.solve.folds import Folds
from suffice.sources import Source
from suffice.statistics.statistic import S, Together

HeldOut = tuple[Array, Codes, Array]  # posterior, true classes and weights of some rows


def one_pass_trial(estimator: GenerativeClassifier, table: Source, folds: int, seed: int) -> Trial:
    """Measure all folds in one pass and predict them in another; the model of all rows needs no third."""
    statistics, dealt = fold_statistics(estimator, table, folds, seed)
    result = predicted(solved(estimator, all_but_one(statistics)), table, dealt)

    return Trial(result, lambda: contract.with_statistic(estimator, reduce(Together.merge, statistics)))


def solved(estimator: GenerativeClassifier, statistics: Iterable[Together]) -> list[GenerativeModel]:
    """The model of every statistic, in threads."""
    return list(in_threads(partial(contract.solved, estimator), statistics))


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
    measurement = contract.measurement(estimator, table)
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


def predicted(models: Sequence[GenerativeModel], table: Source, dealt: Sequence[Codes]) -> CrossValidation:
    """Every row predicted by the model of its fold."""
    folds, together = iter(dealt), SideBySide.of(models)

    def with_folds(batch: Batch) -> tuple[Batch, Codes]:
        return batch, next(folds)

    def predict(pair: tuple[Batch, Codes]) -> tuple[Array, Codes, Array, list[HeldOut]]:
        batch, fold = pair
        of_folds = _rows_of_folds(fold, len(models))
        at_once = None if together is None else _at_once(together, batch, fold)
        posterior = _fold_by_fold(models, batch, of_folds) if at_once is None else at_once
        truth, weights = batch.class_codes(), batch.row_weights()
        held_out = [
            (np.take(posterior, rows, axis=0), np.take(truth, rows), np.take(weights, rows)) for rows in of_folds
        ]
        return posterior, truth, weights, held_out

    posterior, truth, weights, held_out = zip(*table.map(predict, with_folds), strict=True)
    return CrossValidation(
        table.schema.classes,
        np.concatenate(posterior),
        np.concatenate(truth),
        np.concatenate(dealt),
        **_scores(held_out),
        weights=np.concatenate(weights),
    )


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


def _scores(held_out: Iterable[list[HeldOut]]) -> dict[str, Array]:
    """Every metric of every fold, from its parts in every batch."""

    def of_fold(parts: tuple[HeldOut, ...]) -> list[float]:
        posterior, truth, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
        return [metric.of(posterior, truth, weights) if len(truth) else float("nan") for metric in METRICS.values()]

    table = np.array(list(in_threads(of_fold, zip(*held_out, strict=True))))
    return dict(zip(METRICS, table.T, strict=True))
