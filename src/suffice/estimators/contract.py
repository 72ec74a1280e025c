"""What evaluation, pictures and the command line ask of an estimator beside its public face.

Nothing outside this package calls an estimator by a private name: what is asked for is here, in one place, so that the
public face stays small and what is behind it can change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from suffice.errors import SettingError
from suffice.estimators.generative_classifier import GenerativeClassifier
from suffice.estimators.predictor import Predictor
from suffice.estimators.refitted import Refitted
from suffice.machine.threads import spread
from suffice.models.generative import GenerativeModel
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.sources import Reading, Rows
from suffice.statistics.statistic import M, MeasureTogether, Together

G = TypeVar("G", bound=GenerativeClassifier)
R = TypeVar("R", bound=Refitted)
A = TypeVar("A")

# Of whatever is given for an estimator -------------------------------------------------------------------------------


def require_object(model: object, advice: str = "Give an estimator: {}().") -> None:
    """A class is an error: nobody called it."""
    if isinstance(model, type):
        name = f"sf.{model.__name__}" if issubclass(model, Predictor) else model.__name__
        raise SettingError(f"{model.__name__} is a class. {advice.format(name)}")


# Of every estimator: how it reads a table ---------------------------------------------------------------------------


def reading(estimator: Predictor) -> Reading:
    """How the estimator's settings say that columns are read; estimators of one reading can share a table."""
    return estimator._reading()


def training_table(estimator: Predictor, X: Any, y: Any, sample_weight: Any = None) -> Rows:
    """A table with its target, opened as `fit` would."""
    return estimator._opened(X, y, sample_weight).table()


def table_to_judge(estimator: Predictor, X: Any, y: Any, sample_weight: Any = None) -> Rows:
    """A table with its target, to be read as the one the estimator was fitted on."""
    return estimator._table(X, estimator._labels(y), sample_weight)


def answers(estimator: Predictor, table: Rows, work: Callable[[Batch], A]) -> Iterator[A]:
    """A function of every batch of an open table; at its end it warns of levels that were never seen in training."""
    return estimator._watched(table, work)


def merged_answers(estimator: Predictor, table: Rows, work: Callable[[Batch], M]) -> M:
    """What a function gives of every batch, merged where the rows are; it warns as `answers` does."""
    return estimator._measured(table, work)


def decided(estimator: Predictor, output: Array) -> AnyArray:
    """What is predicted by what a model says of rows: the positions of classes, or numbers."""
    return estimator._decided(output)


def remember(fitted: Predictor, X: Any, y: Any, table: Rows) -> None:
    """Let an estimator that got its model elsewhere know the table it was trained on, as after `fit`."""
    fitted._remember(X, y, table)


# Of those whose statistics merge: one pass measures, any merge of statistics is solved ------------------------------


def measurement(estimator: GenerativeClassifier, table: Rows) -> MeasureTogether:
    """What to measure in one pass over a table."""
    return estimator._measurement(table)


def numbers_kept(estimator: GenerativeClassifier, table: Rows) -> float:
    """About how many numbers the statistic of a table has, of which only the first rows may be looked at."""
    return estimator._numbers(table)


def is_remeasured(estimator: GenerativeClassifier, table: Rows) -> bool:
    """Whether a cross-validation measures the rows of all other folds again, which is quicker than to merge."""
    return estimator._is_remeasured(table)


def solved(estimator: GenerativeClassifier, statistic: Together) -> GenerativeModel:
    """The model of a statistic."""
    return estimator._model_of(statistic)


def with_statistic(estimator: G, statistic: Together) -> G:
    """A copy, fitted on the rows that a statistic was measured on."""
    other: G = estimator._with_model(estimator._model_of(statistic))
    other.statistic_ = statistic
    return other


# Of the others: they learn from all rows, anew without every fold ---------------------------------------------------


def training_batch(estimator: Refitted, table: Rows) -> Batch:
    """All rows of a table, as the estimator learns from them."""
    return estimator._training_batch(table)


def before_folds(estimator: R, batch: Batch) -> R:
    """The estimator to fit without each fold of these rows, which it may look at to be quicker."""
    return estimator._before_folds(batch)


def models_without_folds(estimator: Refitted, batch: Batch, fold: Codes, count: int) -> Iterator[Any]:
    """For every fold of a batch the model of the rows of all others, which only has to predict."""
    together = estimator._models_without_folds(batch, fold, count)
    if together is not None:
        return together
    return spread(lambda k: estimator._fold_model(batch.take(np.flatnonzero(fold != k))), range(count), batch.cells)


def fold_model(estimator: Refitted, batch: Batch) -> Any:
    """The model of some rows, which only has to predict."""
    return estimator._fold_model(batch)


def fitted_on(estimator: R, batch: Batch) -> R:
    """A copy, fitted on the rows of a batch."""
    return estimator._fitted_on(batch)
