"""The confusion matrix, and the shares that follow from it: accuracy, precision, recall, F1; with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.evaluation.judging.intervals import (
    NEVER_TAKEN,
    Estimate,
    effective_rows,
    estimate_of_mean,
    share_estimate,
    wilson,
)
from suffice.schema import AnyArray, Array
from suffice.statistics.statistic import Sums


@dataclass(frozen=True)
class Confusion(Sums):
    """How much of each class was taken for which: the weight of the rows, and the sum of its squares."""

    weight: Array  # (true class, predicted class)
    squares: Array

    @classmethod
    def of(cls, truth: AnyArray, predicted: AnyArray, weights: Array, classes: int) -> Confusion:
        """The confusion of rows.

        >>> Confusion.of(np.array([0, 1, 1]), np.array([0, 0, 1]), np.ones(3), 2).weight.tolist()
        [[1.0, 0.0], [1.0, 1.0]]
        """
        cell = truth.astype(np.int64) * classes + predicted
        shape = classes, classes
        weight, squares = (
            np.bincount(cell, weights=numbers, minlength=classes**2).astype(np.float64).reshape(shape)
            for numbers in (weights, weights**2)
        )
        return cls(weight, squares)

    # Overall ----------------------------------------------------------------------------------------------------

    @cached_property
    def accuracy(self) -> Estimate:
        """The share of rows that are right, with Wilson's interval."""
        total = float(self.weight.sum())
        rows = float(effective_rows(total, self.squares.sum()))
        return share_estimate(min(float(np.trace(self.weight)) / total, 1.0), rows)

    @cached_property
    def balanced_accuracy(self) -> Estimate:
        """The mean recall of the classes that have rows; its interval from theirs, which are independent."""
        return estimate_of_mean(self.recall)

    @cached_property
    def mean_precision(self) -> Estimate:
        """The mean precision of the classes; its interval from theirs, of different rows.

        One that has rows, but for which none was taken, counts as 0 (as in scikit-learn) and may be anything.
        """
        parts = zip(self.precision, self.weight.sum(axis=1), strict=True)
        return estimate_of_mean([NEVER_TAKEN if np.isnan(own.value) and weight > 0 else own for own, weight in parts])

    @cached_property
    def mean_f1(self) -> Estimate:
        """The mean F1 of the classes; one wrong row lowers that of two, so that they are correlated."""
        return estimate_of_mean(self.f1, self._correlation)

    # By class ---------------------------------------------------------------------------------------------------

    @cached_property
    def recall(self) -> list[Estimate]:
        """Of the rows of a class the share that was found, with Wilson's interval."""
        return self._shares(self.weight.sum(axis=1), self.squares.sum(axis=1))

    @cached_property
    def precision(self) -> list[Estimate]:
        """Of the rows taken for a class the share that is of it, with Wilson's interval."""
        return self._shares(self.weight.sum(axis=0), self.squares.sum(axis=0))

    @cached_property
    def f1(self) -> list[Estimate]:
        """The harmonic mean of precision and recall, 2·J ÷ (1 + J).

        J is the share of right ones among the rows that are of the class or were taken for it; the interval is
        Wilson's of that share.
        """
        of_either = (own.sum(axis=0) + own.sum(axis=1) - np.diag(own) for own in (self.weight, self.squares))
        return [_f1_of(share) for share in self._shares(*of_either)]

    def _shares(self, of: Array, squares: Array) -> list[Estimate]:
        """What stands on the diagonal, as shares of so much weight."""
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.minimum(np.diag(self.weight) / of, 1.0)
        low, high = wilson(share, effective_rows(of, squares))
        return [Estimate(*numbers) for numbers in zip(share.tolist(), low.tolist(), high.tolist(), strict=True)]

    @property
    def _correlation(self) -> Array:
        """How the F1 of two classes vary together.

        A row moves F1 of a class by 2 − 2·F1 where it is right, and by −F1 where it is not.
        """
        f1 = np.nan_to_num([estimate.value for estimate in self.f1])
        diagonal = np.diag(self.squares)
        wrong = self.squares.sum(axis=0) + self.squares.sum(axis=1) - 2 * diagonal
        deviation = np.sqrt(diagonal * (2 - 2 * f1) ** 2 + wrong * f1**2)
        deviation[deviation == 0] = np.inf
        related = np.outer(f1, f1) * (self.squares + self.squares.T) / np.outer(deviation, deviation)
        np.fill_diagonal(related, 1.0)
        return related


def _f1_of(share: Estimate) -> Estimate:
    return Estimate(*(2 * bound / (1 + bound) for bound in (share.value, share.low, share.high)))
