"""The multivariate normal density for tables as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.estimators.distributions.density import Density, require_variation
from suffice.estimators.gaussian_discriminant import warn_if_unfinished
from suffice.models.gaussian_discriminant import GaussianDiscriminantModel
from suffice.schema import Array, Batch, Schema
from suffice.solve.discriminant import solve_gaussians
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.moments.full_moments import FullMoments, MeasureFullMoments
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.statistic import Measurement


class GaussianDensity(Density):
    """N(x; μ, Σ) with the mean and the covariance of the rows, by maximum likelihood or, `unbiased`, with n − 1.

    Missing values are estimated by expectation–maximisation. A covariance that cannot be inverted is shrunk as far as
    is needed.

    >>> import suffice as sf
    >>> density = sf.GaussianDensity().fit([[1.0], [2.0], [3.0]])
    >>> density.density([[2.0]]).round(4).tolist()
    [0.4886]
    """

    model_: GaussianDiscriminantModel
    statistic_: FullMoments
    _holds = GaussianDiscriminantModel
    _kept_statistic = FullMoments

    def __init__(self, unbiased: bool = False, columns: Any = None, missing_values: Any = None) -> None:
        self.unbiased = unbiased
        self.columns = columns
        self.missing_values = missing_values

    def _measurement(self, schema: Schema) -> Measurement[FullMoments]:
        return MeasureFullMoments(Indicators.of_all_levels(schema))

    def _solve(self, statistic: FullMoments) -> GaussianDiscriminantModel:
        weight = statistic.class_weight
        solved = solve_gaussians(statistic, "shared", self.unbiased, "as_needed")
        varies = np.isin(np.arange(len(statistic.schema.columns)), solved.dimensions)
        require_variation(statistic.schema, varies, float(weight.sum()))
        warn_if_unfinished(solved)
        return solved.model(statistic, "shared", np.ones(1), weight)

    def _log_density(self, batch: Batch) -> Array:
        require_no_infinity(batch)
        return self.model_.log_joint(batch)[:, 0]

    @property
    def mean_(self) -> Array:
        """μ."""
        mean: Array = self._fitted().mean[0]
        return mean

    @property
    def covariance_(self) -> Array:
        """Σ."""
        covariance: Array = self._fitted().covariance[0]
        return covariance
