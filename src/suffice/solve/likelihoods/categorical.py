"""Categorical and Bernoulli likelihoods from counts."""

from __future__ import annotations

import numpy as np

from suffice.models.likelihoods.categorical import Categorical
from suffice.solve.probabilities import smoothed
from suffice.statistics.counts import Counts


def solve_categorical(counts: Counts, smoothing: float, prior: str) -> Categorical:
    """Smooth the counts of each column."""
    tables = [counts.column(position) for position in range(len(counts.schema.nominal))]
    varies = tuple(bool(np.count_nonzero(table.any(axis=1)) > 1) for table in tables)
    fractions = tuple(smoothed(table, smoothing, prior) for table in tables)
    return Categorical(counts.schema, fractions, varies)
