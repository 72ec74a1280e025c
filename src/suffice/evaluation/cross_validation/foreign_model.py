"""A contestant that is no estimator of suffice: how it is fitted, and how it answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from suffice.estimators import Predictor
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.results import Result
from suffice.schema import Array, Batch
from suffice.sources import Rows


@dataclass(frozen=True)
class ForeignModel(ABC):
    """A model of another library, or a baseline, before it has seen a table."""

    reader: Predictor  # reads the table as suffice does, so that all models see the same columns

    @property
    @abstractmethod
    def task(self) -> str:
        """What it predicts."""

    @abstractmethod
    def fitted(self, batch: Batch) -> Any:
        """The model of some rows."""

    @staticmethod
    @abstractmethod
    def answers(model: Any, batch: Batch) -> Array:
        """What its model says of rows: probabilities or scores of the classes, or numbers."""

    @abstractmethod
    def cross_validated(self, table: Rows, dealing: Dealing) -> tuple[Any, Result]:
        """The model of all rows, and what those without each fold say of it."""
