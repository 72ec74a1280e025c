"""The L2 (ridge) penalty l2/2·‖w‖²: a Gaussian prior on the weights, which shrinks them toward zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array
from suffice.statistics.quotient import quotient


@dataclass(frozen=True)
class Penalty:
    """L2 penalty ½·Σ_j l2_j·w_j² with two classes; with more, ½·Σ_j l2_j·Σ_k (w_kj − w̄_j)² over all of them.

    The reference has w = 0. Centred like this the penalty does not depend on which class is the reference.
    """

    strength: Array  # (dimension,), 0 for the intercept
    classes: int  # all of them, the reference included

    @property
    def shared(self) -> float:
        """By how much of the sum over all classes weights are centred."""
        return 0.0 if self.classes == 2 else 1.0 / self.classes

    def gradient(self, weights: Array) -> Array:
        """Its gradient l2_j·(w_kj − w̄_j) for weights (class but the reference, dimension)."""
        centred: Array = self.strength * (weights - self.shared * weights.sum(axis=0))
        return centred

    def value(self, weights: Array) -> float:
        """The penalty itself."""
        return 0.5 * float((weights * self.gradient(weights)).sum())

    def of(self, strength: Array) -> Penalty:
        """The same penalty of other dimensions."""
        return Penalty(strength, self.classes)

    def times(self, factor: float) -> Penalty:
        """A stronger penalty, or a weaker one."""
        return self.of(self.strength * factor)

    def blocks(self) -> Array:
        """Its Hessian, a block for each dimension (dimension, class but the reference, class but the reference)."""
        mixed: Array = self.strength[:, None, None] * (np.eye(self.classes - 1) - self.shared)
        return mixed

    def preconditioned(self, rest: Array, diagonal: Array) -> Array:
        """The block-diagonal preconditioner: solve (the Hessian's diagonal + the penalty's block)·z = rest.

        The penalty's is l2_j·(1[k=l] − 1/K), which Sherman and Morrison's formula inverts.
        """
        alone = diagonal + self.strength
        ease = quotient(1.0, alone)
        shared = self.shared * self.strength
        solved: Array = ease * rest
        total: Array = solved + ease * (shared * solved.sum(axis=0) / (1.0 - shared * ease.sum(axis=0)))
        return total

    def add_hessian(self, hessian: Array) -> Array:
        """A Hessian (class × dimension, class × dimension) with the penalty's own added."""
        count, size = self.classes - 1, len(self.strength)
        total = hessian.copy()
        diagonal = np.arange(size)
        total.reshape(count, size, count, size)[:, diagonal, :, diagonal] += self.blocks()
        return total
