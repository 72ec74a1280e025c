"""Learning curves: how good models become with more rows; statistics of fewer rows are merged into those of more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.estimators.naming import one_line, under_names
from suffice.evaluation.contestants.contestants import contestant, task_of_models
from suffice.evaluation.cross_validation.contestant import Contestant
from suffice.evaluation.cross_validation.contestant_of import own_model
from suffice.evaluation.judging.task_metrics import METRICS_OF
from suffice.evaluation.learning_curves.learning_curve_result import LearningCurve
from suffice.evaluation.models import make_model
from suffice.machine.threads import spread
from suffice.progress import doing, part_by_part, report_rows
from suffice.schema import AnyArray, Array, Batch
from suffice.settings import is_number, require_one_of, require_whole
from suffice.sources import Rows
from suffice.sources.targets.task import CLASSIFICATION, REGRESSION, suggested_task

POINTS = 8  # sizes, where none are given
FEWEST_ROWS = 10


def learning_curve(
    estimators: Any,
    table: Any,
    target: Any,
    sizes: Sequence[float] | None = None,
    repeats: int = 20,
    test_share: float = 0.3,
    metric: str | None = None,
    random_state: int = 0,
    sample_weight: Any = None,
) -> LearningCurve:
    """How good models become with more rows: train on ever more of the rows, judge on rows held out.

    `estimators` is one or several, as names, estimators (of scikit-learn, too), or a mapping of names to them. In every
    repeat a new `test_share` of the rows is held out, and the others come in a new order, in which the first rows have
    every class; all models see the same rows. `sizes` are numbers of rows, or shares of those to train on. A generative
    model's statistic of some rows is merged with that of the next, so that no row is measured twice in a repeat; other
    models are fitted anew for every size. The `metric` is one of those `compare` ranks by.

    >>> import suffice as sf
    >>> models = {"naive Bayes": sf.NaiveBayes(), "logistic": sf.LogisticRegression()}
    >>> curve = sf.learning_curve(models, sf.datasets.load("iris"), "species", sizes=[10, 100], repeats=5)
    >>> curve.sizes.tolist(), curve.scores.shape
    ([10, 100], (2, 2, 5))
    """
    models = _models(estimators, table, target)
    task = task_of_models(models, None)
    metric = _metric(metric, task)
    require_whole("repeats", repeats, 1)
    require_whole("random_state", random_state, 0)
    if not (is_number(test_share) and 0.0 < test_share < 1.0):
        raise SettingError(f"test_share must be a number between 0 and 1, not {test_share!r}.")
    opened: dict[Any, Any] = {}
    scores = []
    plan: _Plan | None = None
    for name, model in models.items():
        if model.reading not in opened:
            with doing("reading the table"):
                opened[model.reading] = model.opened(table, target, sample_weight).read_once()
        source = opened[model.reading]
        batch = model.training_batch(source)
        if plan is None:
            plan = _Plan.of(batch, sizes, repeats, test_share, random_state)
        with doing(f"learning curve of {name}"):
            scores.append(_curves(model, source, batch, plan, metric))
    assert plan is not None
    kind = next(iter(opened.values())).frame_kind
    return LearningCurve(tuple(models), plan.sizes, np.stack(scores), metric, plan.test_rows, task, kind)


# Which rows ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Plan:
    """The rows of every repeat: those to train on, of which each size takes the first, and those held out."""

    sizes: AnyArray
    orders: list[tuple[AnyArray, AnyArray]]  # to train on, to judge on

    @property
    def test_rows(self) -> int:
        return len(self.orders[0][1])

    @classmethod
    def of(cls, batch: Batch, sizes: Any, repeats: int, test_share: float, seed: int) -> _Plan:
        groups = batch.class_codes() if batch.response is None else np.zeros(batch.rows, dtype=np.int32)
        held_out = round(test_share * batch.rows)
        if not 0 < held_out < batch.rows:
            purpose = "train on" if held_out else "judge on"
            raise SettingError(f"test_share={test_share:g} of {batch.rows} rows leaves none to {purpose}. Add rows.")
        classes = len(np.unique(groups))
        chosen = _sizes(sizes, batch.rows - held_out, classes)
        orders = []
        for repeat in range(repeats):
            order = _evenly_mixed(groups, np.random.default_rng([seed, repeat]))
            orders.append((order[: batch.rows - held_out], order[batch.rows - held_out :]))
        return cls(chosen, orders)


def _evenly_mixed(groups: AnyArray, random: np.random.Generator) -> AnyArray:
    """An order of the rows in which every beginning has each class's share, and the first rows one of each.

    >>> order = _evenly_mixed(np.repeat([0, 1], [6, 2]), np.random.default_rng(0))
    >>> sorted(np.repeat([0, 1], [6, 2])[order][:2].tolist())
    [0, 1]
    """
    place = np.empty(len(groups))
    for group in np.unique(groups):
        rows = random.permutation(np.flatnonzero(groups == group))
        place[rows] = (np.arange(len(rows)) + random.random(len(rows))) / len(rows)
        place[rows[0]] -= 1.0
    return np.argsort(place, kind="stable")


def _sizes(given: Any, most: int, classes: int) -> AnyArray:
    least = max(classes, 2)
    if most < least:
        raise SettingError(f"{most} rows to train on are fewer than the {least} that are needed. Add rows.")
    if given is None:
        first = min(max(FEWEST_ROWS, 2 * classes), most)
        return np.unique(np.round(np.geomspace(first, most, POINTS)).astype(np.int64))
    numbers = np.asarray(given)
    if numbers.ndim != 1 or not len(numbers) or numbers.dtype.kind not in "iuf":
        raise SettingError(f"sizes must be numbers of rows, or shares of them, not {given!r:.60}.")
    if numbers.dtype.kind == "f" and ((numbers <= 0) | (numbers > 1)).any():
        raise SettingError("sizes must be whole numbers of rows, or all be shares above 0 and up to 1.")
    chosen = np.unique(numbers if numbers.dtype.kind != "f" else np.round(numbers * most).astype(np.int64))
    if chosen[0] < least or chosen[-1] > most:
        raise SettingError(f"sizes must lie between {least} and the {most} rows to train on, not {given!r:.60}.")
    return chosen


# One model ----------------------------------------------------------------------------------------------------------


def _curves(contestant: Contestant, source: Rows, batch: Batch, plan: _Plan, metric: str) -> Array:
    """(size, repeat): the metric on the rows held out; not a number where the model has no probabilities to lose."""
    of = METRICS_OF[CLASSIFICATION if batch.response is None else REGRESSION][metric].of

    def of_repeat(order: tuple[AnyArray, AnyArray]) -> list[float]:
        training, held_out = order[0], batch.take(order[1])
        truth = held_out.truth()
        found = []
        for model in contestant.models_of_sizes(source, batch, training, plan.sizes):
            is_known = metric != "log_loss" or model.has_probabilities
            found.append(of(model.output(held_out), truth, held_out.row_weights()) if is_known else float("nan"))
        return found

    repeats = []
    for scores in part_by_part(spread(of_repeat, plan.orders, batch.cells), len(plan.orders)):
        report_rows(batch.rows)
        repeats.append(scores)
    return np.array(repeats).T


# What was asked for -------------------------------------------------------------------------------------------------


def _models(given: Any, table: Any, target: Any) -> dict[str, Contestant]:
    named = under_names(given, lambda model: model if isinstance(model, str) else one_line(model))
    if not named:
        raise SettingError("There is no model. Give an estimator, such as sf.NaiveBayes(), or several.")
    task = suggested_task(table, target) if any(isinstance(model, str) for model in named.values()) else CLASSIFICATION
    return {
        name: own_model(make_model(model, task)) if isinstance(model, str) else contestant(model)
        for name, model in named.items()
    }


def _metric(name: str | None, task: str) -> str:
    metrics = METRICS_OF[task]
    return next(iter(metrics)) if name is None else str(require_one_of("metric", name, metrics))
