"""The main job: every model on the raw table, cross-validated and ranked."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from suffice.errors import Interrupted, NoColumnError, SufficeWarning, TableError, TooManyRowsError, overhearing
from suffice.estimators import GenerativeClassifier, contract
from suffice.estimators.enough_memory import lack_of_memory, require_memory
from suffice.evaluation.comparison.comparison_result import Comparison, Given
from suffice.evaluation.comparison.held_out_table import (
    HeldOutTable,
    fitted_on_all,
    tested,
    tested_foreign,
)
from suffice.evaluation.comparison.leaderboard import (
    Row,
    judged,
    ranked,
    ranking,
    row_of,
)
from suffice.evaluation.comparison.leaks import SuspectedLeak, leaks_of
from suffice.evaluation.comparison.remarks import empty_columns, fewer_folds, rows_seen_before, text_some_leave_out
from suffice.evaluation.contestants.contestants import (
    Contestant,
    effort,
    named_models,
    of_ones_own,
    reader_of,
    task_of_models,
    unsuitable,
    with_baselines,
    with_reading,
)
from suffice.evaluation.contestants.estimated_seconds import announced, too_long
from suffice.evaluation.cross_validation.cross_validation import tried
from suffice.evaluation.cross_validation.folds import Dealing, told_apart_alike
from suffice.evaluation.cross_validation.foreign_model import ForeignModel
from suffice.evaluation.cross_validation.results import Result
from suffice.evaluation.cross_validation.trial import USUAL_FOLDS, require_folds
from suffice.evaluation.models import EVERY_BASELINE, LINEAR, Model
from suffice.evaluation.tasks import require_task
from suffice.progress import doing, step_by_step
from suffice.schema.profile import READS_NO_TEXT
from suffice.sources import Reading, Rows, column_names
from suffice.sources.task import suggested_task


def compare(
    table: Any,
    target: Any,
    models: Sequence[str] | Mapping[str, Model] | None = None,
    folds: int | None = None,
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
    test: Any = None,
) -> Comparison:
    """Train every model on the raw table, cross-validate, and rank.

    `models` are names, or a mapping of names to estimators of your own; by default all that suit the table. Those named
    in `skip` are left out. A baseline, which looks at no column, takes part in every comparison. The `task` is
    "classification", ranked by "accuracy", "log_loss" or "auc"; or "regression", ranked by "rmse", "mae" or "r2", where
    the target has times, fractions or more than 20 different whole numbers, unless you say otherwise. `nominal`,
    `missing_values`, `keep` and `text` say how columns are read, `drop` which ones are left out; an estimator of your
    own goes by its own settings where it has some. There are 10 `folds`, fewer of more than 100,000 rows. Columns that
    may give the answer away are named: `leaks`.

    With a `test` table nothing is cross-validated: the models of the whole training table are judged on its rows. It
    has the target under the same name; where the target is an array, `test` is a pair, (X_test, y_test).

    >>> import suffice as sf
    >>> print(sf.compare(sf.datasets.load("iris"), "species").rows[0].model)
    lda
    >>> print(sf.compare(sf.datasets.load("iris"), "petal_width").rows[0].model)
    least_squares
    """
    require_task(task)
    own = of_ones_own(models)
    task = task_of_models(own, task) if own else task or suggested_task(table, target, nominal, missing_values)
    rank_by = ranking(rank_by, task)
    settings = {"nominal": nominal, "missing_values": missing_values, "keep": keep, "text": text, "drop": drop}
    chosen = with_baselines(own or named_models(models, task), task, column_names(skip))
    chosen = {name: with_reading(model, settings) for name, model in chosen.items()}
    require_folds(USUAL_FOLDS if folds is None else folds, random_state)
    held_out = None if test is None else HeldOutTable.of(test, target, sample_weight)
    heard = list[str]()
    with overhearing(heard):
        opened, skipped = _opened(chosen, table, target, sample_weight, models is not None)
    if any(reading.reads_text for reading in opened):
        heard = [said for said in heard if READS_NO_TEXT not in said]  # a remark tells who reads it
    reader = reader_of(next(iter(chosen.values())))
    remarks, dealing, given = (
        (*text_some_leave_out(opened), *empty_columns(opened)),
        Dealing(folds or USUAL_FOLDS, random_state),
        Given(table, target, sample_weight, reader),
    )
    if held_out is not None:
        with doing("looking for test rows in the training table"):
            remarks += rows_seen_before(held_out, opened)
    else:
        with doing("dealing rows to folds"):
            opened, dealing = told_apart_alike(opened, folds or 0, random_state)
        remarks += fewer_folds(dealing) if folds is None else ()
    folds = dealing.count
    verb = "testing" if held_out else "cross-validating"
    rows, fitted, results = list[Row](), dict[str, Any](), dict[str, Result]()

    def finished(leaks: tuple[SuspectedLeak, ...] = ()) -> Comparison:
        board = judged(ranked(rows, rank_by, task), results, rank_by, task)
        kind = next(iter(opened.values())).frame_kind
        rows_tested = len(results[board[0].model].truth) if held_out else 0
        how = (folds, rank_by, kind, task, remarks, results, given, leaks, rows_tested, tuple(heard), random_state)
        return Comparison(board, fitted, skipped, *how)

    together = _measured_together(chosen, opened, skipped, dealing, heard)
    for name, estimator in step_by_step(chosen.items(), [effort(model, folds) for model in chosen.values()]):
        if name in skipped:
            continue
        source = _source(name, contract.reading(reader_of(estimator)), opened)
        saying = f"{verb} {name}"
        if not isinstance(estimator, ForeignModel):
            turns = 1 if held_out else folds
            if models is not None:
                require_memory(estimator, source, folds)
            elif why_not := _why_not(estimator, source, folds, turns):
                skipped[name] = why_not
                continue
            saying += announced(estimator, source, turns)
        with doing(saying), overhearing(heard), _interruptible(lambda: finished() if rows else None):
            start = time.perf_counter()
            try:
                if held_out is not None:
                    model, result = _tested(estimator, source, given, held_out, dealing)
                else:
                    model, result = _cross_validated(estimator, source, given, dealing)
            except TooManyRowsError as error:
                if models is not None and name not in EVERY_BASELINE:
                    raise
                skipped[name] = f"it learns from all rows at once, and {error.reason}"
                continue
            seconds = time.perf_counter() - start + together.get(name, 0.0)
        parameters = getattr(model, "parameter_count", None)  # which no other library counts
        fitted[name], results[name] = model, result
        rows.append(row_of(name, result, seconds, parameters))
    if not rows:
        raise TableError(f"No model could take part: {'; '.join(dict.fromkeys(skipped.values()))}.")
    with doing("looking for leaks"), _interruptible(finished):
        try:
            return finished(leaks_of(results, fitted, opened, dealing))
        except TooManyRowsError as error:
            remarks += (f"suspected leaks were not looked for: {error.reason}",)
    return finished()


def _why_not(model: Model, table: Rows, folds: int, turns: int) -> str | None:
    """Why a model that nobody asked for does not take part; it would learn so many times."""
    return lack_of_memory(model, table, folds) or too_long(model, table, turns) or unsuitable(model, table)


def _measured_together(
    models: Mapping[str, Contestant],
    opened: Mapping[Reading, Rows],
    skipped: Mapping[str, str],
    dealing: Dealing,
    heard: list[str],
) -> dict[str, float]:
    """Measure for naive Bayes, LDA and QDA in one pass; the seconds of each, which share what it takes."""
    theirs = {
        name: (model, _source(name, contract.reading(model), opened))
        for name, model in models.items()
        if isinstance(model, GenerativeClassifier) and name not in skipped
    }
    start = time.perf_counter()
    with overhearing(heard):
        names = dealing.shared_pass.wait_for(theirs, dealing.count)
        if not names:
            return {}
        with doing(f"measuring {', '.join(names[:-1])} and {names[-1]} together"):
            dealing.shared_pass.measure(dealing.shared)
    return dict.fromkeys(names, (time.perf_counter() - start) / len(names))


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
) -> tuple[dict[Reading, Rows], dict[str, str]]:
    """The table in every reading, and the models for which it has no column."""
    opened, skipped = dict[Reading, Rows](), dict[str, str]()
    readings = {name: contract.reading(reader_of(model)) for name, model in models.items()}
    for name in sorted(models, key=lambda name: not readings[name].reads_text):  # they may find that there is no text
        reader, reading = reader_of(models[name]), readings[name]
        if reading in opened or (name in EVERY_BASELINE and not EVERY_BASELINE.issuperset(models)):
            continue
        if (alike := _of_the_same_columns(reading, opened)) is not None:
            opened[reading] = alike
            continue
        try:
            with doing("reading the table"), _quiet_about_text(any(other.reads_text for other in opened)):
                opened[reading] = contract.training_table(reader, table, target, sample_weight).read_once()
        except NoColumnError as error:
            if is_asked_for or reading.reads_text:
                raise
            skipped[name] = str(error).partition(": ")[2].partition(",")[0]
    if not opened:
        raise TableError(f"No model could take part: {'; '.join(skipped.values())}.")
    return opened, skipped


def _of_the_same_columns(reading: Reading, opened: Mapping[Reading, Rows]) -> Rows | None:
    """The table as a model has read it that looked for text and found none: it need not be read again."""
    found = opened.get(replace(reading, reads_text=True))
    return None if found is None or found.schema.text else found


def _source(name: str, reading: Reading, opened: Mapping[Reading, Rows]) -> Rows:
    """The table as a model reads it; most baselines look at no column, whoever reads them."""
    if name not in EVERY_BASELINE:
        return opened[reading]
    any_of_them = next(iter(opened.values()))
    if name == LINEAR:
        return any_of_them
    return any_of_them.with_schema(any_of_them.schema.with_columns(()))


@contextmanager
def _quiet_about_text(is_read: bool) -> Iterator[None]:
    """What some of the models leave out is no warning where others read it; a remark says so."""
    with warnings.catch_warnings():
        if is_read:
            warnings.filterwarnings("ignore", f".*{READS_NO_TEXT}", SufficeWarning)
        yield


def _cross_validated(contestant: Contestant, table: Rows, given: Given, dealing: Dealing) -> tuple[Any, Result]:
    """The model of all rows, and what the models without each fold say of it."""
    if isinstance(contestant, ForeignModel):
        return contestant.cross_validated(table, dealing)
    trial = tried(contestant, table, dealing)
    model = trial.fitted()
    contract.remember(model, given.table, given.target, table)
    return model, trial.result


def _tested(
    contestant: Contestant, table: Rows, given: Given, test: HeldOutTable, dealing: Dealing
) -> tuple[Any, Result]:
    """The model of all rows, and what it says of the test table."""
    if isinstance(contestant, ForeignModel):
        return tested_foreign(contestant, table, test, dealing.seed)
    model = fitted_on_all(contestant, table, dealing.shared_pass)
    contract.remember(model, given.table, given.target, table)
    return model, tested(model, test, dealing.seed)
