"""Entropy: how many bits it takes, on average, to tell which of some outcomes occurred."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.statistics.quotient import quotient


def entropies(weight: Array) -> Array:
    """H = −Σ p·log2(p) along the last axis, with p the shares of the weights; 0 where there is no weight.

    >>> entropies(np.array([[4, 2, 1, 1], [5, 0, 0, 0], [0, 0, 0, 0]])).tolist()
    [1.75, 0.0, 0.0]
    """
    total = weight.sum(axis=-1, keepdims=True)
    share = quotient(weight, total)
    bits = np.log2(share, out=np.zeros(weight.shape), where=share > 0)
    entropy: Array = np.abs((share * bits).sum(axis=-1))  # −0 is no entropy
    return entropy
