"""The task: to predict classes, or numbers."""

from __future__ import annotations

from typing import Any

from suffice.settings import require_one_of
from suffice.solve.trees.learn import OF_CLASSES, OF_NUMBERS
from suffice.sources.targets.task import CLASSIFICATION, REGRESSION

TASKS = (CLASSIFICATION, REGRESSION)


def require_task(task: str | None) -> None:
    """A task must be one there is."""
    if task is not None:
        require_one_of("task", task, TASKS)


def task_of_criterion(criterion: Any) -> str | None:
    """The task of a tree's criterion; none where it is no criterion.

    >>> task_of_criterion("variance"), task_of_criterion("gini"), task_of_criterion(None)
    ('regression', 'classification', None)
    """
    if criterion in OF_NUMBERS:
        return REGRESSION
    return CLASSIFICATION if criterion in OF_CLASSES else None
