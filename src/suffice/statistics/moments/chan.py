"""Chan's merge of centred moments, and the merge run backwards.

With δ the difference of the means, S = S_a + S_b + δδᵀ·n_a·n_b/n. Here are the means, δ and the factor n_a·n_b/n;
sums of squares, of products, and of pairs of columns add what they need of δδᵀ. Weights have the shape of the means, or
one that broadcasts to it.
"""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.statistics.quotient import quotient


def merged_means(
    weight: Array | float, mean: Array | float, more: Array | float, more_mean: Array | float
) -> tuple[Array, Array, Array]:
    """The mean of both, δ = mean_b − mean_a, and n_a·n_b/n; both are 0 where nothing is added.

    >>> [part.tolist() for part in merged_means(*(np.array([x]) for x in (3.0, 1.0, 1.0, 5.0)))]
    [[2.0], [4.0], [0.75]]
    """
    share = quotient(more, weight + more)
    delta = np.where(more > 0, more_mean - mean, 0.0)
    return mean + share * delta, delta, weight * share


def means_without(whole: Array, mean: Array, gone: Array, gone_mean: Array, left: Array) -> tuple[Array, Array, Array]:
    """The mean of what is `left` of the whole, δ = mean_left − mean_gone, and n_left·n_gone/n; 0 where nothing is left.

    >>> [part.tolist() for part in means_without(*(np.array([x]) for x in (4.0, 2.0, 1.0, 5.0, 3.0)))]
    [[1.0], [-4.0], [0.75]]
    """
    rest = np.where(left > 0, mean + (mean - gone_mean) * quotient(gone, left), 0.0)
    return rest, rest - gone_mean, gone * quotient(left, whole)
