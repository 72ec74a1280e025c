"""Matrix moments: weight, mean and centred cross-products per class, of rows without missing values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.errors import ForgetError
from suffice.schema import Array, Codes, picked
from suffice.statistics.class_weights import remaining
from suffice.statistics.compiled import compiled
from suffice.statistics.moments import LOST_DIGITS

BLOCK_ROWS = 4_096


@compiled
def centre_by_class(x: Array, classes: Codes, weights: Array, mean: Array, ends: Codes, out: Array) -> None:
    """Class means, then the centred rows grouped by class, each times the root of its weight."""
    is_weighted = weights.size > 0
    weight = np.zeros(mean.shape[0])
    for i in range(x.shape[0]):
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        weight[k] += w
        ends[k] += 1
        for j in range(x.shape[1]):
            mean[k, j] += w * x[i, j]
    place = np.zeros(mean.shape[0], dtype=np.int64)
    for k in range(mean.shape[0]):
        if k > 0:
            place[k] = ends[k - 1]
            ends[k] += ends[k - 1]
        if weight[k] > 0.0:
            for j in range(x.shape[1]):
                mean[k, j] /= weight[k]
    for i in range(x.shape[0]):
        k = classes[i]
        row = place[k]
        place[k] += 1
        root = np.sqrt(weights[i]) if is_weighted else 1.0
        for j in range(x.shape[1]):
            out[row, j] = root * (x[i, j] - mean[k, j])


@dataclass(frozen=True, slots=True)
class MatrixMoments:
    """Weight, mean and centred cross-products Σ w·(x−μ)(x−μ)ᵀ of each class."""

    weight: Array  # (class,)
    mean: Array  # (class, dimension)
    scatter: Array  # (class, dimension, dimension)

    @classmethod
    def empty(cls, classes: int, dimensions: int) -> MatrixMoments:
        """No rows."""
        shape = (classes, dimensions)
        return cls(np.zeros(classes), np.zeros(shape), np.zeros((*shape, dimensions)))

    @classmethod
    def of(cls, x: Array, row_classes: Codes, weights: Array | None, classes: int) -> MatrixMoments:
        """Measure complete rows, block by block: one BLAS product per class."""
        moments = cls.empty(classes, x.shape[1])
        for start in range(0, len(x), BLOCK_ROWS):
            rows = slice(start, start + BLOCK_ROWS)
            block = cls._of_block(x[rows], row_classes[rows], None if weights is None else weights[rows], classes)
            moments = block if start == 0 else moments.merge(block)
        return moments

    @classmethod
    def _of_block(cls, x: Array, row_classes: Codes, weights: Array | None, classes: int) -> MatrixMoments:
        mean = np.zeros((classes, x.shape[1]))
        ends = np.zeros(classes, dtype=np.int32)
        centred = np.empty_like(x)
        row_weights = np.empty(0) if weights is None else weights
        centre_by_class(x, row_classes, row_weights, mean, ends, centred)
        scatter = np.empty((classes, x.shape[1], x.shape[1]))
        start = 0
        for k, end in enumerate(ends):
            rows = centred[start:end]
            np.matmul(rows.T, rows, out=scatter[k])
            start = end
        weight = np.bincount(row_classes, weights, minlength=classes).astype(np.float64)
        return cls(weight, mean, scatter)

    def merge(self, other: MatrixMoments) -> MatrixMoments:
        """Chan's merge with matrices: S = S_a + S_b + δδᵀ·n_a·n_b/n."""
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        delta = other.mean - self.mean
        scatter = self.scatter + other.scatter
        scatter += (self.weight * share)[:, None, None] * delta[:, :, None] * delta[:, None, :]
        return MatrixMoments(weight, self.mean + share[:, None] * delta, scatter)

    def without(self, other: MatrixMoments) -> MatrixMoments:
        """Chan's merge run backwards; refused where it would lose more than 8 of the 16 digits."""
        weight = remaining(self.weight, other.weight)
        is_left = weight > 0
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=is_left)
        mean = np.where(is_left[:, None], self.mean + (self.mean - other.mean) * share[:, None], 0.0)
        delta = mean - other.mean
        factor = np.divide(other.weight * weight, self.weight, out=np.zeros_like(weight), where=self.weight > 0)
        moved = factor[:, None, None] * delta[:, :, None] * delta[:, None, :]
        scatter = np.where(is_left[:, None, None], self.scatter - other.scatter - moved, 0.0)
        _require_digits(scatter, self.scatter, is_left & (other.weight > 0))
        return MatrixMoments(weight, mean, scatter)

    def pick_classes(self, where: Codes) -> MatrixMoments:
        """The classes at the given positions, empty where the position is -1."""
        return MatrixMoments(*(picked(part, where) for part in (self.weight, self.mean, self.scatter)))

    def pick_dimensions(self, where: Codes) -> MatrixMoments:
        """The dimensions at the given positions, zero in every row where the position is -1."""
        scatter = picked(picked(self.scatter, where, axis=1), where, axis=2)
        return MatrixMoments(self.weight, picked(self.mean, where, axis=1), scatter)


def _require_digits(scatter: Array, before: Array, touched: Array) -> None:
    left = np.diagonal(scatter, axis1=1, axis2=2)
    was = np.diagonal(before, axis1=1, axis2=2)
    if np.any(touched[:, None] & (was > 0) & (left < LOST_DIGITS * was)):
        raise ForgetError(
            "Taking these rows out would lose more than 8 digits of the covariance (they hold nearly all of the "
            "spread of a column, or were never in the model). Fit again without them; the model is unchanged."
        )
