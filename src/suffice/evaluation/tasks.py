"""The task: to predict classes, or numbers."""

from __future__ import annotations

from typing import Any

from suffice.errors import SettingError
from suffice.solve.trees.learn import OF_CLASSES, OF_NUMBERS
from suffice.sources import column_names, spellings
from suffice.sources.reading import Reading
from suffice.sources.task import CLASSIFICATION, REGRESSION, suggested_task

TASKS = (CLASSIFICATION, REGRESSION)


def require_task(task: str | None) -> None:
    """A task must be one there is."""
    if task is not None and task not in TASKS:
        raise SettingError(f"task must be {' or '.join(map(repr, TASKS))}, not {task!r}.")


def task_of_target(table: Any, target: Any, nominal: Any = None, missing_values: Any = None) -> str:
    """What the target suggests: times, fractions and more than 20 different whole numbers are quantities.

    >>> import suffice as sf
    >>> task_of_target(sf.datasets.load("iris"), "species"), task_of_target(sf.datasets.load("iris"), "petal_width")
    ('classification', 'regression')
    """
    if target is None:
        return CLASSIFICATION  # the estimator says that it needs one
    return suggested_task(table, target, Reading(column_names(nominal), spellings(missing_values)))


def task_of_criterion(criterion: Any) -> str | None:
    """The task of a tree's criterion; none where it is no criterion.

    >>> task_of_criterion("variance"), task_of_criterion("gini"), task_of_criterion(None)
    ('regression', 'classification', None)
    """
    if criterion in OF_NUMBERS:
        return REGRESSION
    return CLASSIFICATION if criterion in OF_CLASSES else None
