"""A linear baseline for quantities: ridge least squares on the columns as they are, from sums of squares and products.

What a weighted sum of the columns predicts already, a tree should do better. The sums of a fold merge, so that a
cross-validation takes one look at the rows: the model without a fold is that of the other folds' sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from suffice.evaluation.cross_validation.contestant import Fitted, ForeignModel
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.one_pass import all_but_one
from suffice.evaluation.cross_validation.results import result_of
from suffice.evaluation.cross_validation.trial import Trial
from suffice.progress import report_rows
from suffice.schema import AnyArray, Array, Batch, Codes, Schema
from suffice.sources import Rows, gathered
from suffice.sources.targets.task import REGRESSION
from suffice.statistics.statistic import Sums

MOST_LEVELS = 30  # of a nominal column that have a weight of their own, the most frequent ones
BLOCK_ROWS = 16_384
L2 = 1.0  # as in logistic regression: the penalty of the squared weights of standardised columns


@dataclass(frozen=True)
class LinearBaseline(ForeignModel):
    """The baseline before it has seen a table."""

    task = REGRESSION

    is_baseline = True

    def effort(self, table: Rows, folds: int) -> float:
        """A pass."""
        return 1.0

    def fitted_on(self, batch: Batch) -> LinearFit:
        """The baseline of some rows."""
        terms = Terms.of(batch)
        return _products(batch, terms, np.zeros(batch.rows, dtype=np.int32), 1)[0].solved(terms)

    def judged(self, model: LinearFit) -> Fitted:
        """Its numbers."""
        return Fitted(model.predict, has_probabilities=False)

    def cross_validated(self, table: Rows, dealing: Dealing) -> Trial:
        """What the baselines without each fold predict for it, and the one of all rows."""
        batch = gathered(table)
        terms, fold = Terms.of(batch), dealing.of_batch(batch)
        products = _products(batch, terms, fold, dealing.count)
        predicted = np.empty(batch.rows)
        for k, others in enumerate(all_but_one(products)):
            rows, fit = np.flatnonzero(fold == k), others.solved(terms)
            for block in _blocks(rows):
                predicted[block] = fit.predict(batch.take(block))
            report_rows(len(rows))
        result = result_of((), predicted, batch.responses(), batch.row_weights(), fold, dealing.count)
        return Trial(result, lambda: reduce(Products.merge, products).solved(terms))


@dataclass(frozen=True)
class Terms:
    """The model matrix: every number less its mean (0 where it is missing), and an indicator for every level."""

    schema: Schema
    means: Array  # of the numeric columns
    levels: tuple[AnyArray, ...]  # of the nominal columns, the codes that have a weight

    @classmethod
    def of(cls, batch: Batch) -> Terms:
        """The terms for the rows of a training table."""
        numeric = batch.numeric
        known = np.isfinite(numeric)
        counts = np.maximum(known.sum(axis=0), 1)
        means = np.where(known, numeric, 0.0).sum(axis=0) / counts
        levels = tuple(
            np.argsort(-np.bincount(codes[codes >= 0], minlength=1), kind="stable")[:MOST_LEVELS]
            for codes in batch.codes
        )
        return cls(batch.schema, means, levels)

    @property
    def count(self) -> int:
        """How many terms there are."""
        return len(self.means) + sum(map(len, self.levels))

    def matrix(self, batch: Batch) -> Array:
        """(row, term)."""
        table = np.zeros((batch.rows, self.count))
        centred = batch.numeric - self.means
        table[:, : len(self.means)] = np.where(np.isfinite(centred), centred, 0.0)
        place = len(self.means)
        for codes, levels in zip(batch.codes, self.levels, strict=True):
            table[:, place : place + len(levels)] = codes[:, None] == levels
            place += len(levels)
        return table


@dataclass(frozen=True)
class Products(Sums):
    """The Gram matrix Σ w·z·zᵀ of rows z = (1, terms, target); the sums of two sets of rows add up."""

    sums: Array

    @classmethod
    def of(cls, terms: Array, target: Array, weights: Array) -> Products:
        """The sums of some rows."""
        rows = np.column_stack([np.ones(len(target)), terms, target])
        return cls((rows * weights[:, None]).T @ rows)

    def solved(self, terms: Terms) -> LinearFit:
        """Ridge least squares: (C + λI)·w = c, of standardised terms, where C and c are centred."""
        total = self.sums[0, 0]
        mean = self.sums[0, 1:] / total
        centred = self.sums[1:, 1:] - total * np.outer(mean, mean)
        scatter, response = centred[:-1, :-1], centred[:-1, -1]
        scale = np.sqrt(np.maximum(np.diag(scatter), 0.0) / total)
        varies = scale > 1e-9 * max(float(scale.max(initial=0.0)), 1e-300)
        inverse = np.where(varies, 1.0 / np.where(varies, scale, 1.0), 0.0)
        standard = scatter * np.outer(inverse, inverse) + L2 * np.eye(len(scale))
        weights = np.linalg.solve(standard, response * inverse) * inverse if len(scale) else np.empty(0)
        return LinearFit(terms, float(mean[-1] - weights @ mean[:-1]), weights)


@dataclass(frozen=True)
class LinearFit:
    """A linear predictor: the weighted sum of terms that the baseline predicts."""

    terms: Terms
    intercept: float
    weights: Array

    @property
    def parameter_count(self) -> int:
        """A weight for every term that varies, and the intercept."""
        return 1 + int(np.count_nonzero(self.weights))

    def predict(self, batch: Batch) -> Array:
        """The predicted numbers of rows."""
        return np.asarray(self.intercept + self.terms.matrix(batch) @ self.weights)


def _products(batch: Batch, terms: Terms, fold: Codes, folds: int) -> list[Products]:
    """The sums of every fold, a block of rows at a time."""
    empty = Products(np.zeros((terms.count + 2, terms.count + 2)))
    found = [empty] * folds
    for k in range(folds):
        for block in _blocks(np.flatnonzero(fold == k)):
            rows = batch.take(block)
            found[k] = found[k].merge(Products.of(terms.matrix(rows), rows.responses(), rows.row_weights()))
    return found


def _blocks(rows: AnyArray) -> list[AnyArray]:
    return [rows[start : start + BLOCK_ROWS] for start in range(0, len(rows), BLOCK_ROWS)]
