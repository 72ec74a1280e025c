"""The main job: every model on the raw table, cross-validated and ranked."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from suffice.errors import Interrupted, NoColumnError, SufficeWarning, TableError
from suffice.estimators import Predictor, contract
from suffice.estimators.enough_memory import lack_of_memory, require_memory
from suffice.evaluate.competitors import Competitor, competitor_result
from suffice.evaluate.contestants import (
    Contestant,
    named_models,
    of_ones_own,
    reader_of,
    task_of_models,
    unsuitable,
    with_baselines,
    with_reading,
)
from suffice.evaluate.cross_validation import tried
from suffice.evaluate.leaderboard import (
    METRICS_OF,
    Result,
    Row,
    as_html,
    heading,
    judged,
    leading,
    legend,
    lines,
    ranked,
    ranking,
    row_of,
)
from suffice.evaluate.leaks import SuspectedLeak, Without, explained_share, suspected_leaks
from suffice.evaluate.models import EVERY_BASELINE, Model
from suffice.evaluate.results import CrossValidation
from suffice.evaluate.tasks import require_task, task_of_target
from suffice.evaluate.trial import require_folds
from suffice.progress import doing, step_by_step
from suffice.report.html import html_text
from suffice.report.text import text_table
from suffice.sample import as_frame
from suffice.schema.profile import READS_NO_TEXT
from suffice.sources import Reading, Source, Table, column_names, gathered, with_schema
from suffice.sources.kept import is_local, read_once
from suffice.sources.source import frame_kind_of
from suffice.sources.task import CLASSIFICATION


@dataclass(frozen=True)
class Given:
    """The table that was given, to be read again."""

    table: Any
    target: Any
    sample_weight: Any = None

    def opened(self, model: Predictor) -> Source:
        """The table as a model reads it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SufficeWarning)  # they were said when it was read first
            return contract.training_table(model, self.table, self.target, self.sample_weight)


@dataclass(frozen=True, repr=False)
class Comparison:
    """The leaderboard, best first, and every model fitted on all rows."""

    rows: tuple[Row, ...]
    fitted: Mapping[str, Any]
    skipped: Mapping[str, str]  # model -> why it did not take part
    folds: int
    rank_by: str = "accuracy"
    frame_kind: str = "pyarrow"
    task: str = CLASSIFICATION
    remarks: tuple[str, ...] = ()  # on the columns
    results: Mapping[str, Result] = field(default_factory=dict)  # of every model
    given: Given | None = None
    leaks: tuple[SuspectedLeak, ...] = ()

    @property
    def leader(self) -> str:
        """The name of the best model: the first of the leaderboard that is more than a baseline."""
        return leading(self.rows).model

    @property
    def best(self) -> Any:
        """The best model, fitted on all rows."""
        return self.fitted[self.leader]

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
        """What the marks mean; which columns may give the answer away; who did not take part, and why."""
        reasons = dict.fromkeys(self.skipped.values())
        of_reason = {why: ", ".join(name for name, own in self.skipped.items() if own == why) for why in reasons}
        absent = [f"{names} did not take part: {why}" for why, names in of_reason.items()]
        return [*legend(self.rows), *(leak.note for leak in self.leaks), *absent, *self.remarks]

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
    skip: Any = None,
) -> Comparison:
    """Train every model on the raw table, cross-validate, and rank.

    `models` are names, or a mapping of names to estimators of your own; by default all that suit the table. Those named
    in `skip` are left out. A baseline, which looks at no column, takes part in every comparison. The `task` is
    "classification", ranked by "accuracy", "log_loss" or "auc"; or "regression", ranked by "rmse", "mae" or "r2", where
    the target has times, fractions or more than 20 different whole numbers, unless you say otherwise. `nominal`,
    `missing_values`, `keep` and `text` say how columns are read, `drop` which ones are left out; an estimator of your
    own goes by its own settings where it has some. Columns that may give the answer away are named: `leaks`.

    >>> import suffice as sf
    >>> print(sf.compare(sf.datasets.load("iris"), "species").rows[0].model)
    lda
    >>> print(sf.compare(sf.datasets.load("iris"), "petal_width").rows[0].model)
    cart
    """
    require_task(task)
    own = of_ones_own(models)
    task = task_of_models(own, task) if own else task or task_of_target(table, target, nominal, missing_values)
    rank_by = ranking(rank_by, task)
    settings = {"nominal": nominal, "missing_values": missing_values, "keep": keep, "text": text, "drop": drop}
    chosen = with_baselines(own or named_models(models, task), task, column_names(skip))
    chosen = {name: with_reading(model, settings) for name, model in chosen.items()}
    opened, skipped = _opened(chosen, table, target, sample_weight, models is not None)
    rows, fitted, results = list[Row](), dict[str, Any](), dict[str, Result]()

    def finished(leaks: tuple[SuspectedLeak, ...] = ()) -> Comparison:
        board = judged(ranked(rows, rank_by, task), results, rank_by, task)
        kind = frame_kind_of(next(iter(opened.values())))
        given = Given(table, target, sample_weight)
        return Comparison(board, fitted, skipped, folds, rank_by, kind, task, _remarks(opened), results, given, leaks)

    for name, estimator in step_by_step(chosen.items()):
        if name in skipped:
            continue
        source = _source(name, contract.reading(reader_of(estimator)), opened)
        require_folds(folds, random_state)
        if isinstance(estimator, Competitor):
            with doing(f"cross-validating {name}"), _interruptible(lambda: finished() if rows else None):
                row, fitted[name], results[name] = _competitor_line(name, estimator, source, folds, random_state)
            rows.append(row)
            continue
        if models is not None:
            require_memory(estimator, source, folds)
        elif why_not := lack_of_memory(estimator, source, folds) or unsuitable(estimator, source):
            skipped[name] = why_not
            continue
        with doing(f"cross-validating {name}"), _interruptible(lambda: finished() if rows else None):
            row, model, results[name] = _line(name, estimator, source, folds, random_state)
        contract.remember(model, table, target, source)
        rows.append(row)
        fitted[name] = model
    with doing("looking for leaks"), _interruptible(finished):
        leaks = _leaks(results, fitted, opened, folds, random_state)
    return finished(leaks)


