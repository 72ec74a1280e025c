"""Learning curves: the best generative model against logistic regression, with ever more rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from suffice.estimators import GenerativeClassifier, JointBayes, LogisticRegression
from suffice.estimators.scikit import clone
from suffice.evaluation.judging.shown.evaluation_charts import CurveName
from suffice.evaluation.judging.task_metrics import METRICS_OF
from suffice.evaluation.learning_curves.learning_curve import FEWEST_ROWS, learning_curve
from suffice.evaluation.learning_curves.learning_curve_result import LearningCurve
from suffice.evaluation.page_parts.chart import Chart, around
from suffice.report.colours import CLASS_COLOURS
from suffice.schema import Batch
from suffice.sources.keeping.in_memory import InMemory
from suffice.sources.reading import SETTINGS

if TYPE_CHECKING:
    from suffice.evaluation.comparison.comparison_result import Comparison

POINTS = 7
MOST_TRAINED = 10_000  # rows that the longest curve needs; what comes after them changes little
MOST_ROWS = 20_000  # of a table that take part; of more, some are drawn
MOST_CELLS = 20_000_000  # of a table with texts of which curves are drawn
MOST_WORK = 20_000_000  # rows times parameters, over all repeats
COLOURS = CLASS_COLOURS[0], CLASS_COLOURS[5]


@dataclass(frozen=True)
class Learning:
    """Both curves, drawn, and what is said of them."""

    picture: Markup
    names: tuple[CurveName, ...]
    says: str


def learning(comparison: Comparison, batch: Batch) -> Learning | None:
    """The curves of a comparison; none where one side did not take part, or rows are too few or far too many."""
    pair, given = _pair(comparison), comparison.given
    some = _some(batch)
    train = int(0.7 * some.rows)
    least = max(FEWEST_ROWS, 2 * batch.schema.class_count)
    cells = some.rows * max(len(batch.schema.columns), 1) * max(batch.schema.class_count, 1)
    if len(pair) < 2 or given is None or train < 2 * least or cells > MOST_CELLS:
        return None
    table, target, weights = given.table, given.target, given.sample_weight
    models = {name: clone(comparison.fitted[name]) for name in pair}
    if not batch.schema.text:  # else models read the table differently
        table, target, weights = InMemory.of(some), batch.schema.target.name, None
        models = {name: _as_read(model) for name, model in models.items()}
    most = min(train, MOST_TRAINED)
    sizes = np.unique(np.geomspace(least, most, POINTS).astype(np.int64))
    curve = learning_curve(
        models,
        table,
        target,
        sizes=sizes.tolist(),
        repeats=_repeats(int(sizes.sum()), sum(comparison.fitted[name].parameter_count for name in pair)),
        metric=comparison.rank_by,
        sample_weight=weights,
    )
    return Learning(_drawn(curve), _names(curve), _said(curve, pair))


def _as_read(model: Any) -> Any:
    """The model without settings that say how columns are read: these rows are read already."""
    return model.set_params(**dict.fromkeys(model.get_params().keys() & SETTINGS))


def _some(batch: Batch) -> Batch:
    """All rows, or as many as the curves need, drawn by lot; texts are read anew, so that none is drawn of them."""
    if batch.rows <= MOST_ROWS or batch.schema.text:
        return batch
    return batch.take(np.sort(np.random.default_rng(0).choice(batch.rows, MOST_ROWS, replace=False)))


def _repeats(rows: int, parameters: int) -> int:
    """As many repeats as cost little: many of small models, few where many rows meet many parameters.

    >>> _repeats(230, 40), _repeats(1_900, 10_000)
    (10, 3)
    """
    return int(np.clip(MOST_WORK // max(rows * parameters, 1), 3, 10))


def _pair(comparison: Comparison) -> list[str]:
    """The best model that learns how a class looks, and the best that learns only what tells classes apart."""
    ranked = [(row.model, comparison.fitted.get(row.model)) for row in comparison.rows]
    generative = (n for n, m in ranked if isinstance(m, GenerativeClassifier) and not isinstance(m, JointBayes))
    logistic = (name for name, model in ranked if isinstance(model, LogisticRegression))
    return [name for name in (next(generative, None), next(logistic, None)) if name is not None]


def _drawn(curve: LearningCurve) -> Markup:
    low, high = curve.band
    x = [log10(size) for size in curve.sizes.tolist()]
    ticks = [(place, f"{size:,}") for place, size in zip(x, curve.sizes.tolist(), strict=True)]
    heading = METRICS_OF[curve.task][curve.metric].heading
    extent = around([*low.ravel().tolist(), *high.ravel().tolist()])
    chart = Chart((x[0], x[-1]), extent, "training rows", heading, width=520, height=300, x_ticks=tuple(ticks))
    for place, colour in enumerate(COLOURS):
        upper = list(zip(x, high[place].tolist(), strict=True))
        lower = list(zip(x, low[place].tolist(), strict=True))
        chart.area([*upper, *reversed(lower)], colour)
    for place, (name, colour) in enumerate(zip(curve.models, COLOURS, strict=True)):
        points = list(zip(x, curve.mean[place].tolist(), strict=True))
        chart.line(points, colour)
        for point, size in zip(points, curve.sizes.tolist(), strict=True):
            chart.dot(point, colour, f"{name}, {size:,} rows: {point[1]:.4f}")
    return chart.drawn(f"{heading} of {' and '.join(curve.models)} with ever more rows")


def _names(curve: LearningCurve) -> tuple[CurveName, ...]:
    last = curve.mean[:, -1].tolist()
    return tuple(
        CurveName(name, colour, f"{score:.4f} with {curve.sizes[-1]:,} rows")
        for name, colour, score in zip(curve.models, COLOURS, last, strict=True)
    )


def _said(curve: LearningCurve, pair: list[str]) -> str:
    generative, discriminative = pair
    overtaken = curve.overtaken_at(generative, discriminative)
    if overtaken is None:
        found = f"Here {generative} is still ahead with {curve.sizes[-1]:,} rows."
    elif overtaken == curve.sizes[0]:
        found = f"Here {discriminative} is at least as good from {overtaken:,} rows on."
    else:
        found = f"Here {discriminative} overtakes at about {overtaken:,} rows."
    low, high = curve.band[0][:, -1], curve.band[1][:, -1]
    if low.max() <= high.min():
        found += f" With {curve.sizes[-1]:,} the bands overlap: the difference may be chance."
    return (
        f"{generative} learns how each class looks (generative), {discriminative} only what tells classes apart "
        "(discriminative): the first often needs fewer rows, the second often becomes better with many. "
        f"{found} Judged on {curve.test_rows:,} rows held out, mean of {curve.scores.shape[2]} repeats; bands hold the "
        "middle 80 % of them."
    )
