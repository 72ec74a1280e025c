"""What a cross-validation finds: a prediction for every row by a model that had not seen it, and metrics per fold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from suffice.errors import SettingError, did_you_mean
from suffice.evaluate.metric import Metric
from suffice.evaluate.metrics import METRICS
from suffice.evaluate.regression_metrics import REGRESSION_METRICS
from suffice.report.html import html_table
from suffice.report.text import text_table
from suffice.schema import Array, Codes, Level


def number_text(number: float, decimals: int) -> str:
    """A number, or a dash where there is none: a perceptron has no probabilities to lose.

    >>> number_text(1234.5, 1), number_text(float("nan"), 4)
    ('1,234.5', '–')
    """
    return "–" if np.isnan(number) else f"{number:,.{decimals}f}"


class FoldScores:
    """What all results share: an array with an entry for every fold for each of the metrics."""

    metrics: ClassVar[Mapping[str, Metric]]

    def mean(self, metric: str) -> float:
        """The mean of a metric over the folds where it is defined."""
        values = self._values(metric)
        return float(np.mean(values)) if len(values) else float("nan")

    def standard_error(self, metric: str) -> float:
        """The standard error of that mean."""
        values = self._values(metric)
        return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")

    def _values(self, metric: str) -> Array:
        if metric not in self.metrics:
            known = ", ".join(self.metrics)
            raise SettingError(f"There is no metric {metric!r}.{did_you_mean(metric, self.metrics)} There are {known}.")
        values: Array = getattr(self, metric)
        return values[~np.isnan(values)]

    @property
    def _heading(self) -> list[str]:
        return [f"{len(getattr(self, next(iter(self.metrics))))}-fold", "mean", "std. error"]

    def _lines(self) -> list[list[str]]:
        """Mean and standard error of every metric."""
        rows = []
        for name, metric in self.metrics.items():
            scores = self.mean(name), self.standard_error(name)
            rows.append([name, *(number_text(score, metric.decimals(scores)) for score in scores)])
        return rows

    def __str__(self) -> str:
        """Mean and standard error of every metric, as text."""
        return text_table(self._heading, self._lines())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """The same for notebooks."""
        return html_table(self._heading, self._lines())


@dataclass(frozen=True, repr=False)
class CrossValidation(FoldScores):
    """What every row was predicted by a model that had not seen it, and the metrics of each fold."""

    classes: tuple[Level, ...]
    posterior: Array  # (row, class), in the order of the rows
    truth: Codes  # (row,), the row's class as a position in `classes`
    fold: Codes  # (row,)
    accuracy: Array  # (fold,)
    log_loss: Array
    auc: Array

    metrics: ClassVar[Mapping[str, Metric]] = METRICS


@dataclass(frozen=True, repr=False)
class RegressionCrossValidation(FoldScores):
    """The number every row was predicted by a model that had not seen it, and the metrics of each fold."""

    predicted: Array  # (row,), in the order of the rows
    truth: Array  # (row,)
    fold: Codes  # (row,)
    rmse: Array  # (fold,)
    mae: Array
    r2: Array

    metrics: ClassVar[Mapping[str, Metric]] = REGRESSION_METRICS
