"""An evaluation in charts of a page: confusion matrix, ROC, calibration; predictions and the truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from suffice.evaluation.judging.classification_evaluation import Evaluation
from suffice.evaluation.judging.regression_evaluation import RegressionEvaluation
from suffice.evaluation.page_parts.chart import Chart, around
from suffice.evaluation.page_parts.palette import colours_among
from suffice.report.colours import CLASS_COLOURS
from suffice.schema import AnyArray, Array
from suffice.shown import percent, weight_text

MOST_CLASSES = 12  # with a line of the confusion matrix
MOST_CURVES = 6
MOST_POINTS = 600
LEAST_ROWS = 10  # of a point of a calibration curve


@dataclass(frozen=True)
class ConfusionTable:
    """How often each class was taken for which; rows are the truth. Recall and precision of each class.

    Of the rows of a class, a share is in a cell, and a share is right; of others taken for others only some are.
    """

    labels: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, float, float], ...], str], ...]  # label, (count, share, right), recall
    precision: tuple[str, ...]


@dataclass(frozen=True)
class CurveName:
    """One curve of a chart, for its legend."""

    label: str
    colour: str
    value: str


@dataclass(frozen=True)
class EvaluationCharts:
    """What is shown of a model."""

    confusion: ConfusionTable | None = None
    roc: Markup | None = None
    roc_names: tuple[CurveName, ...] = ()
    calibration: Markup | None = None
    calibration_names: tuple[CurveName, ...] = ()
    scatter: Markup | None = None
    residuals: Markup | None = None


def evaluation_charts(evaluation: Evaluation | RegressionEvaluation, target: str) -> EvaluationCharts:
    """Look at the predictions of an evaluation."""
    if isinstance(evaluation, RegressionEvaluation):
        return EvaluationCharts(scatter=_scatter(evaluation, target), residuals=_residuals(evaluation, target))
    chosen = _curves(evaluation)
    roc, roc_names = _roc(evaluation, chosen)
    calibration, names = _calibration(evaluation, chosen) if evaluation.has_probabilities else (None, ())
    return EvaluationCharts(_confusion(evaluation), roc, roc_names, calibration, names)


# Classes ------------------------------------------------------------------------------------------------------------


def _confusion(evaluation: Evaluation) -> ConfusionTable:
    labels, counts = [str(label) for label in evaluation.classes], evaluation.confusion
    right: Array = np.diag(counts)
    if len(labels) > MOST_CLASSES:
        others = np.sort(np.argsort(-evaluation.class_weights, kind="stable")[MOST_CLASSES - 1 :])
        labels = [label for k, label in enumerate(labels) if k not in others] + [f"{len(others):,} others"]
        counts, right = _last_together(_last_together(counts, others).T, others).T, _last_together(right, others)
    rows = []
    for k, (label, row) in enumerate(zip(labels, counts, strict=True)):
        total = float(row.sum()) or 1.0
        cells = tuple(
            (weight_text(count), count / total, right[k] / total if j == k else 0.0)
            for j, count in enumerate(row.tolist())
        )
        rows.append((label, cells, percent(right[k] / total) if row.any() else "–"))
    taken = counts.sum(axis=0)
    precision = tuple(percent(own / every) if every else "–" for own, every in zip(right, taken, strict=True))
    return ConfusionTable(tuple(labels), tuple(rows), precision)


def _last_together(counts: Array, others: AnyArray) -> Array:
    """Without some of the lines, whose sum comes last."""
    return np.concatenate([np.delete(counts, others, axis=0), counts[others].sum(axis=0, keepdims=True)])


def _curves(evaluation: Evaluation) -> list[int]:
    """The classes with a curve of their own: the second of two; of many the most frequent."""
    weights = evaluation.class_weights
    possible = [k for k in range(len(weights)) if 0 < weights[k] < weights.sum()]
    if len(weights) == 2:
        return possible[-1:]
    return sorted(sorted(possible, key=lambda k: -weights[k])[:MOST_CURVES])


def _roc(evaluation: Evaluation, chosen: list[int]) -> tuple[Markup, tuple[CurveName, ...]]:
    chart = Chart((0.0, 1.0), (0.0, 1.0), "false positives", "true positives", width=320, height=300)
    chart.guide([(0.0, 0.0), (1.0, 1.0)])
    colours, names = colours_among(chosen, len(evaluation.classes)), []
    for k in chosen:
        curve = evaluation.roc(evaluation.classes[k])
        thin = curve.thinned()
        chart.line(zip(thin.false_positive_rate, thin.true_positive_rate, strict=True), colours[k])
        names.append(CurveName(str(evaluation.classes[k]), colours[k], f"area {curve.area:.4f}"))
    return chart.drawn("ROC curves of the best model"), tuple(names)


def _calibration(evaluation: Evaluation, chosen: list[int]) -> tuple[Markup, tuple[CurveName, ...]]:
    chart = Chart((0.0, 1.0), (0.0, 1.0), "predicted probability", "share of rows", width=320, height=300)
    chart.guide([(0.0, 0.0), (1.0, 1.0)])
    colours, names = colours_among(chosen, len(evaluation.classes)), []
    for k in chosen:
        label = evaluation.classes[k]
        curve = evaluation.calibration(label, least_rows=LEAST_ROWS)
        points = list(zip(curve.predicted.tolist(), curve.observed.tolist(), strict=True))
        chart.line(points, colours[k])
        for point, low, high, weight in zip(points, curve.low, curve.high, curve.weight, strict=True):
            chart.interval(point[0], float(low), float(high), colours[k])
            chart.dot(point, colours[k], f"{weight:,.0f} rows: predicted {point[0]:.3f}, observed {point[1]:.3f}")
        brier = evaluation.by_class[label]["brier"].value
        names.append(CurveName(str(label), colours[k], f"Brier score {brier:.4f}"))
    return chart.drawn("Calibration of the best model"), tuple(names)


# Numbers ------------------------------------------------------------------------------------------------------------


def _scatter(result: RegressionEvaluation, target: str) -> Markup:
    extent = around([*result.truth.tolist(), *result.predicted.tolist()])
    chart = Chart(extent, extent, f"predicted {target}", f"true {target}", width=360, height=340)
    chart.guide([(extent[0], extent[0]), (extent[1], extent[1])])
    for place in _some(len(result.truth)):
        chart.dot((float(result.predicted[place]), float(result.truth[place])), CLASS_COLOURS[0], radius=2.0)
    return chart.drawn("Predictions of the best model against the truth")


def _some(count: int) -> AnyArray:
    """Rows at even distances, not more than a picture can show."""
    return np.unique(np.linspace(0, count - 1, min(count, MOST_POINTS)).astype(np.int64))


def _residuals(result: RegressionEvaluation, target: str) -> Markup:
    errors: Array = result.truth - result.predicted
    counts, edges = np.histogram(errors, bins=24)
    chart = Chart(around(edges.tolist(), 0.02), (0.0, float(counts.max()) * 1.05), f"error of {target}", "rows")
    for count, low, high in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        chart.area([(low, 0.0), (low, count), (high, count), (high, 0.0)], CLASS_COLOURS[0], "bar")
    return chart.drawn("Errors of the best model")
