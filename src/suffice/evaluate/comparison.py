"""The main job: every model on the raw table, cross-validated and ranked."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import numpy as np

from suffice.errors import SettingError, TableError
from suffice.estimators import GenerativeClassifier, JointBayes
from suffice.evaluate.cross_validation import all_but_one, fold_statistics, predicted, require_folds, solved
from suffice.evaluate.models import MODELS, make_model
from suffice.progress import doing
from suffice.report.text import text_table
from suffice.sample import as_frame
from suffice.schema import Nominal
from suffice.sources import Source
from suffice.sources.cached import cached

MOST_CLASSES = 20
RANKINGS = {"accuracy": "accuracy", "log_loss": "log loss", "auc": "AUC"}
TASKS = ("classification",)
HEADING = ["model", "accuracy", "± s.e.", "log loss", "± s.e.", "AUC", "± s.e.", "seconds", "parameters"]


@dataclass(frozen=True)
class Row:
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

    def cells(self) -> list[str]:
        """The line as text."""
        scores = (self.accuracy, self.accuracy_error, self.log_loss, self.log_loss_error, self.auc, self.auc_error)
        return [self.model, *(f"{score:.4f}" for score in scores), f"{self.seconds:.2f}", f"{self.parameters:,}"]


@dataclass(frozen=True)
class Comparison:
    """The leaderboard, best first, and the best model fitted on all rows."""

    rows: tuple[Row, ...]
    fitted: Mapping[str, GenerativeClassifier]
    skipped: Mapping[str, str]  # model -> why it did not take part
    folds: int
    rank_by: str = "accuracy"
    frame_kind: str = "pyarrow"

    @property
    def best(self) -> GenerativeClassifier:
        """The first model of the leaderboard, fitted on all rows."""
        return self.fitted[self.rows[0].model]

    @property
    def table(self) -> Any:
        """The leaderboard as a data frame of the kind that was given, else PyArrow."""
        import pyarrow as pa

        return as_frame(pa.Table.from_pylist([asdict(row) for row in self.rows]), self.frame_kind)

    def __str__(self) -> str:
        """The leaderboard as text."""
        table = text_table(HEADING, [row.cells() for row in self.rows])
        notes = [f"{name} did not take part: {why}" for name, why in self.skipped.items()]
        title = f"{self.folds}-fold cross-validation, best {RANKINGS[self.rank_by]} first"
        return "\n".join([title, "", table, *notes])

    def _repr_html_(self) -> str:
        """The leaderboard for notebooks."""
        heading = "".join(f"<th>{escape(cell)}</th>" for cell in HEADING)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row.cells()) + "</tr>" for row in self.rows
        )
        notes = "".join(f"<p>{escape(name)} did not take part: {escape(why)}</p>" for name, why in self.skipped.items())
        return f"<table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>{notes}"


def compare(
    table: Any,
    target: Any,
    models: Sequence[str] | Mapping[str, GenerativeClassifier] | None = None,
    folds: int = 10,
    rank_by: str = "accuracy",
    random_state: int = 0,
    sample_weight: Any = None,
    nominal: Any = None,
    missing_values: Any = None,
    keep: Any = None,
    task: str | None = None,
) -> Comparison:
    """Train every model on the raw table, cross-validate, and rank by accuracy, "log_loss" or "auc".

    `models` are names, or a mapping of names to estimators of your own; by default all that suit the table. A target
    of more than 20 whole numbers looks like a quantity and is refused, unless `task` is "classification".

    >>> import suffice as sf
    >>> print(sf.compare(sf.datasets.load("iris"), "species").rows[0].model)
    lda
    """
    if rank_by not in RANKINGS:
        raise SettingError(f"rank_by must be one of {', '.join(RANKINGS)}, not {rank_by!r}.")
    if task is not None and task not in TASKS:
        raise SettingError(f"task must be {' or '.join(map(repr, TASKS))}, not {task!r}.")
    chosen = _chosen(models, {"nominal": nominal, "missing_values": missing_values, "keep": keep})
    rows, fitted, skipped = [], dict[str, GenerativeClassifier](), dict[str, str]()
    opened: dict[Any, Source] = {}
    for name, estimator in chosen.items():
        reading = estimator._reading()
        if reading not in opened:
            with doing("reading the table"):
                opened[reading] = cached(estimator._training_table(table, target, sample_weight)[0])
        source = opened[reading]
        if task is None:
            require_classes(source, target)
        require_folds(source.schema, folds)
        why_not = _unsuitable(estimator, source) if models is None else None
        if why_not:
            skipped[name] = why_not
            continue
        with doing(f"cross-validating {name}"):
            row, model = _line(name, estimator, source, folds, random_state)
        model._remember(table, target, source, source.names)
        rows.append(row)
        fitted[name] = model
    if not rows:
        raise TableError(f"No model could take part: {'; '.join(skipped.values())}.")
    kind = next(iter(opened.values())).frame_kind
    return Comparison(_ranked(rows, rank_by), fitted, skipped, folds, rank_by, kind)


def _ranked(rows: list[Row], rank_by: str) -> tuple[Row, ...]:
    """Best first; of equals the one with the lower log loss, then the smaller one."""
    sign = 1.0 if rank_by == "log_loss" else -1.0

    def place(row: Row) -> tuple[float, float, int]:
        return float(np.nan_to_num(sign * getattr(row, rank_by), nan=np.inf)), row.log_loss, row.parameters

    return tuple(sorted(rows, key=place))


def _line(
    name: str, estimator: GenerativeClassifier, table: Source, folds: int, seed: int
) -> tuple[Row, GenerativeClassifier]:
    """Cross-validate one model and fit it on all rows, from the same fold statistics."""
    start = time.perf_counter()
    statistics, dealt = fold_statistics(estimator, table, folds, seed)
    result = predicted(solved(estimator, all_but_one(statistics)), table, dealt)
    whole = statistics[0]
    for statistic in statistics[1:]:
        whole = whole.merge(statistic)
    model = estimator._solve(whole)
    seconds = time.perf_counter() - start
    scores: dict[str, float] = {}
    for metric in RANKINGS:
        scores |= {metric: result.mean(metric), f"{metric}_error": result.standard_error(metric)}
    row = Row(model=name, seconds=seconds, parameters=model.parameter_count, **scores)
    fitted = estimator._with_model(model)
    fitted.statistic_ = whole
    return row, fitted


def _estimator(model: Any) -> GenerativeClassifier:
    if not isinstance(model, GenerativeClassifier):
        raise SettingError(
            f"{model!r:.60} cannot be compared: it is no model of suffice. Name models ({', '.join(MODELS)}), or give "
            "estimators such as sf.LDA()."
        )
    return model


def _chosen(models: Any, settings: dict[str, Any]) -> dict[str, GenerativeClassifier]:
    if isinstance(models, Mapping):
        return {str(name): _estimator(model) for name, model in models.items()}
    if isinstance(models, str):
        models = [models]
    names = list(MODELS) if models is None else list(models)
    if not names:
        raise SettingError(f"models is empty. Name some of {', '.join(MODELS)}.")
    own = [model for model in names if not isinstance(model, str)]
    if own:
        return {repr(model): _estimator(model) for model in names}
    return {name: make_model(name, **settings) for name in names}


def require_classes(table: Source, target: Any) -> None:
    """A target with many different numbers is a quantity, not a class."""
    levels = table.schema.classes
    is_whole = all(isinstance(level, int) and not isinstance(level, bool) for level in levels)
    if is_whole and len(levels) > MOST_CLASSES:
        name = repr(target) if isinstance(target, str) else "y"
        raise TableError(
            f"The target {name} has {len(levels)} different whole numbers, so it looks like a quantity, not a class. "
            "Cut it into intervals, or say task='classification' to take every number as a class."
        )


def _unsuitable(estimator: GenerativeClassifier, table: Source) -> str | None:
    """Joint tables of mostly single rows only remember; kernel densities need a numeric column."""
    if isinstance(estimator, JointBayes):
        counts = table.measure(estimator._measurement(table)).parts["joint"].table.sum(axis=1)
        if np.count_nonzero(counts <= 1) > 0.5 * len(counts):
            return "most combinations of values occur in one row only"
    is_density = getattr(estimator, "likelihoods", None) == "kde"
    if is_density and all(isinstance(column, Nominal) for column in table.schema.columns):
        return "there is no numeric column"
    return None
