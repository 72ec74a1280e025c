"""The main job: every model on the raw table, cross-validated and ranked."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from suffice.errors import NoColumnError, SettingError, SufficeWarning, TableError
from suffice.estimators import Classifier, JointBayes, Predictor, contract
from suffice.estimators.enough_memory import lack_of_memory, require_memory
from suffice.evaluate.cross_validation import tried
from suffice.evaluate.leaderboard import METRICS_OF, Row, as_html, heading, lines, ranked, ranking, row_of
from suffice.evaluate.models import MODELS_OF, Model, make_model, reading_as
from suffice.evaluate.results import CrossValidation, RegressionCrossValidation
from suffice.evaluate.tasks import require_task, task_of_target
from suffice.evaluate.trial import require_folds
from suffice.progress import doing
from suffice.report.html import html_text
from suffice.report.text import text_table
from suffice.sample import as_frame
from suffice.schema.profile import READS_NO_TEXT
from suffice.sources import Source, Table
from suffice.sources.cached import cached
from suffice.sources.task import CLASSIFICATION, REGRESSION


@dataclass(frozen=True)
class Given:
    """The table that was given, to be read again."""

    table: Any
    target: Any
    sample_weight: Any = None

    def opened(self, model: Predictor) -> Table:
        """The table as a model reads it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SufficeWarning)  # they were said when it was read first
            return contract.training_table(model, self.table, self.target, self.sample_weight)


