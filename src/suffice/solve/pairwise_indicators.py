"""Missing indicators in pairwise moments, which know of every two columns how many rows have both.

Indicators and the levels of nominal columns with gaps are known in every row, all other dimensions where they were.
With u a value less its mean (a level itself), and 0 where it is missing:

    Σ u_i·u_j = S_ij + W_ij·(M_ij − r_i)·(M_ji − r_j)      r the mean that was taken off, 0 for a level
    Σ gap_a·u_j = Σ u_j − Σ u_j where a is known           Σ gap_a·gap_b = n − W_aa − W_bb + W_ab
"""

from __future__ import annotations

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.pairwise_moments import PairwiseMoments
from suffice.statistics.quotient import quotient


def pairwise_with_indicators(pairwise: PairwiseMoments, indicators: Indicators, total: Array) -> PairwiseMoments:
    """The moments of the same rows with missing indicators; `total` is the weight of each class."""
    numeric, levels = len(indicators.schema.numeric), indicators.starts[-1]
    gaps = numeric + np.asarray(indicators.gaps)
    source = indicators.source[:levels]
    is_level = np.isin(source, gaps)
    stand_in = np.searchsorted(source, gaps)  # some dimension of each column with gaps
    found = PairwiseMoments.empty(len(total), indicators.dimensions)
    for k, rows in enumerate(total.tolist()):
        parts = pairwise.weight[k], pairwise.mean[k], pairwise.scatter[k]
        found.weight[k], found.mean[k], found.scatter[k] = _of_class(*parts, rows, is_level, stand_in)
    return found


def _of_class(
    weight: Array, mean: Array, scatter: Array, rows: float, is_level: AnyArray, stand_in: AnyArray
) -> tuple[Array, Array, Array]:
    known, own = np.diagonal(weight), np.diagonal(mean)
    is_full = np.append(is_level, np.ones(len(stand_in), dtype=bool))  # known in every row
    everywhere = np.where(is_full, rows, np.append(known, np.zeros(len(stand_in))))
    both = np.outer(is_full, everywhere) + np.outer(everywhere * ~is_full, is_full)
    plain = np.ix_(~is_full, ~is_full)
    both[plain] = weight[np.ix_(~is_level, ~is_level)]

    sums = weight * mean  # of i where j is known too
    in_gaps = known - weight[stand_in]  # (gap, dimension): the rows that know the dimension and lack the column
    gap_pairs = rows - known[stand_in][:, None] - known[stand_in] + weight[np.ix_(stand_in, stand_in)]
    of_full = np.concatenate([sums, in_gaps])  # sums of a level or an indicator over the rows that know a dimension
    of_all = np.append(np.diagonal(sums), rows - known[stand_in])
    new_sums = np.concatenate(
        [np.where(is_level, of_all[:, None], of_full), np.tile(of_all[:, None], len(stand_in))], 1
    )
    new_mean = quotient(new_sums, both)
    new_mean[~is_full] = own[~is_level][:, None]
    new_mean[plain] = mean[np.ix_(~is_level, ~is_level)]

    taken_off = np.where(is_level, 0.0, own)
    apart = mean - taken_off[:, None]
    products = scatter + weight * apart * apart.T
    partial = weight * apart  # Σ u_i where j is known
    across = np.diagonal(partial) - partial[:, stand_in].T
    new = np.block([[products, across.T], [across, gap_pairs]])
    full_mean = np.where(is_full, of_all / rows if rows > 0 else 0.0, 0.0)
    new -= rows * np.outer(full_mean, full_mean)
    new[plain] = scatter[np.ix_(~is_level, ~is_level)]
    return both, new_mean, new
