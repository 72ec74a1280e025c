"""Kernel density estimation for tables as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.errors import TableError
from suffice.estimators.distributions.density import Density, require_variation
from suffice.models.kernel_density import KernelDensityModel
from suffice.schema import Array, Batch, Schema
from suffice.solve.kernel_widths import require_bandwidth, solve_kernel_density
from suffice.statistics.points import Points
from suffice.statistics.statistic import Measurement


class KernelDensity(Density):
    """(1/n)·Σ N(x; x_i, H): a Gaussian kernel on every row, H = factor²·Σ with Σ the covariance of the rows.

    `bandwidth` says how wide the bumps are: "scott" and "silverman" by their rules, "likelihood" so that every row is
    likeliest given the others, or a number, the factor itself: 0.5 is half a standard deviation. Rows in which a value
    is missing are left out.

    >>> import suffice as sf
    >>> density = sf.KernelDensity(columns=["petal_length"]).fit(sf.datasets.load("iris"))
    >>> density.density([[1.4], [2.7]]).round(3).tolist()
    [0.198, 0.062]
    """

    model_: KernelDensityModel
    statistic_: Points
    _holds = KernelDensityModel
    _kept_statistic = Points

    def __init__(self, bandwidth: Any = "scott", columns: Any = None, missing_values: Any = None) -> None:
        self.bandwidth = bandwidth
        self.columns = columns
        self.missing_values = missing_values

    def _measurement(self, schema: Schema) -> Measurement[Points]:
        require_bandwidth(self.bandwidth)
        return Points

    def _solve(self, statistic: Points) -> KernelDensityModel:
        require_bandwidth(self.bandwidth)
        if not len(statistic.values):
            raise TableError(
                "No row has a value in every column, so there is no density to learn. Choose fewer columns with "
                "columns=[…], or fill in what is missing."
            )
        varies = statistic.values.min(axis=0) < statistic.values.max(axis=0)
        require_variation(statistic.schema, varies, statistic.total)
        return solve_kernel_density(statistic, self.bandwidth)

    def _log_density(self, batch: Batch) -> Array:
        return self.model_.log_density(batch)

    @property
    def factor_(self) -> float:
        """The bandwidth factor: what the standard deviations are multiplied by."""
        return self._fitted().factor

    @property
    def kernel_covariance_(self) -> Array:
        """H, the covariance of a kernel."""
        return self._fitted().kernel_covariance

    def _look(self) -> tuple[Array, Array]:
        values, width = self.model_.points.values, 3 * self.model_.factor * self.model_.deviations
        low, high = np.quantile(values, [0.0005, 0.9995], axis=0)
        return low - width, high + width

    def _content(self) -> dict[str, Any]:
        return {"model": self._fitted()}

    @classmethod
    def _statistic_of(cls, content: Mapping[str, Any]) -> Points:
        points: Points = content["model"].points
        return points

    def _require_settings(self) -> None:
        super()._require_settings()
        require_bandwidth(self.bandwidth)