@dataclass(frozen=True, repr=False)
class Comparison:
    """The leaderboard, best first, and every model fitted on all rows."""

    rows: tuple[Row, ...]
    fitted: Mapping[str, Model]
    skipped: Mapping[str, str]  # model -> why it did not take part
    folds: int
    rank_by: str = "accuracy"
    frame_kind: str = "pyarrow"
    task: str = CLASSIFICATION
    remarks: tuple[str, ...] = ()  # on the columns
    results: Mapping[str, CrossValidation | RegressionCrossValidation] = field(default_factory=dict)  # of every model
    given: Given | None = None

    @property
    def best(self) -> Any:
        """The first model of the leaderboard, fitted on all rows."""
        return self.fitted[self.rows[0].model]

    @property
    def table(self) -> Any:
        """The leaderboard as a data frame of the kind that was given, else PyArrow."""
        import pyarrow as pa

        return as_frame(pa.Table.from_pylist([asdict(row) for row in self.rows]), self.frame_kind)

    @property
    def title(self) -> str:
        """How the models were judged."""
        return f"{self.folds}-fold cross-validation, best {METRICS_OF[self.task][self.rank_by].heading} first"

    @property
    def notes(self) -> list[str]:
        """Who did not take part, and why; and who left out what."""
        reasons = dict.fromkeys(self.skipped.values())
        of_reason = {why: ", ".join(name for name, own in self.skipped.items() if own == why) for why in reasons}
        return [*(f"{names} did not take part: {why}" for why, names in of_reason.items()), *self.remarks]

    def report(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Write the comparison as one HTML file that needs nothing else: to read, to print, to send on.

        It shows the table, the leaderboard, how the best model was judged and what every model has learned, and a panel
        that computes the models' predictions for any row in the page itself.

        >>> import suffice as sf
        >>> sf.compare(sf.datasets.load("iris"), "species", models=["lda"]).report("iris.html")  # doctest: +SKIP
        """
        from suffice.evaluate.page import write_page

        write_page(self, path, title)

    def __str__(self) -> str:
        """The leaderboard as text."""
        metrics = METRICS_OF[self.task]
        return "\n".join([self.title, "", text_table(heading(metrics), lines(self.rows, metrics)), *self.notes])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """The leaderboard for notebooks."""
        board = as_html(self.rows, METRICS_OF[self.task])
        return board + "".join(f"<p>{html_text(line)}</p>" for line in (self.title, *self.notes))


def compare(
    table: Any,
    target: Any,
    models: Sequence[str] | Mapping[str, Model] | None = None,
    folds: int = 10,
    rank_by: str | None = None,
    random_state: int = 0,
    sample_weight: Any = None,
    nominal: Any = None,
    missing_values: Any = None,
    keep: Any = None,
    task: str | None = None,
    text: Any = None,
    drop: Any = None,
) -> Comparison:
    """Train every model on the raw table, cross-validate, and rank.

    `models` are names, or a mapping of names to estimators of your own; by default all that suit the table. The `task`
    is "classification", ranked by "accuracy", "log_loss" or "auc"; or "regression", ranked by "rmse", "mae" or "r2",
    where the target has times, fractions or more than 20 different whole numbers, unless you say otherwise. `nominal`,
    `missing_values`, `keep` and `text` say how columns are read, `drop` which ones are left out; an estimator of your
    own goes by its own settings where it has some.

    >>> import suffice as sf
    >>> print(sf.compare(sf.datasets.load("iris"), "species").rows[0].model)
    lda
    >>> print(sf.compare(sf.datasets.load("iris"), "petal_width").rows[0].model)
    cart
    """
    require_task(task)
    own = _estimators(models)
    task = _task_of(own, task) if own else task or task_of_target(table, target, nominal, missing_values)
    rank_by = ranking(rank_by, task)
    settings = {"nominal": nominal, "missing_values": missing_values, "keep": keep, "text": text, "drop": drop}
    chosen = {name: reading_as(model, settings) for name, model in (own or _named(models, task)).items()}
    rows, fitted, skipped = [], dict[str, Model](), dict[str, str]()
    results: dict[str, CrossValidation | RegressionCrossValidation] = {}
    opened: dict[Any, Table] = {}
    for name, estimator in chosen.items():
        reading = contract.reading(estimator)
        try:
            if reading not in opened:
                with doing("reading the table"), _quiet_about_text(any(other.reads_text for other in opened)):
                    opened[reading] = cached(contract.training_table(estimator, table, target, sample_weight))
        except NoColumnError as error:
            if models is not None or reading.reads_text:
                raise
            skipped[name] = str(error).partition(": ")[2].partition(",")[0]
            continue
        source = opened[reading]
        require_folds(source.schema, folds)
        if models is not None:
            require_memory(estimator, source, folds)
        elif why_not := lack_of_memory(estimator, source, folds) or _unsuitable(estimator, source):
            skipped[name] = why_not
            continue
        with doing(f"cross-validating {name}"):
            row, model, results[name] = _line(name, estimator, source, folds, random_state)
        contract.remember(model, table, target, source)
        rows.append(row)
        fitted[name] = model
    if not rows:
        raise TableError(f"No model could take part: {'; '.join(skipped.values())}.")
    kind = next(iter(opened.values())).frame_kind
    board, given = ranked(rows, rank_by, task), Given(table, target, sample_weight)
    return Comparison(board, fitted, skipped, folds, rank_by, kind, task, _remarks(opened), results, given)


@contextmanager
def _quiet_about_text(is_read: bool) -> Iterator[None]:
    """What some of the models leave out is no warning where others read it; a remark says so."""
    with warnings.catch_warnings():
        if is_read:
            warnings.filterwarnings("ignore", f".*{READS_NO_TEXT}", SufficeWarning)
        yield


def _remarks(opened: Mapping[Any, Table]) -> tuple[str, ...]:
    read = {column.name for table in opened.values() for column in table.schema.text}
    without = [table for reading, table in opened.items() if not reading.reads_text]
    names = dict.fromkeys(left.name for table in without for left in table.schema.left_out if left.name in read)
    return tuple(f"{name!r} {READS_NO_TEXT}; the other models leave it out" for name in names)


def _line(
    name: str, estimator: Model, table: Source, folds: int, seed: int
) -> tuple[Row, Model, CrossValidation | RegressionCrossValidation]:
    """Cross-validate one model and fit it on all rows."""
    start = time.perf_counter()
    trial = tried(estimator, table, folds, seed)
    model = trial.fitted()
    return row_of(name, trial.result, time.perf_counter() - start, model.parameter_count), model, trial.result


# Which models take part ---------------------------------------------------------------------------------------------


def _estimators(models: Any) -> dict[str, Model]:
    """The estimators that were given, under their names; none where models are named."""
    if isinstance(models, Mapping):
        return {str(name): _estimator(model) for name, model in models.items()}
    if isinstance(models, (Predictor, type)):
        models = [models]
    if models is None or isinstance(models, str) or all(isinstance(model, str) for model in models):
        return {}
    return {repr(model): _estimator(model) for model in models}


def _estimator(model: Any) -> Model:
    if isinstance(model, type) and issubclass(model, Predictor):
        raise SettingError(f"{model.__name__} is a class. Give an estimator: sf.{model.__name__}().")
    if not isinstance(model, Predictor):
        raise SettingError(
            f"{model!r:.60} cannot be compared: it is no model of suffice. Name models "
            f"({', '.join(MODELS_OF[CLASSIFICATION])}), or give estimators such as sf.LDA()."
        )
    return model


def _task_of(models: Mapping[str, Model], task: str | None) -> str:
    """What estimators of one's own predict, all of them classes or all of them numbers."""
    tasks = {name: CLASSIFICATION if isinstance(model, Classifier) else REGRESSION for name, model in models.items()}
    for name, other in tasks.items():
        if other != (task or next(iter(tasks.values()))):
            asked = f"the task is {task}" if task else f"{next(iter(tasks))} does not"
            raise SettingError(
                f"{name} predicts {'classes' if other == CLASSIFICATION else 'numbers'}, and {asked}. Compare models "
                "of classes, or models of numbers."
            )
    return next(iter(tasks.values()))


def _named(models: Any, task: str) -> dict[str, Model]:
    names = [models] if isinstance(models, str) else list(MODELS_OF[task] if models is None else models)
    if not names:
        raise SettingError(f"models is empty. Name some of {', '.join(MODELS_OF[task])}.")
    return {name: make_model(name, task) for name in names}


def _unsuitable(estimator: Model, table: Source) -> str | None:
    """Joint tables of mostly single rows only remember; kernel densities need a numeric column."""
    if isinstance(estimator, JointBayes):
        counts = table.measure(contract.measurement(estimator, table)).parts["joint"].table.sum(axis=1)
        if np.count_nonzero(counts <= 1) > 0.5 * len(counts):
            return "most combinations of values occur in one row only"
    is_density = getattr(estimator, "likelihoods", None) == "kde"
    if is_density and not table.schema.numeric:
        return "there is no numeric column"
    return None
