"""Whoever takes part in a comparison: one face for models of suffice, of other libraries, and for baselines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from suffice.estimators import Predictor, contract
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.held_out_table import HeldOutTable, held_out_result
from suffice.evaluation.cross_validation.results import Result
from suffice.evaluation.cross_validation.shared_pass import SharedPass
from suffice.evaluation.cross_validation.trial import Trial
from suffice.evaluation.models import Model, reading_as
from suffice.schema import AnyArray, Array, Batch
from suffice.sources import Reading, Rows, gathered


@dataclass(frozen=True)
class Fitted:
    """A model of some rows, ready to be judged on others."""

    output: Callable[[Batch], Array]  # probabilities or scores of the classes, or numbers
    has_probabilities: bool


@dataclass(frozen=True)
class Contestant(ABC):
    """A model before it has seen a table."""

    reader: Predictor  # reads the table as suffice does, so that all models see the same columns

    @property
    @abstractmethod
    def task(self) -> str:
        """What it predicts."""

    @property
    def own(self) -> Model | None:
        """The estimator of suffice that it is: of no other can be told beforehand what it takes."""
        return None

    @property
    def is_baseline(self) -> bool:
        """Whether every other model should do better."""
        return False

    def effort(self, table: Rows, folds: int) -> float:
        """About what a cross-validation costs, beside that of others: a pass, or half of one for every fold."""
        return 0.5 * folds

    # How it reads the table -------------------------------------------------------------------------------------

    @property
    def reading(self) -> Reading:
        """How it reads columns."""
        return contract.reading(self.reader)

    def reading_as(self, settings: Mapping[str, Any]) -> Self:
        """The same model, reading the table as the settings say."""
        return replace(self, reader=reading_as(self.reader, settings))

    def opened(self, table: Any, target: Any, sample_weight: Any) -> Rows:
        """A table with its target, as the model reads it."""
        return contract.training_table(self.reader, table, target, sample_weight)

    def training_batch(self, table: Rows) -> Batch:
        """All rows of a table, as it learns from them."""
        return gathered(table)

    # How it is judged -------------------------------------------------------------------------------------------

    @abstractmethod
    def cross_validated(self, table: Rows, dealing: Dealing) -> Trial:
        """What the models without each fold say of it, and the model of all rows."""

    @abstractmethod
    def fitted(self, table: Rows, shared_pass: SharedPass) -> Any:
        """The model of all rows of an open table, measured in the pass that it shares with others."""

    @abstractmethod
    def tested(self, model: Any, table: Rows, test: HeldOutTable, seed: int) -> Result:
        """What its model of a table says of test rows."""

    @abstractmethod
    def models_of_sizes(self, table: Rows, batch: Batch, order: AnyArray, sizes: AnyArray) -> Iterator[Fitted]:
        """The models of ever more rows of a batch: of the first so many in an order."""

    def remember(self, model: Any, X: Any, y: Any, table: Rows) -> None:  # noqa: B027 - most have nothing to remember
        """Let its model know the table that it was trained on."""


@dataclass(frozen=True)
class ForeignModel(Contestant):
    """A model of another library, or a baseline that is no estimator."""

    @abstractmethod
    def fitted_on(self, batch: Batch) -> Any:
        """The model of some rows."""

    @abstractmethod
    def judged(self, model: Any) -> Fitted:
        """Its model, ready to be judged."""

    def fitted(self, table: Rows, shared_pass: SharedPass) -> Any:
        """The model of all rows of an open table."""
        return self.fitted_on(self.training_batch(table))

    def tested(self, model: Any, table: Rows, test: HeldOutTable, seed: int) -> Result:
        """What its model of a table says of test rows, which are read as that was."""
        batch, judged = test.batch_under(table, self.reading), self.judged(model)
        rows = judged.output(batch), batch.truth(), batch.row_weights()
        return held_out_result(*rows, batch.schema.classes, seed, judged.has_probabilities)

    def models_of_sizes(self, table: Rows, batch: Batch, order: AnyArray, sizes: AnyArray) -> Iterator[Fitted]:
        """The models of ever more rows of a batch, each fitted anew."""
        for size in sizes.tolist():
            yield self.judged(self.fitted_on(batch.take(order[:size])))
