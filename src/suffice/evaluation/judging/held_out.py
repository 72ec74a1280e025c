"""Held-out evaluation: a fitted model on rows it has not seen, batch by batch; only scores are kept."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, overload

import numpy as np

from suffice.errors import EmptyTableError, SettingError, SufficeWarning, TableError, overhearing, warn_user
from suffice.estimators import Classifier, DecisionTreeRegressor, Predictor, capabilities, contract
from suffice.estimators.scikit import check_is_fitted
from suffice.evaluation.judging.asked_decision import Asked
from suffice.evaluation.judging.classification_evaluation import Evaluation
from suffice.evaluation.judging.judged import Judged, JudgedRows
from suffice.evaluation.judging.judged_elsewhere import judged_elsewhere
from suffice.evaluation.judging.regression_evaluation import RegressionEvaluation
from suffice.evaluation.judging.scikit_learn_answers import answers_of, task_of
from suffice.schema import AnyArray, Array, Batch
from suffice.sources import Rows, gathered, read_table
from suffice.sources.open import opened
from suffice.sources.reading import Reading
from suffice.sources.source import is_source
from suffice.sources.targets.task import REGRESSION
from suffice.statistics.ties import first_of_equals

Answers = tuple[Array, AnyArray, AnyArray, Array]  # scores or numbers, what was decided, the truth, weights


@overload
def evaluate(
    model: Classifier,
    table: Any,
    target: Any = ...,
    sample_weight: Any = ...,
    costs: Any = ...,
    threshold: Any = ...,
    positive: Any = ...,
) -> Evaluation: ...


@overload
def evaluate(
    model: DecisionTreeRegressor, table: Any, target: Any = ..., sample_weight: Any = ...
) -> RegressionEvaluation: ...


def evaluate(
    model: Any,
    table: Any,
    target: Any = None,
    sample_weight: Any = None,
    costs: Any = None,
    threshold: Any = None,
    positive: Any = None,
) -> Evaluation | RegressionEvaluation:
    """Judge a fitted model on rows it has not seen; every metric has a 95 % interval.

    `table`, `target` and `sample_weight` are as in `fit`; a target that was named there need not be named again.
    `positive` is the class that is looked for, else the second of two; `threshold` is the probability from which a row
    is taken for it; and `costs`, such as {"false negative": 5} or {("truth", "predicted"): 5}, ask for the threshold at
    which errors of two classes cost least, and for what errors of more classes cost. A fitted model of scikit-learn is
    judged too, on all columns of the table as a pandas frame.

    >>> import suffice as sf
    >>> iris = sf.datasets.load("iris")
    >>> model = sf.LDA().fit(iris[::2], "species")
    >>> result = sf.evaluate(model, iris[1::2])
    >>> result.confusion.tolist()
    [[25.0, 0.0, 0.0], [0.0, 24.0, 1.0], [0.0, 2.0, 23.0]]
    >>> round(result.value("accuracy"), 3), round(result.overall["accuracy"].low, 3)
    (0.96, 0.889)
    """
    heard = list[str]()
    with overhearing(heard):
        found = _evaluated(model, table, target, sample_weight, costs, threshold, positive)
    return replace(found, warnings=tuple(heard))


def _evaluated(
    model: Any, table: Any, target: Any, sample_weight: Any, costs: Any, threshold: Any, positive: Any
) -> Evaluation | RegressionEvaluation:
    if not isinstance(model, Predictor) and capabilities.is_estimator(model):
        return evaluate_foreign(model, table, target, sample_weight, costs, threshold, positive)
    estimator = _fitted(model)
    target = _target(estimator, table, target)
    if not isinstance(estimator, Classifier):
        require_classes(costs, threshold, positive)
        numbers, _, truth, weights = judged_rows(estimator, table, target, sample_weight)
        name, kind = estimator.schema_.target.name, type(estimator).__name__
        return RegressionEvaluation(numbers, truth, weights, name, kind, estimator.frame_kind_)
    classes, has_probabilities = estimator.schema_.classes, capabilities.has_probabilities(estimator)
    asked = Asked.of(classes, positive, threshold, costs, has_probabilities)
    judged = _judged(estimator, asked, has_probabilities, table, target, sample_weight)
    name, kind = estimator.schema_.target.name, type(estimator).__name__
    return Evaluation(classes, judged, name, kind, has_probabilities, asked, estimator.frame_kind_)


def _judged(
    estimator: Classifier, asked: Asked, has_probabilities: bool, table: Any, target: Any, sample_weight: Any
) -> Judged:
    """The rows that have a class; of those that are elsewhere, what was counted of them there."""
    opened = contract.table_to_judge(estimator, table, target, sample_weight)
    if opened.is_here:
        scores, taken, truth, weights = judged_table(estimator, opened, sample_weight is not None)
        return JudgedRows(scores, truth, asked.taken(scores, taken), weights)
    counted, rows = opened.counting()[1].rows_read, 0
    try:
        found = judged_elsewhere(estimator, asked, has_probabilities, opened)
        rows = found.rows
    except EmptyTableError:
        pass
    require_judged(estimator, counted, rows, sample_weight is not None)
    return found


def require_classes(*asked: Any) -> None:
    """Costs, a threshold and a positive class are nothing for a model of numbers."""
    if any(each is not None for each in asked):
        raise SettingError("costs, threshold and positive are for classes; this model predicts numbers.")


def evaluate_foreign(
    model: Any, table: Any, target: Any, sample_weight: Any, costs: Any, threshold: Any, positive: Any
) -> Evaluation | RegressionEvaluation:
    """Judge a fitted model of scikit-learn, which gets the columns it knows as a pandas frame."""
    if target is None and not is_source(table):
        raise SettingError("Give the target, one value for every row, or the name of a column of the table.")
    is_number, kind = task_of(model) == REGRESSION, type(model).__name__
    if not hasattr(model, "__sklearn_is_fitted__"):
        check_is_fitted(model)
    reading = Reading(numeric_target=is_number, keep=() if is_source(table) else _every_column(table, target))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)  # of how suffice would read it
        rows = read_table(table, target, sample_weight, reading, None if is_number else model.classes_)
    batch, name = gathered(rows), rows.schema.target.name
    said, weights = answers_of(model, batch), batch.row_weights()
    if is_number:
        require_classes(costs, threshold, positive)
        return RegressionEvaluation(said, batch.responses(), weights, name, kind)
    classes, has_probabilities = batch.schema.classes, capabilities.has_probabilities(model)
    asked = Asked.of(classes, positive, threshold, costs, has_probabilities)
    taken = asked.taken(said, first_of_equals(said))
    judged = JudgedRows(said, batch.class_codes(), taken, weights)
    return Evaluation(classes, judged, name, kind, has_probabilities, asked)


def judged_rows(estimator: Predictor, table: Any, target: Any, sample_weight: Any) -> Answers:
    """The scores of every row that has a target, in one pass."""
    opened = contract.table_to_judge(estimator, table, target, sample_weight)
    return judged_table(estimator, opened, sample_weight is not None)


def judged_table(estimator: Predictor, table: Rows, has_weights: bool) -> Answers:
    """The same of a table that is open already."""
    opened, counted = table.counting()
    parts = list(contract.answers(estimator, opened, lambda batch: _judged_batch(estimator, batch)))
    scores, taken, truth, weights = (
        (np.concatenate(part) for part in zip(*parts, strict=True)) if parts else (np.empty(0) for _ in range(4))
    )
    require_judged(estimator, counted.rows_read, len(truth), has_weights)
    return scores, taken, truth, weights


def require_judged(estimator: Predictor, read: int, judged: int, has_weights: bool) -> None:
    """An error where no row has a target, and a warning where some have none."""
    what = "class" if isinstance(estimator, Classifier) else "number"
    if not judged:
        raise TableError(
            f"None of the {read:,} rows has a {what} to compare with. Check the table and the target."
            if read
            else "The table has no rows. Check the file, or the filter that made the table."
        )
    if read > judged:
        weight = " or no weight" if has_weights else ""
        warn_user(f"{read - judged:,} of {read:,} rows have no {what}{weight} and are left out.")


def _judged_batch(estimator: Predictor, batch: Batch) -> Answers:
    said = estimator.model_.output(batch)
    return said, contract.decided(estimator, said), batch.truth(), batch.row_weights()


def _every_column(table: Any, target: Any) -> tuple[str, ...]:
    """All columns but the target, whatever they look like: the model knows which it reads."""
    return tuple(name for name in opened(table).names if not (isinstance(target, str) and name == target))


# What was asked for -------------------------------------------------------------------------------------------------


def _fitted(model: Any) -> Predictor:
    if isinstance(model, Predictor):
        model.schema_  # noqa: B018 - which an estimator that is not fitted has not, and says so
        return model
    contract.require_object(model, "Give a fitted model: {}().fit(table, target).")
    raise SettingError(
        f"{model!r:.60} is no model of suffice. Give a fitted one: sf.LDA().fit(table, target), sf.load(file), …."
    )


def _target(estimator: Predictor, table: Any, target: Any) -> Any:
    if target is not None:
        return target
    if estimator.target_name_ is None and isinstance(table, (np.ndarray, list, tuple)):
        raise SettingError(
            "Give the target, one value for every row, or the name of a column: the model has no name for it."
        )
    return estimator.target_name_ or estimator.schema_.target.name  # a model of arrays knows only what it is called
