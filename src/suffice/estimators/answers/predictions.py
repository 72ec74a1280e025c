"""Predictions as Arrow tables, batch by batch: what is predicted, how probable it is, beside columns that are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from suffice.errors import SettingError, TableError
from suffice.estimators.capabilities import has_probabilities
from suffice.models.decision import Decision
from suffice.sample import arrow_numbers, free_name, of_one_type
from suffice.schema import AnyArray, Array, Batch, Coded, Level, Numeric, RawColumn, Target
from suffice.sources import Rows, Table, column_names
from suffice.sources.engines.elsewhere import is_elsewhere
from suffice.sources.given_source import as_rows
from suffice.sources.open import opened
from suffice.sources.reading import column_name, require_columns
from suffice.sources.source import is_source

if TYPE_CHECKING:
    from suffice.estimators.answers.answering import Answering

PREDICTION = "prediction"
NOTHING = Coded(np.empty(0, dtype=np.int32), ())


def prediction_tables(estimator: Answering, X: Any, proba: bool, threshold: Any, costs: Any, keep: Any) -> Any:
    """The stream of a model's answers as Arrow tables of one schema, at least one; what is asked is checked at once.

    Where the rows are elsewhere, a lazy frame there.
    """
    asked = Asked.of(estimator, proba, threshold, costs)
    if is_elsewhere(X) and (there := estimator._table(X)).is_framed:
        return asked.there(there, keep)
    kept = _kept(keep, lambda: _every_name(X))
    table = estimator._table(X, beside=kept)
    return _of_one_schema(estimator._watched(table, asked.answer), asked.nothing(kept))


def _kept(keep: Any, names: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """The columns to keep as the table calls them, which is asked only where somebody wants all or counts."""
    if keep is True:
        return names()
    asked = column_names(keep)
    return asked if all(isinstance(name, str) for name in asked) else tuple(column_name(n, names()) for n in asked)


def _every_name(X: Any) -> tuple[str, ...]:
    return as_rows(X).names if is_source(X) else opened(X).names


@dataclass(frozen=True)
class Asked:
    """What is asked of a model: what it predicts, as that is decided, and how probable every class is."""

    estimator: Answering
    has_probabilities: bool
    decision: Decision | None = None
    taken: tuple[str, ...] = ()  # names of columns that will stand beside the answers

    @classmethod
    def of(cls, estimator: Answering, proba: bool, threshold: Any, costs: Any) -> Asked:
        """What the arguments of `predictions` ask for, if the model can say it."""
        is_decided = threshold is not None or costs is not None
        classes = estimator.schema_.classes
        if proba or is_decided:
            _require_probabilities(estimator, classes, "probabilities" if proba else "a threshold or costs")
        return cls(estimator, proba, Decision.of(classes, threshold, costs) if is_decided else None)

    def there(self, table: Rows, keep: Any) -> Any:
        """The answers for rows elsewhere: a lazy frame, with some of their columns or all."""
        assert isinstance(table, Table)
        names = table.engine.names
        kept = _kept(keep, lambda: names)
        require_columns("column", kept, names)
        asked = replace(self, taken=kept)
        return table.with_columns(asked.answer, asked.nothing().schema, kept)

    def answer(self, batch: Batch) -> pa.Table:
        """The answers for a batch, beside the columns that it hands on."""
        if not self.has_probabilities and self.decision is None:
            return self._table(self.estimator._answer(batch), None, batch.beside)
        posterior = self.estimator._fitted().posterior(batch)
        decided = self.estimator._decided if self.decision is None else self.decision.codes
        return self._table(decided(posterior), posterior, batch.beside)

    def nothing(self, kept: tuple[str, ...] = ()) -> pa.Table:
        """The answers for no rows, beside columns that are kept."""
        return self._table(np.empty(0), np.empty((0, self.estimator.schema_.class_count)), dict.fromkeys(kept, NOTHING))

    def _table(self, predicted: AnyArray, posterior: Array | None, beside: Mapping[str, RawColumn]) -> pa.Table:
        """Some rows: positions of classes or numbers, probabilities, and what is kept."""
        target = self.estimator.schema_.target
        columns = {name: arrow_raw(column) for name, column in beside.items()}
        columns[free_name(PREDICTION, (*self.taken, *columns))] = _predicted(predicted, target)
        if self.has_probabilities and posterior is not None and not isinstance(target, Numeric):
            for label, column in zip(target.levels, posterior.T, strict=True):
                columns[free_name(f"P({label})", (*self.taken, *columns))] = pa.array(column)
        return pa.table(columns)


def _require_probabilities(estimator: Answering, classes: tuple[Level, ...], what: str) -> None:
    if not classes:
        raise SettingError(f"This model predicts a number, for which {what} mean nothing.")
    if not has_probabilities(estimator):
        raise SettingError(f"A {type(estimator).__name__} has no probabilities, which {what} need.")


def _predicted(predicted: AnyArray, target: Target) -> Any:
    if not isinstance(target, Numeric):
        return pa.array(of_one_type(target.levels)).take(pa.array(predicted, pa.int64()))
    target = replace(target, is_whole=False)  # means of dates have hours
    return arrow_numbers(predicted, target) if target.time else pa.array(predicted)


def arrow_raw(column: RawColumn) -> Any:
    """A column as it came, in Arrow.

    >>> arrow_raw(Coded(np.array([1, -1, 0]), ("007", "x"))).to_pylist()
    ['x', None, '007']
    """
    if isinstance(column, Coded):
        codes = pa.array(column.codes, pa.int64(), mask=np.asarray(column.codes) < 0)
        levels = pa.array(of_one_type(column.levels)) if column.levels else pa.array([], pa.string())
        return levels.take(codes)
    return arrow_numbers(column.data, Numeric("", column.time, column.is_integer))


def _of_one_schema(tables: Iterator[pa.Table], nothing: pa.Table) -> Iterator[pa.Table]:
    """The tables as the first one is; without any, one that has no rows."""
    first = next(tables, nothing)
    yield first
    for table in tables:
        try:
            yield table.cast(first.schema)
        except pa.ArrowInvalid as error:
            raise TableError(f"A column that is kept changes its type on the way: {error}.") from error
