"""Scatter matrices: weight, mean vector and centred cross-products per class, of rows without missing values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.kernels.matrix_moments import add_around, centre_by_class
from suffice.kernels.moments import is_far_from_zero
from suffice.schema import AnyArray, Array, Codes, picked
from suffice.soundness import require_a, require_numbers, require_symmetric
from suffice.statistics.class_weights import remaining
from suffice.statistics.moments.chan import means_without, merged_means
from suffice.statistics.moments.lost_digits import (
    NEGATIVE_COUNTS,
    Lost,
    lost_in_merge,
    lost_in_removal,
    never_there,
    off_mean,
    picked_lost,
    require_possible,
    require_sound_lost,
)
from suffice.statistics.moments.magnitudes import mark_apart, mark_vanished
from suffice.statistics.quotient import quotient

BLOCK_ROWS = 2_048


@dataclass(frozen=True, slots=True)
class Block:
    """A block of complete rows with their classes and weights, and room for their deviations."""

    x: Array
    classes: Codes
    weights: Array | None
    centred: Array

    def means(self, classes: int) -> Array:
        """Σ w·x / Σ w of each class."""
        zeros = np.zeros((classes, self.x.shape[1]))
        weight, total, _ = self._centre(zeros, self.centred[:0])
        return quotient(total, weight[:, None])

    def around(self, mean: Array) -> tuple[Array, Array, Array]:
        """Σ w, Σ w·(x−μ) and Σ w·(x−μ)(x−μ)ᵀ of each class around given means: one BLAS product per class."""
        weight, rest, ends = self._centre(mean, self.centred)
        classes, columns = mean.shape
        products = np.empty((classes, columns, columns))
        start = 0
        for k, end in enumerate(ends.tolist()):
            rows = self.centred[start:end]
            np.matmul(rows.T, rows, out=products[k])
            start = end
        return weight, rest, products

    def _centre(self, mean: Array, out: Array) -> tuple[Array, Array, Codes]:
        """Σ w and Σ w·(x−μ) of each class, and where its rows end in `out`."""
        weight, rest, ends = np.zeros(len(mean)), np.zeros(mean.shape), np.zeros(len(mean), dtype=np.int32)
        row_weights = np.empty(0) if self.weights is None else np.ascontiguousarray(self.weights)
        x, row_classes = np.ascontiguousarray(self.x), np.ascontiguousarray(self.classes)
        centre_by_class(x, row_classes, row_weights, mean, weight, rest, ends, out)
        return weight, rest, ends


@dataclass(frozen=True, slots=True)
class MatrixMoments:
    """Weight, mean and centred cross-products Σ w·(x−μ)(x−μ)ᵀ of each class."""

    weight: Array  # (class,)
    mean: Array  # (class, dimension)
    scatter: Array  # (class, dimension, dimension)
    lost: Lost = None  # (class, dimension): how far sums of squares may be off, where rows were taken out

    def require_sound(self) -> None:
        """What a file may have wrong; `require_size` is for those who know how many classes there are."""
        require_a("weights of classes", self.weight, np.ndarray)
        require_a("means", self.mean, np.ndarray)
        self.require_size(len(self.weight), self.mean.shape[-1])

    def require_size(self, classes: int, dimensions: int) -> None:
        """Moments of so many classes and dimensions."""
        require_numbers("weights of classes", self.weight, (classes,), 0.0)
        require_numbers("means", self.mean, (classes, dimensions))
        require_symmetric("cross-products", self.scatter, (classes, dimensions, dimensions))
        require_sound_lost(self.lost, (classes, dimensions))

    @classmethod
    def empty(cls, classes: int, dimensions: int) -> MatrixMoments:
        """No rows."""
        shape = (classes, dimensions)
        return cls(np.zeros(classes), np.zeros(shape), np.zeros((*shape, dimensions)))

    @classmethod
    def of(cls, x: Array, row_classes: Codes, weights: Array | None, classes: int) -> MatrixMoments:
        """Measure complete rows, block by block: one look around the means so far, or where that is not safe, more.

        It ends at a block with a number that is missing or infinite, whose means then are none.
        """
        moments = cls.empty(classes, x.shape[1])
        size = max(BLOCK_ROWS, 1_024 * classes)  # more classes, more matrices to add up after each block
        centred = np.empty((min(size, len(x)), x.shape[1]))
        for start in range(0, len(x), size):
            rows = slice(start, start + size)
            block = Block(x[rows], row_classes[rows], None if weights is None else weights[rows], centred)
            if start == 0:
                moments = cls._of_block(block, classes)
            elif not moments._add(block):
                moments = moments.merge(cls._of_block(block, classes))
            if not np.isfinite(moments.mean).all():
                break
        mark_vanished(x, row_classes, moments.mean, moments.squares)
        return moments

    @classmethod
    def _of_block(cls, block: Block, classes: int) -> MatrixMoments:
        """Two-pass moments around the block's own means, compensated where they lie far from zero."""
        mean = block.means(classes)
        weight, rest, scatter = block.around(mean)
        diagonal = np.ascontiguousarray(diagonals(scatter))
        if is_far_from_zero(np.tile(weight[:, None], mean.shape[1]), mean, diagonal):
            mean = mean + quotient(rest, weight[:, None])
            scatter = block.around(mean)[2]
        return cls(weight, mean, scatter)

    def _add(self, block: Block) -> bool:
        """Shifted one-pass moments: add a block in place, if its rows lie near the means so far."""
        more, rest, products = block.around(self.mean)
        by_rows = (self.mean.size, self.mean.shape[1])
        scatter, products = self.scatter.reshape(by_rows), products.reshape(by_rows)
        return add_around(self.weight, self.mean, scatter, more, rest, products)

    def merge(self, other: MatrixMoments) -> MatrixMoments:
        """Chan's merge with matrices, S = S_a + S_b + δδᵀ·n_a·n_b/n, for the classes the other has rows of."""
        weight, scatter = self.weight + other.weight, self.scatter.copy()
        mean, delta, factor = merged_means(self.weight[:, None], self.mean, other.weight[:, None], other.mean)
        for k in np.flatnonzero(other.weight):
            scatter[k] += other.scatter[k]
            if self.weight[k] > 0:
                scatter[k] += np.outer(factor[k] * delta[k], delta[k])
        squares = diagonals(scatter)
        mark_apart(squares, self.mean, other.mean, ((self.weight > 0) & (other.weight > 0))[:, None])
        return MatrixMoments(weight, mean, scatter, lost_in_merge(self.lost, other.lost, squares))

    def without(self, other: MatrixMoments, numeric: int) -> MatrixMoments:
        """Chan's merge run backwards; dimensions from `numeric` on are indicators, which stay exact.

        An error where what would be left is nothing that rows can have.
        """
        weight = remaining(self.weight, other.weight)
        is_left = weight > 0
        whole, gone, left = self.weight[:, None], other.weight[:, None], weight[:, None]
        mean, delta, factor = means_without(whole, self.mean, gone, other.mean, left)
        moved = (factor * delta)[:, :, None] * delta[:, None, :]
        scatter = np.where(is_left[:, None, None], self.scatter - other.scatter - moved, 0.0)
        mean[:, numeric:], is_constant = settled(mean[:, numeric:], weight[:, None], self.weight[:, None])
        classes, dimensions = np.nonzero(is_constant)
        scatter[classes, numeric + dimensions, :] = 0.0
        scatter[classes, :, numeric + dimensions] = 0.0
        before = self.squares + off_mean(other.weight[:, None], mean, other.mean)
        lost = lost_in_removal(self.lost, other.lost, before, is_left[:, None])
        lost[classes, numeric + dimensions] = 0.0
        require_possible(scatter, lost)
        return MatrixMoments(weight, mean, scatter, lost)

    @property
    def squares(self) -> Array:
        """The centred sum of squares of each class and dimension, as a part of the scatter."""
        return diagonals(self.scatter)

    def weighed(self, factors: Array) -> MatrixMoments:
        """The same rows, those of each class counting for as much as its factor says."""
        return replace(self, weight=self.weight * factors, scatter=self.scatter * factors[:, None, None])

    def pick_classes(self, where: Codes) -> MatrixMoments:
        """The classes at the given positions, empty where the position is -1."""
        weight, mean, scatter = (picked(part, where) for part in (self.weight, self.mean, self.scatter))
        return MatrixMoments(weight, mean, scatter, picked_lost(self.lost, where))

    def pick_dimensions(self, where: Codes) -> MatrixMoments:
        """The dimensions at the given positions, zero in every row where the position is -1."""
        scatter = picked(picked(self.scatter, where, axis=1), where, axis=2)
        return MatrixMoments(self.weight, picked(self.mean, where, axis=1), scatter, picked_lost(self.lost, where, 1))


def diagonals(matrices: Array) -> Array:
    """The diagonal of every matrix, as a part of it that can be written to."""
    diagonal: Array = np.einsum("kjj->kj", matrices)
    return diagonal


def settled(mean: Array, weight: Array, before: Array) -> tuple[Array, AnyArray]:
    """Means of indicators after a removal, exactly 0 or 1 where all rows that are left agree, and where that is."""
    ones, tolerance = weight * mean, 1e-12 * before
    if np.any((ones < -tolerance) | (ones > weight + tolerance)):
        raise never_there(NEGATIVE_COUNTS)
    is_nowhere, is_everywhere = ones <= tolerance, ones >= weight - tolerance
    return np.where(is_nowhere, 0.0, np.where(is_everywhere, 1.0, mean)), is_nowhere | is_everywhere
