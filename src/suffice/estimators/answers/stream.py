"""The stream of answers of a fitted model: a function of every batch, that warns at its end of what it met."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.sparse import csr_array

from suffice.estimators.answers.lazy_answers import with_answers
from suffice.estimators.answers.unseen_levels import Met
from suffice.estimators.feature_names import own_feature_names
from suffice.estimators.fitted import Fitted
from suffice.estimators.inputs import (
    few_numbers,
    is_numeric_matrix,
    is_strict,
    strict_array,
    texts_as_table,
)
from suffice.schema import Batch
from suffice.sources import Reading, Rows, dropped_columns, open_reader, read_as, spellings
from suffice.sources.engines.elsewhere import is_elsewhere, require_named
from suffice.sources.libraries import has_columns
from suffice.statistics.statistic import M

R = TypeVar("R")


class Stream(Fitted):
    """What every fitted estimator answers rows by, and how it reads them; everything here leaves the model as it is."""

    missing_values: Any
    n_features_in_: int

    def _answers(self, X: Any, work: Callable[[Batch], R], y: Any, sample_weight: Any) -> Iterator[R]:
        """A function of every batch of a table with its target, in the order of the rows, of those that have one."""
        return self._watched(self._table(X, y, sample_weight), work)

    def _watched(self, table: Rows, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every batch of a table that is open already, in the order of the rows.

        At its end it warns of levels that were never seen in training, and of rows the model knows nothing about.
        """
        table, met = table.leniently(), Met()
        for answer, part in table.map(lambda batch: (work(batch), Met(batch.unknown, self._unfamiliar(batch)))):
            met = met.merge(part)
            yield answer
        met.warn(table.schema)

    def _measured(self, table: Rows, work: Callable[[Batch], M]) -> M:
        """What a function gives of every batch, merged where the rows are; with the same warnings."""
        measured = table.leniently().measure(_MeasureMet(work, self._unfamiliar))
        measured.met.warn(table.schema)
        return measured.found

    def _of_rows(
        self,
        X: Any,
        work: Callable[[Batch], Any],
        empty: tuple[int, ...],
        kind: Any = np.float64,
        there: Callable[[Rows], Any] | None = None,
    ) -> Any:
        """The answers for all rows in one array; for rows elsewhere a lazy frame, if `there` says how to make it."""
        few = self._few_numbers(X)
        if few is not None:
            return self._of_few(few, work)
        table = self._table(X)
        if there is not None and table.is_framed:
            return there(table)
        parts = list(self._watched(table, work))
        if not parts:
            return np.empty(empty, dtype=kind)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _of_few(self, few: Batch, work: Callable[[Batch], R]) -> R:
        """The answers for a few rows of numbers alone, in which there is nothing to meet but what is unfamiliar."""
        answer = work(few)
        if unfamiliar := self._unfamiliar(few):
            Met(unfamiliar=unfamiliar).warn(few.schema)
        return answer

    def _beside(
        self, X: Any, work: Callable[[Batch], Any], empty: tuple[int, ...], what: str, kind: Any = np.float64
    ) -> Any:
        """The same, as columns of that name beside those of rows elsewhere."""
        return self._of_rows(X, work, empty, kind, lambda table: with_answers(table, work, np.empty(empty, kind), what))

    def _unfamiliar(self, batch: Batch) -> int:
        """How many rows the model can say nothing about."""
        return 0

    # How rows are read ------------------------------------------------------------------------------------------

    def _few_numbers(self, X: Any) -> Batch | None:
        if self.missing_values is not None:
            return None
        model = self._fitted()
        return few_numbers(X, model.schema, own_feature_names(self), self.__dict__.get("target_name_"))

    def _table(
        self, X: Any, y: Any = None, sample_weight: Any = None, beside: tuple[str, ...] = (), adds: bool = False
    ) -> Rows:
        """A table to be read as the training table was: by name, or by scikit-learn's strict rules.

        A source has a schema already, and may add levels and classes to the model's where it `adds` rows.
        """
        schema = self.schema_
        unread = tuple(name for name in dropped_columns(schema) if name not in beside)
        reading = Reading(missing_values=spellings(self.missing_values), drop=unread, beside=beside)
        names = None
        if is_elsewhere(X):
            require_named(y, sample_weight)
        elif is_strict(X):
            X, names = self._checked(X, isinstance(y, str) or self.__dict__.get("target_name_") is not None)
        return read_as(schema, X, y, sample_weight, reading, names, adds)

    def _checked(self, X: Any, is_by_name: bool) -> tuple[Any, tuple[str, ...] | None]:
        """An array or a frame, checked by the rules for arrays unless it is read by name, and what its columns are."""
        X = texts_as_table(X)
        if is_by_name or self._lacks_only_dropped(X):
            return X, None
        is_matrix = any(column.width for column in self.schema_.text)
        checked: tuple[Any, tuple[str, ...] | None] = strict_array(
            csr_array(X) if is_matrix and is_numeric_matrix(X) else X, self, is_matrix
        )
        return checked

    def _lacks_only_dropped(self, X: Any) -> bool:
        """Whether a frame has all columns of the training table but those that no model reads."""
        names, dropped = own_feature_names(self), dropped_columns(self.schema_)
        if not dropped or names is None or not has_columns(X):
            return False
        return open_reader(X).names == tuple(name for name in names if name not in dropped)


@dataclass(frozen=True)
class _Measured(Generic[M]):
    found: M
    met: Met

    def merge(self, other: _Measured[M]) -> _Measured[M]:
        """In both sets of rows."""
        return _Measured(self.found.merge(other.found), self.met.merge(other.met))


@dataclass(frozen=True)
class _MeasureMet(Generic[M]):
    work: Callable[[Batch], M]
    unfamiliar: Callable[[Batch], int]

    def of(self, batch: Batch) -> _Measured[M]:
        """Of one batch."""
        return _Measured(self.work(batch), Met(batch.unknown, self.unfamiliar(batch)))
