"""The main job: every model on the raw table, cross-validated and ranked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from suffice.errors import Interrupted, TooManyRowsError, learning, overhearing
from suffice.estimators.enough_memory import require_memory
from suffice.evaluation.comparison.comparison_result import Comparison, Given
from suffice.evaluation.comparison.leaderboard import Row, judged, ranked, ranking, row_of
from suffice.evaluation.comparison.leaks import leaks_of
from suffice.evaluation.comparison.read_tables import ReadTables, no_model, read_for
from suffice.evaluation.comparison.remarks import empty_columns, fewer_folds, rows_seen_before, text_some_leave_out
from suffice.evaluation.comparison.ways import CrossValidating, Testing
from suffice.evaluation.contestants.contestants import (
    named_models,
    of_ones_own,
    task_of_models,
    why_not,
    with_baselines,
)
from suffice.evaluation.contestants.estimated_seconds import announced
from suffice.evaluation.cross_validation.contestant import Contestant
from suffice.evaluation.cross_validation.folds import Dealing, told_apart_alike
from suffice.evaluation.cross_validation.held_out_table import HeldOutTable
from suffice.evaluation.cross_validation.results import Result
from suffice.evaluation.cross_validation.trial import USUAL_FOLDS, require_folds
from suffice.evaluation.models import EVERY_BASELINE, Model
from suffice.evaluation.tasks import require_task
from suffice.progress import doing, step_by_step
from suffice.sources import column_names
from suffice.sources.targets.task import suggested_task


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
    chosen = {name: model.reading_as(settings) for name, model in chosen.items()}
    require_folds(USUAL_FOLDS if folds is None else folds, random_state)
    held_out = None if test is None else HeldOutTable.of(test, target, sample_weight)
    heard = list[str]()
    given = Given(table, target, sample_weight, next(iter(chosen.values())).reader)
    with overhearing(heard):
        tables = read_for(chosen, given, models is not None)
    remarks = *text_some_leave_out(tables.opened), *empty_columns(tables.opened)
    tables, way, more = _dealt(tables, held_out, folds, random_state)
    contest = _Contest(chosen, tables, way, given, rank_by, task, models is not None, (*remarks, *more), heard)
    return _with_leaks(contest, _try_each(contest))


@dataclass(frozen=True)
class _Contest:
    """All that is settled before the first model is tried."""

    chosen: Mapping[str, Contestant]
    tables: ReadTables
    way: CrossValidating | Testing
    given: Given
    rank_by: str
    task: str
    is_asked_for: bool  # the models, by name
    remarks: tuple[str, ...]
    heard: list[str]  # what is warned of, which goes on


@dataclass
class _Standing:
    """What is finished so far: an interruption brings it along."""

    skipped: dict[str, str]
    rows: list[Row] = field(default_factory=list)
    fitted: dict[str, Any] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)

    def add(self, name: str, model: Any, result: Result, seconds: float) -> None:
        """A model that was tried."""
        self.fitted[name], self.results[name] = model, result
        parameters = getattr(model, "parameter_count", None)  # which no other library counts
        self.rows.append(row_of(name, result, seconds, parameters))


def _dealt(
    tables: ReadTables, test: HeldOutTable | None, folds: int | None, seed: int
) -> tuple[ReadTables, CrossValidating | Testing, tuple[str, ...]]:
    """Rows are dealt to folds, unless there are test rows: the tables, how models are tried, and remarks on it."""
    if test is not None:
        with doing("looking for test rows in the training table"):
            seen = rows_seen_before(test, tables.opened)
        return tables, Testing(Dealing(folds or USUAL_FOLDS, seed), test), seen
    with doing("dealing rows to folds"):
        opened, dealing = told_apart_alike(tables.opened, folds or 0, seed)
    remarks = fewer_folds(dealing) if folds is None else ()
    return replace(tables, opened=opened), CrossValidating(dealing), remarks


def _try_each(contest: _Contest) -> _Standing:
    """Every model that can take part, tried."""
    standing = _Standing(dict(contest.tables.without_column))
    together = _measured_together(contest)
    efforts = [_effort(contest, name) for name in contest.chosen]
    for name, contestant in step_by_step(contest.chosen.items(), efforts):
        if name not in standing.skipped and (why := _why_not(contest, name)):
            standing.skipped[name] = why
        if name in standing.skipped:
            continue
        with (
            doing(_announced(contest, name)),
            overhearing(contest.heard),
            learning(name),
            _interruptible(lambda: _finished(contest, standing) if standing.rows else None),
        ):
            start = time.perf_counter()
            try:
                tried = contest.way.tried(contestant, contest.tables.of(name, contestant), contest.given)
            except TooManyRowsError as error:
                if contest.is_asked_for and name not in EVERY_BASELINE:
                    raise
                standing.skipped[name] = f"it learns from all rows at once, and {error.reason}"
            else:
                standing.add(name, *tried, time.perf_counter() - start + together.get(name, 0.0))
    if not standing.rows:
        raise no_model(standing.skipped)
    return standing


def _measured_together(contest: _Contest) -> dict[str, float]:
    """Measure for naive Bayes, LDA and QDA in one pass; the seconds of each, which share what it takes."""
    dealing, tables = contest.way.dealing, contest.tables
    theirs = {
        name: (model.reader, tables.of(name, model))
        for name, model in contest.chosen.items()
        if name not in tables.without_column
    }
    start = time.perf_counter()
    with overhearing(contest.heard):
        names = dealing.shared_pass.wait_for(theirs, dealing.count)
        if not names:
            return {}
        with doing(f"measuring {', '.join(names[:-1])} and {names[-1]} together"):
            dealing.shared_pass.measure(dealing.shared)
    return dict.fromkeys(names, (time.perf_counter() - start) / len(names))


def _why_not(contest: _Contest, name: str) -> str | None:
    """Why a model does not take part; an error where it was asked for, and there is not enough memory."""
    contestant, folds = contest.chosen[name], contest.way.dealing.count
    table = contest.tables.of(name, contestant)
    if not contest.is_asked_for:
        return why_not(contestant, table, folds, contest.way.turns)
    if contestant.own is not None:
        require_memory(contestant.own, table, folds)
    return None


def _effort(contest: _Contest, name: str) -> float:
    """What a model is expected to cost beside the others; nothing where its table has no column."""
    if name in contest.tables.without_column:
        return 0.0
    contestant = contest.chosen[name]
    return contestant.effort(contest.tables.of(name, contestant), contest.way.dealing.count)


def _announced(contest: _Contest, name: str) -> str:
    """What is said while a model is tried."""
    model, saying = contest.chosen[name], f"{contest.way.verb} {name}"
    if model.own is None:
        return saying
    return saying + announced(model.own, contest.tables.of(name, model), contest.way.turns)


def _with_leaks(contest: _Contest, standing: _Standing) -> Comparison:
    """The comparison of all models, with the columns that may give the answer away."""
    found = _finished(contest, standing)
    with doing("looking for leaks"), _interruptible(lambda: found):
        try:
            return replace(found, leaks=leaks_of(found.results, found.own, contest.tables.opened, contest.way.dealing))
        except TooManyRowsError as error:
            return replace(found, remarks=(*found.remarks, f"suspected leaks were not looked for: {error.reason}"))


def _finished(contest: _Contest, standing: _Standing) -> Comparison:
    """The comparison of those models that were tried so far."""
    rank_by, task, dealing = contest.rank_by, contest.task, contest.way.dealing
    board = judged(ranked(standing.rows, rank_by, task), standing.results, rank_by, task)
    return Comparison(
        board,
        standing.fitted,
        standing.skipped,
        dealing.count,
        rank_by,
        contest.tables.frame_kind,
        task,
        contest.remarks,
        standing.results,
        contest.given,
        test_rows=contest.way.rows_tested(standing.results[board[0].model]),
        warnings=tuple(contest.heard),
        random_state=dealing.seed,
    )


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
