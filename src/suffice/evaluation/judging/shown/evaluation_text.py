"""An evaluation as text, as HTML, as a data frame and as plain numbers for JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.evaluation.judging.intervals import Estimate
from suffice.evaluation.judging.metric import score_text
from suffice.report.html import html_table, html_text
from suffice.report.text import text_table
from suffice.schema import Array
from suffice.shown import counted, listed, weight_text

if TYPE_CHECKING:
    from suffice.evaluation.judging.classification_evaluation import Evaluation

MOST_CLASSES = 12  # of which the confusion matrix is shown whole
MOST_CONFUSED = 10
WIDTH = 100
HEADINGS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "mean_precision": "mean precision",
    "mean_f1": "mean F1",
    "log_loss": "log loss",
    "brier": "Brier score",
    "auc": "AUC",
    "average_precision": "average precision",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
}
BY_DECISION = ("precision", "recall", "f1")

Section = tuple[str, list[str], list[list[str]]]  # a title, a heading, rows


def evaluation_text(evaluation: Evaluation) -> str:
    """The metrics as text."""
    parts = [title(evaluation)]
    for name, heading, rows in sections(evaluation):
        parts += ["", name, "", text_table(heading, rows)] if name else ["", text_table(heading, rows)]
    return "\n".join([*parts, *(f"\n{textwrap.fill(note, WIDTH)}" for note in notes(evaluation))])


def evaluation_html(evaluation: Evaluation) -> str:
    """The metrics for notebooks."""
    parts = [f"<p><b>{html_text(title(evaluation))}</b></p>"]
    for name, heading, rows in sections(evaluation):
        parts += [f"<p>{html_text(name)}</p>"] if name else []
        parts.append(html_table(heading, rows))
    return "".join([*parts, *(f"<p>{html_text(note)}</p>" for note in notes(evaluation))])


def title(evaluation: Evaluation) -> str:
    """Who was tried on what."""
    weighed = f" of weight {evaluation.weight:,.6g}" if evaluation.is_weighted else ""
    positive = f", positive: {evaluation.positive}" if evaluation.positive is not None else ""
    return (
        f"{evaluation.model}: {evaluation.target} ({len(evaluation.classes)} classes{positive}) "
        f"on {counted(evaluation.rows, 'row')}{weighed}"
    )


def notes(evaluation: Evaluation) -> list[str]:
    """What a reader should know: the threshold, the best one, classes that have no rows."""
    found = []
    positive = evaluation.positive
    score = f"P({positive})" if evaluation.has_probabilities else f"the score of {positive}"
    if evaluation.threshold is not None:
        found.append(f"A row is taken for {positive} where {score} is at least {evaluation.threshold:g}.")
    best = evaluation.best_threshold
    if best is not None:
        when = "never" if best.threshold == np.inf else f"where {score} is at least {best.threshold:.4g}"
        found.append(
            f"Errors ({best.costs}) cost least on these rows if a row is taken for {positive} {when}: "
            f"{interval_text(best.cost)} a row, against {interval_text(best.cost_as_decided)} as decided here. "
            "On other rows the best threshold will cost a little more."
        )
    least = evaluation.least_cost
    if least is not None:
        found.append(
            f"Errors ({_cost_text(evaluation, least.table)}) cost {interval_text(least.cost_as_decided)} a row."
        )
    if least is not None and least.cost is not None:
        by_cost = "If every row is taken for the class of the least expected cost"
        found.append(f"{by_cost}, they cost {interval_text(least.cost)} a row.")
    absent = [label for label, weight in zip(evaluation.classes, evaluation.class_weights, strict=True) if not weight]
    if absent:
        found.append(
            f"No row is of class {listed(absent, 10)}: what needs one is not known (–) and has no part in means."
        )
    missed = [label for label, own in evaluation.by_class.items() if np.isnan(own["precision"].value)]
    missed = [label for label in missed if label not in absent]
    if missed:
        found.append(
            f"No row was taken for class {listed(missed, 10)}: its precision is not known (–), and 0 in the mean."
        )
    if evaluation.area_within > 0:
        found.append(
            f"Scores were counted in cells where the rows are: areas are exact to {evaluation.area_within:.1g}."
        )
    return found


def _cost_text(evaluation: Evaluation, table: Array) -> str:
    """The costs that are not 1, as they were named."""
    named = [
        f"{truth} as {taken} {cost:g}"
        for truth, row in zip(evaluation.classes, table.tolist(), strict=True)
        for taken, cost in zip(evaluation.classes, row, strict=True)
        if truth != taken and cost != 1.0
    ]
    shown = [*named[:MOST_CONFUSED], *(["…"] if len(named) > MOST_CONFUSED else [])]
    return ", ".join([*shown, "others 1"] if len(named) < table.size - len(table) else shown)


def sections(evaluation: Evaluation) -> list[Section]:
    """The tables: overall, by class, the confusion matrix."""
    overall = [
        [HEADINGS[name], score_text(estimate.value, 4), *bounds(estimate)]
        for name, estimate in evaluation.overall.items()
    ]
    first = next(iter(evaluation.by_class.values()))
    of_scores = [name for name in first if name not in BY_DECISION]
    return [
        ("", ["", "value", "95 % from", "to"], overall),
        ("By class, as decided, with 95 % intervals", *_by_class(evaluation, BY_DECISION, with_rows=True)),
        ("By class against the rest, by score", *_by_class(evaluation, of_scores)),
        _confusion(evaluation),
    ]


def _by_class(
    evaluation: Evaluation, names: tuple[str, ...] | list[str], with_rows: bool = False
) -> tuple[list[str], list[list[str]]]:
    size = "weight" if evaluation.is_weighted else "rows"
    rows = []
    for k, (label, scores) in enumerate(evaluation.by_class.items()):
        count = [weight_text(evaluation.class_weights[k])] if with_rows else []
        rows.append([str(label), *count, *(interval_text(scores[name]) for name in names)])
    return ["class", *([size] if with_rows else []), *(HEADINGS[name] for name in names)], rows


def _confusion(evaluation: Evaluation) -> Section:
    """The whole matrix, or the most frequent errors where there are many classes."""
    classes, matrix = [str(label) for label in evaluation.classes], evaluation.confusion
    if len(classes) <= MOST_CLASSES:
        rows = [[label, *map(weight_text, line)] for label, line in zip(classes, matrix, strict=True)]
        return "Confusion matrix: true classes down, predicted across", ["", *classes], rows
    wrong = matrix - np.diag(np.diag(matrix))
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_CONFUSED]
    cells = [divmod(int(place), len(classes)) for place in order if wrong.flat[place] > 0]
    rows = [[f"{classes[true]} → {classes[taken]}", weight_text(wrong[true, taken])] for true, taken in cells]
    return "The most frequent errors", ["true → predicted", "weight" if evaluation.is_weighted else "rows"], rows


def interval_text(estimate: Estimate) -> str:
    """A number with its interval behind it.

    >>> interval_text(Estimate(0.5, 0.4, 0.6))
    '0.500 (0.400–0.600)'
    """
    if np.isnan(estimate.value):
        return "–"
    value, low, high = (score_text(number, 3) for number in (estimate.value, estimate.low, estimate.high))
    return value if np.isnan(estimate.low) else f"{value} ({low}–{high})"


def bounds(estimate: Estimate) -> list[str]:
    """The two ends of an interval."""
    return [score_text(bound, 4) for bound in (estimate.low, estimate.high)]


# As data ------------------------------------------------------------------------------------------------------------


def score_table(evaluation: Evaluation) -> Any:
    """Every metric in a row of an Arrow table; `class` is empty where it is of all rows."""
    import pyarrow as pa

    def rows(label: str | None, scores: Mapping[str, Estimate]) -> list[dict[str, Any]]:
        return [{"metric": name, "class": label, **asdict(estimate)} for name, estimate in scores.items()]

    found = rows(None, evaluation.overall)
    for label, scores in evaluation.by_class.items():
        found += rows(str(label), scores)
    types = [pa.field(name, pa.string()) for name in ("metric", "class")]
    types += [pa.field(name, pa.float64()) for name in ("value", "low", "high")]
    return pa.Table.from_pylist(found, schema=pa.schema(types))


def evaluation_document(evaluation: Evaluation, points: int) -> dict[str, Any]:
    """Everything as plain numbers."""
    best, least = evaluation.best_threshold, evaluation.least_cost
    return {
        "model": evaluation.model,
        "target": evaluation.target,
        "task": "classification",
        "classes": list(evaluation.classes),
        "positive": evaluation.positive,
        "rows": evaluation.rows,
        "weight": evaluation.weight,
        "threshold": evaluation.threshold,
        "overall": _plain(evaluation.overall),
        "by_class": [
            {"class": label, "weight": float(weight), **_plain(scores)}
            for (label, scores), weight in zip(evaluation.by_class.items(), evaluation.class_weights, strict=True)
        ],
        "confusion": evaluation.confusion.tolist(),
        "best_threshold": None if best is None else asdict(best),
        "least_cost": None if least is None else asdict(least) | {"table": least.table.tolist()},
        "curves": [
            {"class": label, **_curves(evaluation, label, points)}
            for label in (evaluation.classes if evaluation.positive is None else [evaluation.positive])
        ],
    }


def _plain(scores: Mapping[str, Estimate]) -> dict[str, Any]:
    return {name: asdict(estimate) for name, estimate in scores.items()}


def _curves(evaluation: Evaluation, label: Any, points: int) -> dict[str, Any]:
    curves: dict[str, Any] = {
        "roc": evaluation.roc(label).thinned(points),
        "precision_recall": evaluation.precision_recall(label).thinned(points),
    }
    if evaluation.has_probabilities:
        curves["calibration"] = evaluation.calibration(label)
    return {name: {part: _numbers(value) for part, value in vars(curve).items()} for name, curve in curves.items()}


def _numbers(value: Array | float) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value
