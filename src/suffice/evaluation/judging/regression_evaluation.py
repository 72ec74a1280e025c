"""How good predicted numbers are on some rows: RMSE, MAE and R² with 95 % intervals."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.evaluation.judging.intervals import Estimate, influence_estimate
from suffice.evaluation.judging.metric import require_metric, score_text
from suffice.evaluation.judging.regression_metrics import REGRESSION_METRICS
from suffice.evaluation.judging.weighed_mean import WeighedMean
from suffice.report.html import html_table, html_text
from suffice.report.text import text_table
from suffice.sample import as_frame
from suffice.schema import Array
from suffice.shown import ShownAsText, counted
from suffice.statistics.squared_errors import SquaredErrors


@dataclass(frozen=True, repr=False)
class RegressionEvaluation(ShownAsText):
    """Predicted numbers beside the true ones, and how far off they are; every metric has a 95 % interval."""

    predicted: Array  # (row,)
    truth: Array
    weights: Array
    target: str = "y"
    model: str = "predictions"
    frame_kind: str = "pyarrow"
    warnings: tuple[str, ...] = ()  # what was warned of while the rows were read and predicted

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.truth)

    @cached_property
    def overall(self) -> Mapping[str, Estimate]:
        """Root mean squared error, mean absolute error, and R², the share of the variance that is predicted."""
        errors = self.truth - self.predicted
        squared = WeighedMean.of(errors**2, self.weights).estimate
        return {
            "rmse": Estimate(*(float(np.sqrt(number)) for number in (squared.value, squared.low, squared.high))),
            "mae": WeighedMean.of(np.abs(errors), self.weights).estimate,
            "r2": self._r2,
        }

    @property
    def _r2(self) -> Estimate:
        """A row moves R² by −(e² − (1 − R²)·(y − ȳ)²) ÷ the variance."""
        rows = SquaredErrors.of(self.predicted, self.truth, self.weights)
        if np.isnan(rows.r2):
            return Estimate(rows.r2)
        around, squared = (self.truth - rows.truth.mean) ** 2, (self.truth - self.predicted) ** 2
        influence = ((1.0 - rows.r2) * around - squared) * (rows.truth.weight / rows.truth.scatter)
        return influence_estimate(rows.r2, influence, self.weights).within(-np.inf, 1.0)

    def value(self, metric: str) -> float:
        """One of the metrics, without its interval."""
        require_metric(metric, self.overall)
        return self.overall[metric].value

    def plot(self, figsize: tuple[float, float] | None = None) -> Any:
        """Draw true against predicted numbers, and the errors; needs matplotlib. Returns the two Axes."""
        from suffice.evaluation.judging.shown.evaluation_picture import draw_regression

        return draw_regression(self, figsize)

    def report(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Write it as one HTML file that needs nothing else."""
        from suffice.evaluation.judging.shown.evaluation_page import write_evaluation

        write_evaluation(self, path, title)

    # Shown ------------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """Who was tried on what."""
        weighed = f" of weight {self.weights.sum():,.6g}" if (self.weights != 1.0).any() else ""
        return f"{self.model}: {self.target} (a number) on {counted(self.rows, 'row')}{weighed}"

    @property
    def lines(self) -> list[list[str]]:
        """A line of text for every metric."""
        found = []
        for name, estimate in self.overall.items():
            numbers = estimate.value, estimate.low, estimate.high
            metric = REGRESSION_METRICS[name]
            decimals = metric.decimals(numbers)
            found.append([metric.heading, *(score_text(number, decimals) for number in numbers)])
        return found

    @property
    def table(self) -> Any:
        """The metrics with their intervals as a data frame of the kind that was given, else PyArrow."""
        import pyarrow as pa

        rows = [{"metric": name, **asdict(estimate)} for name, estimate in self.overall.items()]
        return as_frame(pa.Table.from_pylist(rows), self.frame_kind)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain numbers, for JSON."""
        return {
            "model": self.model,
            "target": self.target,
            "task": "regression",
            "rows": self.rows,
            "weight": float(self.weights.sum()),
            "overall": {name: asdict(estimate) for name, estimate in self.overall.items()},
        }

    def __str__(self) -> str:
        """The metrics as text."""
        return "\n".join([self.title, "", text_table(HEADING, self.lines)])

    def _repr_html_(self) -> str:
        """The metrics for notebooks."""
        return f"<p><b>{html_text(self.title)}</b></p>" + html_table(HEADING, self.lines)


HEADING = ["", "value", "95 % from", "to"]
