"""What models that are compared measure of the same rows, in one pass: each statistic once, whoever needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from suffice.estimators import GaussianDiscriminant, GenerativeClassifier, NaiveBayes, Predictor, contract
from suffice.estimators.enough_memory import always_fits, lack_of_memory
from suffice.evaluation.cross_validation.measured_folds import MeasureFolds
from suffice.schema import Batch, Schema
from suffice.solve.folds import Folds
from suffice.sources import Rows
from suffice.sources.given_source import GivenSource
from suffice.statistics.statistic import M, Measurement, MeasureTogether, Together


@dataclass(frozen=True)
class Wanted:
    """What a model measures, and the table as it reads it."""

    estimator: GenerativeClassifier
    table: Rows
    measurement: MeasureTogether


@dataclass
class SharedPass:
    """Statistics of one table's rows, measured in one pass for all models that wait for them, and kept until each came.

    Models wait for one another whose statistics are small, whatever the rows: naive Bayes, LDA and QDA. Any other
    measures by itself.
    """

    waiting: list[Wanted] = field(default_factory=list)
    known: list[tuple[Schema, Any, Any]] = field(default_factory=list)  # the reading, what to measure, what was found

    def wait_for(self, models: Mapping[str, tuple[Predictor, Rows]], folds: int) -> tuple[str, ...]:
        """Let the first of these models measure for all that have enough memory; their names, where there are several.

        A model whose statistic may be large shares its pass with nobody but those who need the same.
        """
        counted, names = list[_CountedOnce](), list[str]()
        for name, (estimator, table) in models.items():
            if not isinstance(estimator, (NaiveBayes, GaussianDiscriminant)):
                continue
            is_small = isinstance(estimator, GaussianDiscriminant) or always_fits(estimator, table, folds)
            if not is_small or contract.is_remeasured(estimator, table) or lack_of_memory(estimator, table, folds):
                continue
            view = table if isinstance(estimator, NaiveBayes) else _counted_once(table, counted)
            self.waiting.append(Wanted(estimator, table, contract.measurement(estimator, view)))
            names.append(name)
        if len(names) < 2:
            self.waiting.clear()
            return ()
        return tuple(names)

    def measured(self, estimator: GenerativeClassifier, table: Rows, folds: Folds | None = None) -> Together:
        """What a model measures of a table or, where it is dealt to folds, of all of them."""
        own = next((one for one in self.waiting if one.estimator is estimator and one.table is table), None)
        if own is None:
            return _measured(contract.measurement(estimator, table), table, folds)
        self._measure(own, folds)
        found = {name: self._found(table.schema, part) for name, part in own.measurement.parts.items()}
        self.waiting.remove(own)
        if not self.waiting:
            self.known.clear()
        return Together(found)

    def measure(self, folds: Folds | None = None) -> None:
        """Measure for all that wait, in as few passes as they have readings of the rows."""
        for one in self.waiting:
            self._measure(one, folds)

    def _measure(self, first: Wanted, folds: Folds | None) -> None:
        """Measure what a model lacks, and in the same pass what others lack that read the same rows."""
        if not self._lacking([first]):
            return
        alike = [one for one in self.waiting if one is first or one.table.has_the_rows_of(first.table)]
        fullest = max((one.table for one in alike), key=lambda table: len(table.schema.columns))
        lacking = self._lacking([one for one in alike if one.table.schema.text in ((), fullest.schema.text)])
        views = {str(k): _view(schema, part, fullest) for k, (schema, part) in enumerate(lacking)}
        found = _measured(MeasureTogether(views), fullest, folds).parts
        self.known += [(*own, found[str(k)]) for k, own in enumerate(lacking)]

    def _lacking(self, wanted: list[Wanted]) -> list[tuple[Schema, Any]]:
        """Each once."""
        found = list[tuple[Schema, Any]]()
        for schema, part in ((one.table.schema, part) for one in wanted for part in one.measurement.parts.values()):
            if self._found(schema, part) is None and (schema, part) not in found:
                found.append((schema, part))
        return found

    def _found(self, schema: Schema, part: Any) -> Any:
        return next((found for own, known, found in self.known if known == part and own == schema), None)


def _measured(measurement: MeasureTogether, table: Rows, folds: Folds | None) -> Together:
    if folds is None:
        return table.measure(measurement)
    return table.measure(MeasureFolds.of_schema(measurement, folds, table.schema))


def _view(schema: Schema, part: Any, fullest: Rows) -> Any:
    return part if schema == fullest.schema else _WithoutText(schema, part)


@dataclass(frozen=True)
class _WithoutText:
    """Measures batches of a table that has texts as a model sees them that reads none."""

    schema: Schema
    measurement: Any

    def of(self, batch: Batch) -> Any:
        """Measure a batch, under the classes that it has."""
        return self.measurement.of(batch.narrowed(self.schema.with_target(batch.schema.target)))


@dataclass(frozen=True)
class _CountedOnce(GivenSource):
    """A table that counts its levels once, however many models ask which of them are frequent."""

    counts: list[tuple[Any, Any]] = field(default_factory=list)

    def measure(self, measurement: Measurement[M]) -> M:
        """One pass, unless it was made already."""
        for own, found in self.counts:
            if own == measurement:
                counted: M = found
                return counted
        counted = super().measure(measurement)
        self.counts.append((measurement, counted))
        return counted


def _counted_once(table: Rows, known: list[_CountedOnce]) -> _CountedOnce:
    found = next((one for one in known if one.source is table), None)
    if found is None:
        found = _CountedOnce(table)
        known.append(found)
    return found
