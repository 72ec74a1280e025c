"""The leaderboard: a line for every model, of classes or of numbers, ranked, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import gt, lt
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, SettingError
from suffice.evaluation.comparison.corrected_t_test import within_noise
from suffice.evaluation.cross_validation.results import CrossValidation, Result, fold_scores
from suffice.evaluation.judging.metric import Metric, score_text
from suffice.evaluation.judging.task_metrics import METRICS_OF
from suffice.evaluation.models import BASELINES, LINEAR
from suffice.report.html import html_table
from suffice.report.text import text_table
from suffice.schema import Array, Codes
from suffice.sources.targets.task import CLASSIFICATION, REGRESSION

SAYS = {
    "majority": "it says the most frequent class of every row",
    "mean": "it says the mean of every row",
    LINEAR: "a weighted sum of the columns, with a small ridge penalty",
}
PAST_COUNTING = 10**12  # parameters
DECIDES_TIES = {CLASSIFICATION: "log_loss", REGRESSION: "rmse"}


@dataclass(frozen=True)
class Row:
    """One model's line of the leaderboard: its scores, by metric, which are attributes of it too.

    `accuracy` is the mean over the folds, `accuracy_error` its standard error; so for every metric. `seconds` is the
    whole cross-validation and the fit on all rows. By the metric that the leaderboard is ranked by, `is_within_noise`
    says that the folds do not tell it from the best model, and `below` names the baseline that does better.
    """

    model: str
    scores: Mapping[str, float]
    seconds: float
    parameters: int | None  # None of another library's model
    is_within_noise: bool = False
    below: str = ""

    def __getattr__(self, name: str) -> float:
        """A score by its name."""
        scores = self.__dict__.get("scores", {})
        if name not in scores:
            raise AttributeError(f"A line of this leaderboard has no {name!r}; its scores are {', '.join(scores)}.")
        found: float = scores[name]
        return found

    def cells(self) -> dict[str, Any]:
        """Everything by its name, in the order of the columns."""
        worth = {"is_within_noise": self.is_within_noise, "below": self.below}
        return {"model": self.model, **self.scores, "seconds": self.seconds, "parameters": self.parameters, **worth}


def row_of(model: str, result: Result, seconds: float, parameters: int | None) -> Row:
    """The line of a model, from its cross-validation."""
    scores: dict[str, float] = {}
    for metric in result.metrics:
        scores |= {metric: result.mean(metric), f"{metric}_error": result.standard_error(metric)}
    return Row(model, scores, seconds, parameters)


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
            for number in (sign * row.scores[rank_by], row.scores[DECIDES_TIES[task]])
        )
        return score, tie, np.inf if row.parameters is None else row.parameters

    return tuple(sorted(rows, key=place))


def leading(rows: Sequence[Row]) -> Row:
    """The first model; a baseline only where there is nothing else, and then one that is a model of suffice."""
    ordered = sorted(rows, key=lambda row: (row.model in SAYS) + (row.model == LINEAR))  # else the order stays
    return ordered[0]


def recommended(rows: Sequence[Row]) -> Row:
    """The model to go on with: of those that the folds do not tell from the first one, the most useful.

    One with probabilities comes before one without, then one with a lower log loss. Of numbers, the one with the fewest
    parameters. A model that a baseline beats is not taken in place of the first one.
    """
    first = leading(rows)
    rivals = [row for row in rows if row.is_within_noise and not row.below]
    return min([first, *rivals], key=_use)


def _use(row: Row) -> tuple[float, float]:
    parameters = np.inf if row.parameters is None else float(row.parameters)
    if _task(row) == REGRESSION:
        return 0.0, parameters
    return float(np.nan_to_num(row.scores["log_loss"], nan=np.inf)), parameters


def _task(row: Row) -> str:
    return CLASSIFICATION if "log_loss" in row.scores else REGRESSION


def why_recommended(rows: Sequence[Row], heading: str) -> str:
    """Why that is not the first of the leaderboard; nothing where it is."""
    first, best = leading(rows), recommended(rows)
    if best is first:
        return ""
    if _task(best) == REGRESSION:
        reason = "has the fewest parameters of those"
    elif not np.isfinite(first.scores["log_loss"]):
        reason = f"has probabilities, which {first.model} has not, and the lowest log loss of those"
    else:
        reason = "has the lowest log loss of those"
    return f"{best.model} is taken as the best model: it is within noise of {first.model} in {heading}, and {reason}"


def judged(rows: Sequence[Row], results: Mapping[str, Result], rank_by: str, task: str) -> tuple[Row, ...]:
    """Ranked rows, each with what it is worth beside the best model and beside the baselines."""
    leader = leading(rows)
    best = results[leader.model]
    baselines = [row for row in rows if row.model in BASELINES[task]]  # the best of them first
    is_better = gt if METRICS_OF[task][rank_by].higher_is_better else lt

    def judge(row: Row) -> Row:
        scores = _on_folds(results[row.model], best.fold, rank_by)
        is_rival = row is not leader and row.model not in SAYS and not np.isnan(scores).all()
        is_alike = is_rival and within_noise(best.of_folds(rank_by), scores, shares_training=not best.tried_on)
        above = [other.model for other in baselines if is_better(other.scores[rank_by], row.scores[rank_by])]
        return replace(row, is_within_noise=is_alike, below=above[0] if above and row.model not in SAYS else "")

    return tuple(map(judge, rows))


def _on_folds(result: Result, fold: Codes, name: str) -> Array:
    """A metric of every fold; predictions that were made on other folds are judged on these all the same."""
    own = result.of_folds(name)
    if np.isnan(own).all() or np.array_equal(result.fold, fold):
        return own
    predicted: Array = result.posterior if isinstance(result, CrossValidation) else result.predicted
    metric = {name: result.metrics[name]}
    return fold_scores(metric, predicted, result.truth, result.weights, fold, len(own))[name]


@dataclass(frozen=True)
class Precision:
    """How finely the scores are written: so many digits, and the zero before the point of a standard error or not."""

    digits: int = 4
    has_zero: bool = True


_PRECISIONS = (Precision(), Precision(3), Precision(3, has_zero=False))  # as room gets scarce


def heading(metrics: Mapping[str, Metric], precision: Precision = _PRECISIONS[0]) -> list[str]:
    """The names of the columns."""
    return [
        "model",
        *(metric.heading for metric in metrics.values()),
        "seconds" if precision.has_zero else "s",
        "parameters",
    ]


def lines(rows: Sequence[Row], metrics: Mapping[str, Metric], precision: Precision = _PRECISIONS[0]) -> list[list[str]]:
    """The lines as text; of every metric the mean ± its standard error."""
    scores = [_scores(rows, name, metric, precision) for name, metric in metrics.items()]
    return [
        [named(row), *texts, f"{row.seconds:.2f}", count_text(row.parameters)]
        for row, *texts in zip(rows, *scores, strict=True)
    ]


def board_text(rows: Sequence[Row], metrics: Mapping[str, Metric], width: int | None = None) -> str:
    """The leaderboard as text, in the widest form there is room for."""
    for precision in _PRECISIONS:
        text = text_table(heading(metrics, precision), lines(rows, metrics, precision))
        if width is None or max(map(len, text.splitlines())) <= width:
            break
    return text


def named(row: Row) -> str:
    """The name of a model with its mark: < where a baseline is better, ≈ where it is within noise of the best."""
    mark = " <" if row.below else " ≈" if row.is_within_noise else ""
    return row.model + mark


def legend(rows: Sequence[Row], rank_by: str, is_tested: bool = False) -> list[str]:
    """What the marks mean, of those that are there, what the baselines are, and which model is the best."""
    task = _task(rows[0])
    notes = [f"{row.model} is a baseline: {SAYS[row.model]}" for row in rows if row.model in SAYS]
    if any(row.is_within_noise and not row.below for row in rows):
        parts = "test rows" if is_tested else "folds"
        notes.append(f"≈ is within noise of {leading(rows).model}: the {parts} do not tell the two apart")
    if why := why_recommended(rows, METRICS_OF[task][rank_by].heading):
        notes.append(why)
    if any(row.below for row in rows):
        notes.append("< is below a baseline")
    if why := why_none(rows):
        notes.append(why)
    return notes


def why_none(rows: Sequence[Row]) -> str:
    """What it may mean that no model is better than a baseline; nothing where one is."""
    better = leading(rows).below
    if better == LINEAR:
        return f"No model is better than {LINEAR}: a weighted sum of the columns predicts the target at least as well"
    return "No model is better than the baseline: the columns may tell nothing of the target" if better else ""


def count_text(parameters: int | None) -> str:
    """How many parameters; a dash where nobody knows, and no more than a few digits where they are past counting.

    >>> count_text(1530), count_text(129 * 10**21), count_text(None)
    ('1,530', '1.3e+23', '–')
    """
    if parameters is None:
        return "–"
    return f"{parameters:,}" if parameters < PAST_COUNTING else f"{parameters:.1e}"


def _scores(rows: Sequence[Row], name: str, metric: Metric, precision: Precision) -> list[str]:
    scores = [(row.scores[name], row.scores[f"{name}_error"]) for row in rows]
    decimals = metric.decimals((score for score, _ in scores), precision.digits)
    return [_score(*of_model, decimals, precision.has_zero) for of_model in scores]


def _score(score: float, error: float, decimals: int, has_zero: bool) -> str:
    if np.isnan(score):
        return score_text(score, decimals)
    spread = score_text(error, decimals)
    return f"{score_text(score, decimals)} ±{spread if has_zero else spread.removeprefix('0')}"


def as_html(rows: Sequence[Row], metrics: Mapping[str, Metric]) -> str:
    """The leaderboard for notebooks."""
    return html_table(heading(metrics), lines(rows, metrics))
