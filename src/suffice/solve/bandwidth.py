"""Silverman's bandwidth for kernel density estimates."""

from __future__ import annotations

import numpy as np

from suffice.statistics.tally import Tally


def silverman_bandwidth(tally: Tally, overall_deviation: float) -> float:
    """h = 0.9·min(σ, IQR/1.34)·n^(−1/5); where a class has no spread, a thousandth of the column's own.

    >>> round(silverman_bandwidth(Tally.of(np.arange(100.0)), 29.0), 2)
    10.34
    """
    total = tally.total
    if total <= 0:
        return overall_deviation
    low, high = tally.quantiles(np.array([0.25, 0.75]))
    spreads = [spread for spread in (tally.deviation, (high - low) / 1.34) if spread > 0]
    spread = min(spreads) if spreads else 0.0
    return float(max(0.9 * spread * total**-0.2, 1e-3 * overall_deviation))
