"""The learning curve: a metric on held-out rows for every number of training rows; as text, picture and frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import SettingError, did_you_mean
from suffice.evaluation.judging.metric import Metric, score_text
from suffice.evaluation.judging.task_metrics import METRICS_OF
from suffice.report.html import html_table, html_text
from suffice.report.text import text_table
from suffice.sample import as_frame
from suffice.schema import AnyArray, Array
from suffice.shown import ShownAsText
from suffice.sources.targets.task import CLASSIFICATION

BAND = (0.1, 0.9)  # of the repeats


@dataclass(frozen=True, repr=False)
class LearningCurve(ShownAsText):
    """A metric on held-out rows, for every model, number of training rows and repeat."""

    models: tuple[str, ...]
    sizes: AnyArray  # (size,), training rows
    scores: Array  # (model, size, repeat)
    metric: str
    test_rows: int
    task: str = CLASSIFICATION
    frame_kind: str = "pyarrow"

    @property
    def mean(self) -> Array:
        """(model, size): the mean over the repeats."""
        means: Array = self.scores.mean(axis=2)
        return means

    @property
    def band(self) -> tuple[Array, Array]:
        """(model, size): where the middle 80 % of the repeats lie."""
        low, high = np.quantile(self.scores, BAND, axis=2)
        return low, high

    @property
    def standard_error(self) -> Array:
        """(model, size): of the mean, as if repeats were independent; they share rows."""
        repeats = self.scores.shape[2]
        if repeats < 2:
            return np.full(self.scores.shape[:2], np.nan)
        errors: Array = self.scores.std(axis=2, ddof=1) / np.sqrt(repeats)
        return errors

    def of(self, model: str) -> Array:
        """(size,): the mean curve of a model."""
        if model not in self.models:
            known = ", ".join(self.models)
            raise SettingError(f"There is no model {model!r}.{did_you_mean(model, self.models)} There are {known}.")
        curve: Array = self.mean[self.models.index(model)]
        return curve

    def overtaken_at(self, first: str, second: str) -> int | None:
        """The number of rows from which on the second model is at least as good as the first; none if never."""
        lead = self.of(second) - self.of(first)
        is_ahead = lead >= 0 if self._metric.higher_is_better else lead <= 0
        if not is_ahead[-1]:
            return None
        behind = np.flatnonzero(~is_ahead)
        return int(self.sizes[behind[-1] + 1 if len(behind) else 0])

    # Shown ------------------------------------------------------------------------------------------------------

    @property
    def _metric(self) -> Metric:
        return METRICS_OF[self.task][self.metric]

    @property
    def title(self) -> str:
        """What was measured, and how."""
        repeats = self.scores.shape[2]
        return f"{self._metric.heading} on {self.test_rows:,} held-out rows, mean of {repeats} repeats"

    @property
    def _heading(self) -> list[str]:
        return ["rows", *(text for model in self.models for text in (model, "± s.e."))]

    def _lines(self) -> list[list[str]]:
        decimals = self._metric.decimals(self.mean.ravel())
        lines = []
        for place, size in enumerate(self.sizes.tolist()):
            cells = zip(self.mean[:, place], self.standard_error[:, place], strict=True)
            lines.append([f"{size:,}", *(score_text(number, decimals) for pair in cells for number in pair)])
        return lines

    def __str__(self) -> str:
        """The curves as text."""
        return "\n".join([self.title, "", text_table(self._heading, self._lines())])

    def _repr_html_(self) -> str:
        """The curves for notebooks."""
        return f"<p>{html_text(self.title)}</p>" + html_table(self._heading, self._lines())

    @property
    def table(self) -> Any:
        """A row for every model and size, as a data frame of the kind that was given, else PyArrow."""
        import pyarrow as pa

        numbers = {"mean": self.mean, "standard_error": self.standard_error}
        numbers |= dict(zip(("low", "high"), self.band, strict=True))
        columns = {
            "model": np.repeat(self.models, len(self.sizes)).tolist(),
            "rows": np.tile(self.sizes, len(self.models)),
            **{name: values.ravel() for name, values in numbers.items()},
        }
        return as_frame(pa.table(columns), self.frame_kind)

    def plot(self, ax: Any = None, figsize: tuple[float, float] | None = None) -> Any:
        """Draw the mean curves in the bands of the middle 80 % of the repeats; needs matplotlib. Returns the Axes."""
        from suffice.evaluation.learning_curves.learning_curve_picture import draw_learning_curve

        return draw_learning_curve(self, ax, figsize)
