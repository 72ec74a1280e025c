"""Missing-indicator method: missing values of nominal columns as a level, its indicator beside those of the others.

Moments are kept apart for every pattern of missing values, so that what an indicator of a gap would have been in every
row is known from the pattern: nothing is measured again, and the statistic stays the same whatever is made of it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.solve.pairwise_indicators import pairwise_with_indicators
from suffice.statistics.moments.full_moments import FullMoments, Pattern
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.matrix_moments import MatrixMoments

LEVEL, IGNORED = "level", "ignored"
ENOUGH = 10.0  # rows that lack a value: of fewer, an indicator's variance is hardly known


def with_missing_indicators(statistic: FullMoments, total: Array) -> FullMoments:
    """The same rows with a missing indicator for every nominal column that ten rows lack.

    Indicators are no Gaussians that could be expected from other columns, and that a value is missing may itself tell
    something of the class. `total` is the weight of each class.
    """
    numeric = len(statistic.schema.numeric)
    missing = _missing_weight(statistic, total)[numeric:]
    gaps = tuple(np.flatnonzero(missing >= ENOUGH).tolist())
    if not gaps:
        return statistic
    target = FullMoments.empty(replace(statistic.indicators, gaps=gaps))
    if statistic.pairwise is not None:
        return replace(target, pairwise=pairwise_with_indicators(statistic.pairwise, target.indicators, total))
    patterns: dict[Pattern, MatrixMoments] = {}
    for pattern, moments in statistic.patterns.items():
        left = tuple(is_missing and j - numeric not in gaps for j, is_missing in enumerate(pattern))
        moved = _with_indicators(moments, pattern, statistic.observed(pattern), target.indicators)
        patterns[left] = patterns[left].merge(moved) if left in patterns else moved
    return replace(target, patterns=dict(sorted(patterns.items())))


def _missing_weight(statistic: FullMoments, total: Array) -> Array:
    """The weight of the rows that lack a column: numeric ones first, then nominal ones."""
    missing = np.zeros(len(statistic.schema.numeric) + len(statistic.schema.nominal))
    for pattern, moments in statistic.patterns.items():
        missing[np.array(pattern, dtype=bool)] += moments.weight.sum()
    if statistic.pairwise is not None:
        known = np.diagonal(statistic.pairwise.weight, axis1=1, axis2=2).sum(axis=0)
        missing[statistic.indicators.source] = total.sum() - known
    return missing


def _with_indicators(
    moments: MatrixMoments, pattern: Pattern, observed: AnyArray, indicators: Indicators
) -> MatrixMoments:
    """The moments of one pattern's rows: there an indicator of a gap is 1 or 0, and no level is that of a gap."""
    place = np.full(indicators.dimensions, -1, dtype=np.int32)
    place[observed] = np.arange(len(observed))
    chosen = indicators.observed(pattern)
    moved = moments.pick_dimensions(place[chosen])
    numeric = len(indicators.schema.numeric)
    is_gap = np.array([pattern[numeric + position] for position in indicators.gaps], dtype=np.float64)
    moved.mean[:, len(chosen) - len(is_gap) :] = np.where(moments.weight[:, None] > 0, is_gap, 0.0)
    return moved
