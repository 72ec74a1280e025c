"""Observed information (negative Hessian), Σ w·p_k·(1[k=l] − p_l)·x·xᵀ: BLAS on dense terms, sums over cells."""

from __future__ import annotations

import numpy as np

from suffice.kernels.hessian import add_coded_hessian, scale_to_pairs, spread_rows
from suffice.kernels.terms import Terms
from suffice.schema import AnyArray, Array, Codes

BLOCK_CELLS = 100_000  # 0.8 MB, so that threads spend their time in matrix products and not in between
LEAST_ROWS = 64
IN_REGISTER = 4  # numbers
WIDE = 5  # dense terms for each class but one, from which on one product for each pair of classes is cheaper


class HessianSums:
    """The Hessian, or observed information, (class × dimension, class × dimension) of the rows so far."""

    def __init__(self, terms: Terms, used_dense: AnyArray, dimensions: int, classes: int, most_rows: int) -> None:
        self._terms, self._used_dense, self._dimensions = terms, used_dense, dimensions
        self._classes, self._width = classes, terms.dense_count
        width, size = self._width, classes * dimensions if len(terms.factors) else 0
        self._is_wide = width >= WIDE * classes
        self._coded, self._mixed = np.zeros((size, size)), np.zeros((size, classes * width if size else 0))
        copies = classes * (classes + 1) // 2 if self._is_wide else classes
        padded = -(-width // IN_REGISTER) * IN_REGISTER  # BLAS is slower on ragged rows
        self._own = np.zeros((copies, padded, padded))  # of pairs of classes, or of each class by itself
        self._spread = np.zeros((0 if self._is_wide else classes * width,) * 2)
        limit = max(LEAST_ROWS, BLOCK_CELLS // (copies * width))
        blocks = max(-(-most_rows // limit), 1)
        self._rows = max(-(-most_rows // blocks), 1)  # equal blocks
        self._scaled_cells = np.empty(copies * self._rows * padded)
        self._spread_rows = np.empty((self._rows, len(self._spread)))

    def add(self, numeric: Array, codes: Codes, probability: Array, weights: Array) -> None:
        """Add some rows, given their P(class | x)."""
        if self._coded.size:
            add_coded_hessian(self._terms, numeric, codes, probability, weights, self._coded, self._mixed)
        for begin in range(0, len(numeric), self._rows):
            count = min(self._rows, len(numeric) - begin)
            scaled = self._scaled_cells[: self._own[:, 0].size * count].reshape(len(self._own) * count, -1)
            if not self._is_wide:
                spread = self._spread_rows[:count]
                spread_rows(self._terms, numeric, probability, weights, begin, spread)
                self._spread += spread.T @ spread
            scale_to_pairs(self._terms, numeric, probability, weights, begin, count, not self._is_wide, scaled)
            pairs = scaled.reshape(len(self._own), count, -1)
            self._own += pairs.transpose(0, 2, 1) @ pairs

    def _of_dense_terms(self) -> Array:
        """The part of dense terms.

        Many terms: every pair of classes has a symmetric product of its own, half the work of one of different rows.
        Few terms of many classes: one product of all classes side by side, but for each class with itself, where p − p²
        would lose digits when p is nearly 1.
        """
        classes, width = self._classes, self._width
        total = np.zeros((classes, width, classes, width)) if self._is_wide else -self._spread
        total = total.reshape(classes, width, classes, width)
        pairs = [(k, m) for k in range(classes) for m in range(k, classes if self._is_wide else k + 1)]
        for own, (k, m) in zip(self._own[:, :width, :width], pairs, strict=True):
            total[k, :, m] = own if k == m else -own
            total[m, :, k] = total[k, :, m].T
        return total.reshape((classes * width,) * 2)

    def total(self) -> Array:
        """The sum over all rows, in dimensions."""
        classes, width = self._classes, self._width
        dense_sum = self._of_dense_terms()
        every = np.arange(classes)[:, None]
        theirs = (every * width + self._used_dense).ravel()
        dense = dense_sum if len(theirs) == len(dense_sum) else dense_sum[np.ix_(theirs, theirs)]
        if not self._coded.size:
            return dense
        mine = (every * self._dimensions + np.arange(len(self._used_dense))).ravel()
        total = self._coded + np.triu(self._coded, 1).T  # one half was summed
        total[:, mine] += self._mixed[:, theirs]
        total[mine, :] += self._mixed[:, theirs].T
        total[np.ix_(mine, mine)] += dense
        return total
