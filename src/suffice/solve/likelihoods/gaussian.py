"""Gaussian likelihoods from the moments of columns."""

from __future__ import annotations

import numpy as np

from suffice.models.likelihoods.gaussian import Gaussian
from suffice.solve.gaussians import column_gaussians
from suffice.statistics.moments.column_moments import Moments


def solve_gaussian(moments: Moments, columns: tuple[str, ...], is_shared: bool, smoothing: float = 0.0) -> Gaussian:
    """Means and variances from moments; a column without any known value has no mean."""
    solved = column_gaussians(moments, is_shared, smoothing)
    chosen = [moments.schema.numeric_position[name] for name in columns]
    return Gaussian(
        moments.schema,
        columns,
        np.where(moments.weight.any(axis=0), solved.mean, np.nan)[:, chosen],
        solved.variance[:, chosen],
        solved.varies[chosen],
        is_shared,
    )
