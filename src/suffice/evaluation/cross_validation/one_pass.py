"""Cross-validation in one pass: statistics per fold, merged by prefix and suffix, never measured twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import TypeVar

import numpy as np

from suffice.errors import LearningWarning, unsaid
from suffice.estimators import GenerativeClassifier, contract
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.measured_folds import taken_apart
from suffice.evaluation.cross_validation.results import Result, result_of
from suffice.evaluation.cross_validation.trial import Trial
from suffice.machine.threads import spread
from suffice.models.generative import GenerativeModel
from suffice.models.posterior import softmax
from suffice.models.side_by_side import SideBySide
from suffice.schema import Array, Batch, Codes, Schema, joined_weights
from suffice.schema.adjacent import concatenated
from suffice.solve.folds import Folds
from suffice.sources import Rows
from suffice.statistics.statistic import Mergeable, Together

P = TypeVar("P", bound=Mergeable)


def one_pass_trial(estimator: GenerativeClassifier, table: Rows, dealing: Dealing) -> Trial:
    """Deal the rows, measure all folds in one pass and predict them in another; a model of all rows needs no third."""
    dealt = dealing.of_table(table)
    measured = dealing.shared_pass.measured(estimator, table, dealt)
    statistics = list(taken_apart(measured, table.schema, dealing.count))
    result = predicted(solved(estimator, all_but_one(statistics), table.schema), table, dealt)

    return Trial(result, lambda: contract.with_statistic(estimator, reduce(Together.merge, statistics)))


def solved(estimator: GenerativeClassifier, statistics: Iterable[Together], schema: Schema) -> list[GenerativeModel]:
    """The model of every statistic, in threads where columns are many."""
    numbers = len(schema.columns) ** 2 * schema.class_count
    return list(spread(partial(_solved_without_a_fold, estimator), statistics, numbers))


def _solved_without_a_fold(estimator: GenerativeClassifier, statistic: Together) -> GenerativeModel:
    """A model that nobody keeps: what is warned of is what the model of all rows has learned."""
    with unsaid(LearningWarning):
        return contract.solved(estimator, statistic)


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


def predicted(models: Sequence[GenerativeModel], table: Rows, folds: Folds) -> Result:
    """Every row predicted by the model of its fold."""
    parts = table.map(PredictFolds(tuple(models), SideBySide.of(models), folds))
    *found, given = zip(*parts, strict=True)
    posterior, truth, fold = map(concatenated, found)
    weights = joined_weights([(len(own), weights) for own, weights in zip(found[0], given, strict=True)])
    weights = np.broadcast_to(1.0, len(truth)) if weights is None else weights
    return result_of(table.schema.classes, posterior, truth, weights, fold, len(models))


@dataclass(frozen=True)
class PredictFolds:
    """Predicts every row of a batch by the model of its fold, all models side by side where they can."""

    models: tuple[GenerativeModel, ...]
    together: SideBySide | None
    folds: Folds

    def __call__(self, batch: Batch) -> tuple[Array, Codes, Codes, Array | None]:
        """The posterior of every row by the model that has not seen it; its class, fold and, if it has one, weight."""
        fold = self.folds.of(batch)
        posterior = None if self.together is None else _at_once(self.together, batch, fold)
        if posterior is None:
            posterior = _fold_by_fold(self.models, batch, fold)
        return posterior, batch.class_codes(), fold, batch.weights


def _at_once(models: SideBySide, batch: Batch, fold: Codes) -> Array | None:
    """Nothing where a row is impossible in every class: it takes its own model to say what then."""
    scores = models.log_joint(batch, fold)
    posterior, impossible = softmax(scores, out=scores)
    return None if impossible else posterior


def _fold_by_fold(models: Sequence[GenerativeModel], batch: Batch, fold: Codes) -> Array:
    posterior = np.empty((batch.rows, batch.schema.class_count))
    for k, model in enumerate(models):
        rows = np.flatnonzero(fold == k)
        if len(rows):
            posterior[rows] = model.posterior(batch.take(rows))
    return posterior
