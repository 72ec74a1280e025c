"""The leaderboard: a line for every model, of classes or of numbers, ranked, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import gt, lt
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, SettingError
from suffice.evaluate.metric import Metric
from suffice.evaluate.metrics import METRICS
from suffice.evaluate.models import BASELINES
from suffice.evaluate.noise import within_noise
from suffice.evaluate.regression_metrics import REGRESSION_METRICS
from suffice.evaluate.results import CrossValidation, RegressionCrossValidation, number_text
from suffice.report.html import html_table
from suffice.schema import Array, Codes
from suffice.sources.task import CLASSIFICATION, REGRESSION

METRICS_OF: dict[str, Mapping[str, Metric]] = {CLASSIFICATION: METRICS, REGRESSION: REGRESSION_METRICS}
SAYS = {"majority": "the most frequent class of every row", "mean": "the mean of every row"}
DECIDES_TIES = {CLASSIFICATION: "log_loss", REGRESSION: "rmse"}


@dataclass(frozen=True)
class ClassificationRow:
    """One model's line of the leaderboard; `seconds` is the whole cross-validation and the fit on all rows.

    By the metric that the leaderboard is ranked by, `is_within_noise` says that the folds do not tell it from the best
    model, and `below` names the baseline that does better.
    """

    model: str
    accuracy: float
    accuracy_error: float
    log_loss: float
    log_loss_error: float
    auc: float
    auc_error: float
    seconds: float
    parameters: int | None  # None of another library's model
    is_within_noise: bool = False
    below: str = ""


@dataclass(frozen=True)
class RegressionRow:
    """One model's line of the leaderboard; `seconds` is the whole cross-validation and the fit on all rows.

    By the metric that the leaderboard is ranked by, `is_within_noise` says that the folds do not tell it from the best
    model, and `below` names the baseline that does better.
    """

    model: str
    rmse: float
    rmse_error: float
    mae: float
    mae_error: float
    r2: float
    r2_error: float
    seconds: float
    parameters: int | None  # None of another library's model
    is_within_noise: bool = False
    below: str = ""


Row = ClassificationRow | RegressionRow


Result = CrossValidation | RegressionCrossValidation


def row_of(model: str, result: Result, seconds: float, parameters: int | None) -> Row:
    """The line of a model, from its cross-validation."""
    scores: dict[str, Any] = {}
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
        Message(
            Setting("rank_by", rank_by),
            f" is of {known[rank_by]}, and the task is {task}. Rank by {', '.join(metrics)}, or say ",
            Setting("task", known[rank_by]),
            ".",
        )
    )


def ranked(rows: Iterable[Row], rank_by: str, task: str) -> tuple[Row, ...]:
    """Best first; of equals the one with the lower log loss or squared error, then the smaller one."""
    sign = -1.0 if METRICS_OF[task][rank_by].higher_is_better else 1.0

    def place(row: Row) -> tuple[float, float, float]:
        score, tie = (
            float(np.nan_to_num(number, nan=np.inf))
            for number in (sign * getattr(row, rank_by), getattr(row, DECIDES_TIES[task]))
        )
        return score, tie, np.inf if row.parameters is None else row.parameters

    return tuple(sorted(rows, key=place))


def leading(rows: Sequence[Row]) -> Row:
    """The best model; a baseline that looks at no column only where there is nothing else."""
    return next((row for row in rows if row.model not in SAYS), rows[0])


def judged(rows: Sequence[Row], results: Mapping[str, Result], rank_by: str, task: str) -> tuple[Row, ...]:
    """Ranked rows, each with what it is worth beside the best model and beside the baselines."""
    leader = leading(rows)
    best = results[leader.model]
    baselines = [row for row in rows if row.model in BASELINES[task]]  # the best of them first
    is_better = gt if METRICS_OF[task][rank_by].higher_is_better else lt

    def judge(row: Row) -> Row:
        scores = _on_folds(results[row.model], best.fold, rank_by)
        is_rival = row is not leader and row.model not in SAYS and not np.isnan(scores).all()
        is_alike = is_rival and within_noise(getattr(best, rank_by), scores)
        above = [other.model for other in baselines if is_better(getattr(other, rank_by), getattr(row, rank_by))]
        return replace(row, is_within_noise=is_alike, below=above[0] if above else "")

    return tuple(map(judge, rows))


def _on_folds(result: Result, fold: Codes, name: str) -> Array:
    """A metric of every fold; predictions that were made on other folds are judged on these all the same."""
    own: Array = getattr(result, name)
    if np.isnan(own).all() or np.array_equal(result.fold, fold):
        return own
    predicted: Array = result.posterior if isinstance(result, CrossValidation) else result.predicted
    of = result.metrics[name].of
    parts = (np.flatnonzero(fold == k) for k in range(len(own)))
    return np.array([of(predicted[rows], result.truth[rows], result.weights[rows]) for rows in parts])


def heading(metrics: Mapping[str, Metric]) -> list[str]:
    """The names of the columns."""
    scores = [text for metric in metrics.values() for text in (metric.heading, "± s.e.")]
    return ["model", *scores, "seconds", "parameters"]


def lines(rows: Sequence[Row], metrics: Mapping[str, Metric]) -> list[list[str]]:
    """The lines as text."""
    scores = [_texts(rows, name, metric) for name, metric in metrics.items()]
    return [
        [
            named(row),
            *(text for column in scores for text in column[place]),
            f"{row.seconds:.2f}",
            count_text(row.parameters),
        ]
        for place, row in enumerate(rows)
    ]


def named(row: Row) -> str:
    """The name of a model with its mark: < where a baseline is better, ≈ where it is within noise of the best."""
    mark = " <" if row.below else " ≈" if row.is_within_noise else ""
    return row.model + mark


def legend(rows: Sequence[Row]) -> list[str]:
    """What the marks mean, of those that are there, and what the baselines are."""
    notes = [f"{row.model} is a baseline: it says {SAYS[row.model]}" for row in rows if row.model in SAYS]
    if any(row.is_within_noise and not row.below for row in rows):
        notes.append(f"≈ is within noise of {leading(rows).model}: the folds do not tell the two apart")
    if any(row.below for row in rows):
        notes.append("< is below a baseline")
    if leading(rows).below:
        notes.append("No model is better than the baseline: the columns may tell nothing of the target")
    return notes


def count_text(parameters: int | None) -> str:
    """How many parameters; a dash where nobody knows."""
    return "–" if parameters is None else f"{parameters:,}"


def _texts(rows: Sequence[Row], name: str, metric: Metric) -> list[tuple[str, str]]:
    scores = [(float(getattr(row, name)), float(getattr(row, f"{name}_error"))) for row in rows]
    decimals = metric.decimals(score for score, _ in scores)
    return [(number_text(score, decimals), number_text(error, decimals)) for score, error in scores]


def as_html(rows: Sequence[Row], metrics: Mapping[str, Metric]) -> str:
    """The leaderboard for notebooks."""
    return html_table(heading(metrics), lines(rows, metrics))