@contextmanager
def _interruptible(finished: Callable[[], Comparison | None]) -> Iterator[None]:
    """An interruption brings along what is finished."""
    try:
        yield
    except KeyboardInterrupt as error:
        found = finished()
        if found is None:
            raise
        raise Interrupted(found) from error


def _opened(
    models: Mapping[str, Contestant], table: Any, target: Any, sample_weight: Any, is_asked_for: bool
) -> tuple[dict[Reading, Source], dict[str, str]]:
    """The table in every reading, and the models for which it has no column."""
    opened, skipped = dict[Reading, Source](), dict[str, str]()
    for name, estimator in models.items():
        reader = reader_of(estimator)
        reading = contract.reading(reader)
        if reading in opened or (name in EVERY_BASELINE and not EVERY_BASELINE.issuperset(models)):
            continue
        try:
            with doing("reading the table"), _quiet_about_text(any(other.reads_text for other in opened)):
                opened[reading] = read_once(contract.training_table(reader, table, target, sample_weight))
        except NoColumnError as error:
            if is_asked_for or reading.reads_text:
                raise
            skipped[name] = str(error).partition(": ")[2].partition(",")[0]
    if not opened:
        raise TableError(f"No model could take part: {'; '.join(skipped.values())}.")
    return opened, skipped


def _source(name: str, reading: Reading, opened: Mapping[Reading, Source]) -> Source:
    """The table as a model reads it; a baseline looks at no column, whoever reads them."""
    if name not in EVERY_BASELINE:
        return opened[reading]
    any_of_them = next(iter(opened.values()))
    return with_schema(any_of_them, any_of_them.schema.with_columns(()))


def _leaks(
    results: Mapping[str, Result],
    fitted: Mapping[str, Any],
    opened: Mapping[Reading, Source],
    folds: int,
    seed: int,
) -> tuple[SuspectedLeak, ...]:
    """Columns that give the answer away, in the rows as the first models read them."""
    explained = {name: explained_share(result) for name, result in results.items() if name not in EVERY_BASELINE}
    explained = {name: share for name, share in explained.items() if isinstance(fitted[name], Predictor)}
    explained = {name: share for name, share in explained.items() if np.isfinite(share)}
    if not explained:
        return ()
    name = max(explained, key=lambda name: explained[name])
    source = opened[contract.reading(fitted[name])]
    if not (isinstance(source, Table) and is_local(source)):  # it takes all rows, which do not travel for this
        return ()

    def without(column: str) -> Without:
        others = [other for other in source.schema.columns if other.name != column]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SufficeWarning)
            result = tried(fitted[name], source.with_schema(source.schema.with_columns(others)), folds, seed).result
        accuracy = result.mean("accuracy") if isinstance(result, CrossValidation) else float("nan")
        return Without(name, explained_share(result), accuracy)

    return suspected_leaks(gathered(source), results[name].fold, explained[name], without)


@contextmanager
def _quiet_about_text(is_read: bool) -> Iterator[None]:
    """What some of the models leave out is no warning where others read it; a remark says so."""
    with warnings.catch_warnings():
        if is_read:
            warnings.filterwarnings("ignore", f".*{READS_NO_TEXT}", SufficeWarning)
        yield


def _remarks(opened: Mapping[Any, Source]) -> tuple[str, ...]:
    read = {column.name for table in opened.values() for column in table.schema.text}
    without = [table for reading, table in opened.items() if not reading.reads_text]
    names = dict.fromkeys(left.name for table in without for left in table.schema.left_out if left.name in read)
    return tuple(f"{name!r} {READS_NO_TEXT}; the other models leave it out" for name in names)


def _competitor_line(
    name: str, competitor: Competitor, table: Source, folds: int, seed: int
) -> tuple[Row, Any, Result]:
    start = time.perf_counter()
    result, fitted = competitor_result(competitor, table, folds, seed)
    return row_of(name, result, time.perf_counter() - start, None), fitted, result


def _line(name: str, estimator: Model, table: Source, folds: int, seed: int) -> tuple[Row, Model, Result]:
    """Cross-validate one model and fit it on all rows."""
    start = time.perf_counter()
    trial = tried(estimator, table, folds, seed)
    model = trial.fitted()
    return row_of(name, trial.result, time.perf_counter() - start, model.parameter_count), model, trial.result
