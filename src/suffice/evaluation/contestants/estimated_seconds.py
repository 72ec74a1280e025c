"""How long it takes to judge a model: an estimate before the work, as some grow with every class or column."""

from __future__ import annotations

from math import ceil

from suffice.estimators import (
    DecisionTree,
    GaussianDiscriminant,
    LogisticRegression,
    NaiveBayes,
    Perceptron,
    contract,
)
from suffice.estimators.likelihood_setting import KERNELS
from suffice.evaluation.models import Model
from suffice.shown import counted
from suffice.solve.logistic.learn import MOST_DENSE
from suffice.sources import Rows

MANY_CLASSES = 50  # below, all models are quick enough
WORDS = 20  # of a text, about
WORTH_SAYING = 60.0  # seconds
TOO_LONG = 300.0
# Seconds of a core for every row, class, column and fold, measured on tables of 100 to 300 classes.
OF_CONJUGATE_GRADIENTS, OF_NEWTON, OF_A_PERCEPTRON, OF_PRUNING = 1e-6, 1e-7, 2e-7, 4e-7
OF_A_DENSITY = 1e-4  # for every class, column and fold, however few the rows
OF_A_PRODUCT = 7e-8  # for every class, pair of columns and fold


def seconds_to_judge(model: Model, table: Rows, folds: int) -> float:
    """About how long the cross-validation of a model takes; 0 where it is not long, or nobody knows the rows."""
    schema, rows = table.schema, table.rows or 0
    if has_kernels(model):
        return OF_A_DENSITY * schema.class_count * len(schema.numeric) * folds
    if isinstance(model, GaussianDiscriminant):
        return OF_A_PRODUCT * contract.numbers_kept(model, table) * folds
    if schema.class_count < MANY_CLASSES:
        return 0.0
    columns = len(schema.numeric) + len(schema.nominal) + WORDS * len(schema.text) + 1
    weights = schema.class_count * columns
    return _rate(model, weights) * rows * weights * folds


def has_kernels(model: Model) -> bool:
    """Whether all numeric columns are to have kernel densities."""
    return isinstance(model, NaiveBayes) and model.likelihoods in KERNELS


def _rate(model: Model, weights: int) -> float:
    if isinstance(model, LogisticRegression):
        return OF_CONJUGATE_GRADIENTS if weights > MOST_DENSE else OF_NEWTON
    if isinstance(model, Perceptron):
        return OF_A_PERCEPTRON
    return OF_PRUNING if isinstance(model, DecisionTree) and model.prune == "cost_complexity" else 0.0


def too_long(model: Model, table: Rows, folds: int) -> str | None:
    """Why a model is left out where nobody asked for it by name."""
    seconds = seconds_to_judge(model, table, folds)
    if seconds <= TOO_LONG:
        return None
    schema = table.schema
    size = f"{schema.class_count:,} classes and {counted(len(schema.columns), 'column')} in {folds} folds"
    return f"{size} would take it about {duration(seconds)}; name it among the models to try it all the same"


def announced(model: Model, table: Rows, folds: int) -> str:
    """What is said of the time that a model may take, before it is judged; nothing where it is short."""
    seconds = seconds_to_judge(model, table, folds)
    return f", which may take about {duration(seconds)}" if seconds > WORTH_SAYING else ""


def duration(seconds: float) -> str:
    """A time as it is guessed: in whole minutes, or hours.

    >>> duration(50), duration(700), duration(10_000)
    ('1 minute', '12 minutes', '3 hours')
    """
    count, unit = (ceil(seconds / 60), "minute") if seconds < 5_400 else (round(seconds / 3_600), "hour")
    return counted(count, unit)
