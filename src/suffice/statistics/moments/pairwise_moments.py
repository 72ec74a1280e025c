"""Pairwise deletion: for every two dimensions, the moments of the rows in which both are known."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import AnyArray, Array, Codes, picked
from suffice.soundness import require_a, require_numbers
from suffice.statistics.class_weights import remaining
from suffice.statistics.moments.chan import means_without, merged_means
from suffice.statistics.moments.lost_digits import (
    NOISE,
    Lost,
    lost_in_merge,
    lost_in_removal,
    never_there,
    off_mean,
    picked_lost,
    require_sound_lost,
)
from suffice.statistics.moments.magnitudes import SAME, mark_apart, mark_vanished
from suffice.statistics.moments.matrix_moments import MatrixMoments, diagonals, settled
from suffice.statistics.quotient import quotient


@dataclass(frozen=True, slots=True)
class PairwiseMoments:
    """For dimensions i, j and each class: W_ij, the mean M_ij of i where j is known too, and Σ(x_i−M_ij)(x_j−M_ji)."""

    weight: Array  # (class, dimension, dimension)
    mean: Array
    scatter: Array
    lost: Lost = None  # (class, dimension): how far sums of squares may be off, where rows were taken out

    def require_sound(self) -> None:
        """What a file may have wrong; `require_size` is for those who know how many classes there are."""
        require_a("weights of pairs", self.weight, np.ndarray)
        self.require_size(len(self.weight), self.weight.shape[-1])

    def require_size(self, classes: int, dimensions: int) -> None:
        """Moments of so many classes and dimensions."""
        shape = (classes, dimensions, dimensions)
        require_numbers("weights of pairs", self.weight, shape, 0.0)
        require_numbers("means of pairs", self.mean, shape)
        require_numbers("cross-products of pairs", self.scatter, shape)
        require_sound_lost(self.lost, shape[:2])
        for part in (self.weight, self.scatter):
            if not np.allclose(part, part.transpose(0, 2, 1), rtol=1e-6, atol=1e-6 * np.abs(part).max(initial=0.0)):
                raise ValueError("the moments of pairs are not symmetric")

    @classmethod
    def empty(cls, classes: int, dimensions: int) -> PairwiseMoments:
        """No rows."""
        shape = (classes, dimensions, dimensions)
        return cls(np.zeros(shape), np.zeros(shape), np.zeros(shape))

    @classmethod
    @np.errstate(invalid="ignore")  # an infinite value is found in the means, and named, by the caller
    def of(cls, x: Array, row_classes: Codes, weights: Array | None, classes: int) -> PairwiseMoments:
        """Measure rows with missing values: products of the known cells, centred at the column means first."""
        moments = cls.empty(classes, x.shape[1])
        row_weights = np.ones(len(x)) if weights is None else weights
        for k in np.unique(row_classes):
            rows = row_classes == k
            known = ~np.isnan(x[rows])
            w = row_weights[rows][:, None]
            values = np.where(known, x[rows], 0.0)
            total = (w * known).sum(axis=0)
            centre = quotient((w * values).sum(axis=0), total)
            values = np.where(known, values - centre, 0.0)
            weight = (w * known).T @ known
            offset = quotient((w * values).T @ known, weight)
            moments.weight[k] = weight
            moments.mean[k] = np.where(weight > 0, offset + centre[:, None], 0.0)
            moments.scatter[k] = (w * values).T @ values - weight * offset * offset.T
        mark_vanished(x, row_classes, np.diagonal(moments.mean, axis1=1, axis2=2), moments.squares)
        return moments

    @classmethod
    def of_complete(cls, moments: MatrixMoments, observed: AnyArray, dimensions: int) -> PairwiseMoments:
        """The moments of rows that all know the same dimensions."""
        result = cls.empty(len(moments.weight), dimensions)
        cells = np.ix_(np.arange(len(moments.weight)), observed, observed)
        is_present = (moments.weight > 0)[:, None, None]
        result.weight[cells] = moments.weight[:, None, None]
        result.mean[cells] = np.where(is_present, moments.mean[:, :, None], 0.0)
        result.scatter[cells] = moments.scatter
        if moments.lost is None:
            return result
        lost = np.zeros((len(moments.weight), dimensions))
        lost[:, observed] = moments.lost
        return replace(result, lost=lost)

    def merge(self, other: PairwiseMoments) -> PairwiseMoments:
        """Chan's merge, pair by pair."""
        weight = self.weight + other.weight
        mean, delta, factor = merged_means(self.weight, self.mean, other.weight, other.mean)
        scatter = self.scatter + other.scatter + factor * delta * delta.transpose(0, 2, 1)
        squares = diagonals(scatter)
        mine, theirs = (np.diagonal(part, axis1=1, axis2=2) for part in (self.mean, other.mean))
        are_both = np.diagonal((self.weight > 0) & (other.weight > 0), axis1=1, axis2=2)
        mark_apart(squares, mine, theirs, are_both)
        lost = lost_in_merge(self.lost, other.lost, squares)
        return PairwiseMoments(weight, mean, scatter, lost)

    @property
    def squares(self) -> Array:
        """The centred sum of squares of each class and dimension, as a part of the scatter."""
        return diagonals(self.scatter)

    def without(self, other: PairwiseMoments, numeric: int) -> PairwiseMoments:
        """Chan's merge run backwards; dimensions from `numeric` on are indicators, which stay exact."""
        weight = remaining(self.weight, other.weight)
        mean, delta, factor = means_without(self.weight, self.mean, other.weight, other.mean, weight)
        moved = factor * delta * delta.transpose(0, 2, 1)
        scatter = np.where(weight > 0, self.scatter - other.scatter - moved, 0.0)
        own, is_constant = np.s_[:, numeric:], np.zeros(scatter.shape, dtype=bool)
        mean[own], is_constant[own] = settled(mean[own], weight[own], self.weight[own])
        scatter[is_constant | is_constant.transpose(0, 2, 1)] = 0.0
        own_mean, other_mean, own_weight, removed = map(diagonals, (mean, other.mean, weight, other.weight))
        before = self.squares + off_mean(removed, own_mean, other_mean)
        lost = lost_in_removal(self.lost, other.lost, before, own_weight > 0)
        lost[diagonals(is_constant)] = 0.0
        left = PairwiseMoments(weight, mean, scatter, lost)
        left._require_possible(lost)
        return left

    def _require_possible(self, lost: Array) -> None:
        """What any rows have: |S_ij|² ≤ S_ii·S_jj, and no means of rows that know two dimensions too far off.

        Each pair is that of other rows, so that the whole need not be positive definite.
        """
        room = np.maximum(self.squares, 0.0) + NOISE * lost
        is_beyond = self.scatter**2 > room[:, :, None] * room[:, None, :] * (1.0 + SAME)
        own = diagonals(self.mean)[:, :, None]
        off = np.maximum(np.abs(self.mean - own) - SAME * np.abs(own), 0.0)
        is_beyond |= (self.weight > 0) & (self.weight * off**2 > room[:, :, None] * (1.0 + SAME))
        if is_beyond.any():
            raise never_there()

    def weighed(self, factors: Array) -> PairwiseMoments:
        """The same rows, those of each class counting for as much as its factor says."""
        return replace(self, weight=self.weight * factors[:, None, None], scatter=self.scatter * factors[:, None, None])

    def pick_classes(self, where: Codes) -> PairwiseMoments:
        """The classes at the given positions, empty where the position is -1."""
        weight, mean, scatter = (picked(part, where) for part in (self.weight, self.mean, self.scatter))
        return PairwiseMoments(weight, mean, scatter, picked_lost(self.lost, where))
