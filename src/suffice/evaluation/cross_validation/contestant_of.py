"""Estimators as contestants: those of suffice, whose statistics merge or which are refitted, and scikit-learn's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from suffice.estimators import (
    Classifier,
    DecisionTree,
    GaussianDiscriminant,
    GenerativeClassifier,
    Predictor,
    Refitted,
    contract,
)
from suffice.estimators.capabilities import has_probabilities, is_estimator
from suffice.evaluation.cross_validation.contestant import Contestant, Fitted
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.held_out_table import HeldOutTable, held_out_result
from suffice.evaluation.cross_validation.one_pass import one_pass_trial
from suffice.evaluation.cross_validation.refitting import refitting_trial, remeasuring_trial
from suffice.evaluation.cross_validation.results import Result
from suffice.evaluation.cross_validation.scikit_learn_models import ScikitLearnModel
from suffice.evaluation.cross_validation.shared_pass import SharedPass
from suffice.evaluation.cross_validation.trial import Trial
from suffice.evaluation.models import Model
from suffice.schema import AnyArray, Batch
from suffice.sources import Rows
from suffice.sources.targets.task import CLASSIFICATION, REGRESSION
from suffice.statistics.statistic import Together


def contestant_of(estimator: Any) -> Contestant | None:
    """An estimator of suffice or of scikit-learn as a contestant; None where it is neither."""
    contract.require_object(estimator)
    if isinstance(estimator, Predictor):
        return own_model(estimator)
    return ScikitLearnModel.of(estimator) if is_estimator(estimator) else None


def own_model(estimator: Any) -> OwnModel:
    """An estimator of suffice as a contestant."""
    return (MergedModel if isinstance(estimator, GenerativeClassifier) else RefittedModel)(estimator)


@dataclass(frozen=True)
class OwnModel(Contestant):
    """An estimator of suffice."""

    reader: Model

    @property
    def task(self) -> str:
        """What it predicts."""
        return CLASSIFICATION if isinstance(self.reader, Classifier) else REGRESSION

    @property
    def own(self) -> Model:
        """It reads the table itself."""
        return self.reader

    def tested(self, model: Any, table: Rows, test: HeldOutTable, seed: int) -> Result:
        """What its model, which reads tables itself, says of test rows."""
        said, _, truth, weights = test.judged_by(model)
        return held_out_result(said, truth, weights, model.schema_.classes, seed, has_probabilities(self.reader))

    def remember(self, model: Any, X: Any, y: Any, table: Rows) -> None:
        """Let its model know the table that it was trained on, as after `fit`."""
        contract.remember(model, X, y, table)

    def _judged(self, model: Any) -> Fitted:
        return Fitted(model.output, has_probabilities(self.reader))


@dataclass(frozen=True)
class MergedModel(OwnModel):
    """An estimator whose statistics merge: one pass measures all folds."""

    reader: GenerativeClassifier

    def effort(self, table: Rows, folds: int) -> float:
        """A pass, and as many as there are cells in matrices of cross-products for every cell of the table."""
        cells = (table.rows or 0) * len(table.schema.columns)
        if not cells or not isinstance(self.reader, GaussianDiscriminant):
            return 1.0
        return 1.0 + contract.numbers_kept(self.reader, table) / cells

    def cross_validated(self, table: Rows, dealing: Dealing) -> Trial:
        """From statistics of the folds, which are merged, unless that takes longer than to measure the rows again."""
        trial_of = remeasuring_trial if contract.is_remeasured(self.reader, table) else one_pass_trial
        return trial_of(self.reader, table, dealing)

    def fitted(self, table: Rows, shared_pass: SharedPass) -> GenerativeClassifier:
        """From the statistic of all rows."""
        return contract.with_statistic(self.reader, shared_pass.measured(self.reader, table))

    def models_of_sizes(self, table: Rows, batch: Batch, order: AnyArray, sizes: AnyArray) -> Iterator[Fitted]:
        """The statistic of some rows is merged with that of the next: no row is measured twice."""
        measurement = contract.measurement(self.reader, table)
        total: Together | None = None
        for begin, end in pairwise([0, *sizes.tolist()]):
            added = measurement.of(batch.take(order[begin:end]))
            total = added if total is None else total.merge(added)
            yield self._judged(contract.solved(self.reader, total))


@dataclass(frozen=True)
class RefittedModel(OwnModel):
    """An estimator that learns from all rows at once, anew without every fold."""

    reader: Refitted

    @property
    def is_baseline(self) -> bool:
        """Whether it looks at no column: a tree of one leaf."""
        return isinstance(self.reader, DecisionTree) and self.reader.max_depth == 0

    def effort(self, table: Rows, folds: int) -> float:
        """Pruning by a cross-validation of its own takes three times as long."""
        if self.is_baseline:
            return 1.0
        is_pruned_by_folds = isinstance(self.reader, DecisionTree) and self.reader.prune == "cost_complexity"
        return folds * (1.5 if is_pruned_by_folds else 0.5)

    def training_batch(self, table: Rows) -> Batch:
        """All rows of a table, in which no number may be infinite."""
        return contract.training_batch(self.reader, table)

    def cross_validated(self, table: Rows, dealing: Dealing) -> Trial:
        """By refitting."""
        return refitting_trial(self.reader, table, dealing)

    def fitted(self, table: Rows, shared_pass: SharedPass) -> Refitted:
        """From all rows."""
        return contract.fitted_on(self.reader, self.training_batch(table))

    def models_of_sizes(self, table: Rows, batch: Batch, order: AnyArray, sizes: AnyArray) -> Iterator[Fitted]:
        """Each fitted anew."""
        for size in sizes.tolist():
            yield self._judged(contract.fold_model(self.reader, batch.take(order[:size])))
