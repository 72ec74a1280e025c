"""The leaderboard: a line for every model, of classes or of numbers, ranked, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from suffice.errors import SettingError
from suffice.evaluate.metric import Metric
from suffice.evaluate.metrics import METRICS
from suffice.evaluate.regression_metrics import REGRESSION_METRICS
from suffice.evaluate.results import CrossValidation, RegressionCrossValidation, number_text
from suffice.report.html import html_table
from suffice.sources.task import CLASSIFICATION, REGRESSION

METRICS_OF: dict[str, Mapping[str, Metric]] = {CLASSIFICATION: METRICS, REGRESSION: REGRESSION_METRICS}
DECIDES_TIES = {CLASSIFICATION: "log_loss", REGRESSION: "rmse"}


@dataclass(frozen=True)
class ClassificationRow:
    """One model's line of the leaderboard; `seconds` is the whole cross-validation and the fit on all rows."""

    model: str
    accuracy: float
    accuracy_error: float
    log_loss: float
    log_loss_error: float
    auc: float
    auc_error: float
    seconds: float
    parameters: int


@dataclass(frozen=True)
class RegressionRow:
    """One model's line of the leaderboard; `seconds` is the whole cross-validation and the fit on all rows."""

    model: str
    rmse: float
    rmse_error: float
    mae: float
    mae_error: float
    r2: float
    r2_error: float
    seconds: float
    parameters: int


Row = ClassificationRow | RegressionRow


def row_of(model: str, result: CrossValidation | RegressionCrossValidation, seconds: float, parameters: int) -> Row:
    """The line of a model, from its cross-validation."""
    scores: dict[str, float] = {}
    for metric in result.metrics:
        scores |= {metric: result.mean(metric), f"{metric}_error": result.standard_error(metric)}
    kind = ClassificationRow if isinstance(result, CrossValidation) else RegressionRow
    return kind(model=model, seconds=seconds, parameters=parameters, **scores)


def ranking(rank_by: str | None, task: str) -> str:
    """The metric to rank by: the task's first, unless another of its metrics is asked for."""
    metrics = METRICS_OF[task]
    if rank_by is None:
        return next(iter(metrics))
    if rank_by in metrics:
        return rank_by
    known = {metric: other for other, others in METRICS_OF.items() for metric in others}
    if rank_by not in known:
        raise SettingError(f"rank_by must be one of {', '.join(known)}, not {rank_by!r}.")
    raise SettingError(
        f"rank_by={rank_by!r} is of {known[rank_by]}, and the task is {task}. Rank by {', '.join(metrics)}, or say "
        f"task={known[rank_by]!r}."
    )


def ranked(rows: Iterable[Row], rank_by: str, task: str) -> tuple[Row, ...]:
    """Best first; of equals the one with the lower log loss or squared error, then the smaller one."""
    sign = -1.0 if METRICS_OF[task][rank_by].higher_is_better else 1.0

    def place(row: Row) -> tuple[float, float, int]:
        score, tie = (
            float(np.nan_to_num(number, nan=np.inf))
            for number in (sign * getattr(row, rank_by), getattr(row, DECIDES_TIES[task]))
        )
        return score, tie, row.parameters

    return tuple(sorted(rows, key=place))


def heading(metrics: Mapping[str, Metric]) -> list[str]:
    """The names of the columns."""
    scores = [text for metric in metrics.values() for text in (metric.heading, "± s.e.")]
    return ["model", *scores, "seconds", "parameters"]


def lines(rows: Sequence[Row], metrics: Mapping[str, Metric]) -> list[list[str]]:
    """The lines as text."""
    scores = [_texts(rows, name, metric) for name, metric in metrics.items()]
    return [
        [row.model, *(text for column in scores for text in column[place]), f"{row.seconds:.2f}", f"{row.parameters:,}"]
        for place, row in enumerate(rows)
    ]


def _texts(rows: Sequence[Row], name: str, metric: Metric) -> list[tuple[str, str]]:
    scores = [(float(getattr(row, name)), float(getattr(row, f"{name}_error"))) for row in rows]
    decimals = metric.decimals(score for score, _ in scores)
    return [(number_text(score, decimals), number_text(error, decimals)) for score, error in scores]


def as_html(rows: Sequence[Row], metrics: Mapping[str, Metric]) -> str:
    """The leaderboard for notebooks."""
    return html_table(heading(metrics), lines(rows, metrics))
