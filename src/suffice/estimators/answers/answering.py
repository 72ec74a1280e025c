"""What a fitted model is asked: one stream of answers, batch by batch, that warns at its end of what it met."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from scipy.sparse import csr_array

from suffice.errors import NoRowError, TableError
from suffice.estimators.answers.lazy_answers import with_answers
from suffice.estimators.answers.unseen_levels import Met
from suffice.estimators.fitted import Fitted
from suffice.estimators.inputs import (
    few_numbers,
    has_columns,
    is_numeric_matrix,
    is_strict,
    one_row,
    strict_array,
    texts_as_table,
)
from suffice.explain.shown import TOP
from suffice.schema import AnyArray, Array, Batch
from suffice.sources import Reading, Rows, dropped_columns, open_reader, read_as, spellings
from suffice.sources.elsewhere import is_elsewhere, require_named
from suffice.sources.given_source import known_source
from suffice.sources.open import is_sparse
from suffice.sources.readers.array import ArrayReader
from suffice.sources.source import is_source, itself
from suffice.statistics.statistic import M

if TYPE_CHECKING:
    from suffice.explain.factors import Explanation
    from suffice.explain.linear import LinearExplanation
    from suffice.explain.path import PathExplanation

R = TypeVar("R")


class Answering(Fitted):
    """The half of an estimator that answers: everything here leaves the model as it is."""

    missing_values: Any
    n_features_in_: int
    target_name_: str | None

    # The stream -------------------------------------------------------------------------------------------------

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

    def _predicted_there(self, table: Rows, proba: bool = False, threshold: Any = None, costs: Any = None) -> Any:
        """Predictions for rows elsewhere: a lazy frame, with all of their columns."""
        from suffice.estimators.answers.predictions import Asked  # which needs Arrow; most programs never ask

        return Asked.of(self, proba, threshold, costs).there(table, keep=True)

    def _answer(self, batch: Batch) -> AnyArray:
        """What is predicted: the positions of classes, or numbers."""
        return self._decided(self._fitted().output(batch))

    @abstractmethod
    def _decided(self, output: Array) -> AnyArray:
        """What is predicted by what the model says of rows: probabilities or scores of classes, or numbers."""

    def _unfamiliar(self, batch: Batch) -> int:
        """How many rows the model can say nothing about."""
        return 0

    def predictions(
        self, X: Any, proba: bool = False, threshold: Any = None, costs: Any = None, keep: Any = None
    ) -> Any:
        """Predictions for a table of any size: Arrow tables, one batch of rows after the other.

        Of a Spark or Dask frame they are another such frame, which is worked out when it is asked for.

        The column `prediction` follows those named in `keep` (True keeps all), as they are spelled in the table;
        `proba` adds a column P(class) for every class. `threshold` and `costs` say how to decide, as in `decide`.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")
        >>> for table in model.predictions(sf.datasets.load("play_tennis"), keep="Wind"):
        ...     print(table.slice(0, 2).to_pylist())
        [{'Wind': 'Weak', 'prediction': 'No'}, {'Wind': 'Strong', 'prediction': 'No'}]
        """
        from suffice.estimators.answers.predictions import prediction_tables

        return prediction_tables(self, X, proba, threshold, costs, keep)

    @abstractmethod
    def explain(self, row: Any, top: int | None = TOP) -> Explanation | LinearExplanation | PathExplanation:
        """The derivation of one prediction, of which the `top` parts that matter most are printed."""

    # How rows are read ------------------------------------------------------------------------------------------

    def _few_numbers(self, X: Any) -> Batch | None:
        if self.missing_values is not None:
            return None
        names = self.__dict__.get("feature_names_in_")
        return few_numbers(X, self._fitted().schema, names, self.target_name_)

    def _table(
        self, X: Any, y: Any = None, sample_weight: Any = None, beside: tuple[str, ...] = (), adds: bool = False
    ) -> Rows:
        """A table to be read as the training table was: by name, or by scikit-learn's strict rules.

        A source has a schema already, and may add levels and classes to the model's where it `adds` rows.
        """
        model = self._fitted()
        if is_source(X):
            return known_source(X, model.schema, y, sample_weight, adds).handing_on(beside)
        dropped = dropped_columns(model.schema)
        unread = tuple(name for name in dropped if name not in beside)
        reading = Reading(missing_values=spellings(self.missing_values), drop=unread, beside=beside)
        names = None
        if is_elsewhere(X):
            require_named(y, sample_weight)
        elif is_strict(X):
            X = texts_as_table(X)
            is_by_name = self.target_name_ is not None or isinstance(y, str) or self._lacks_only(dropped, X)
            if not is_by_name:
                is_matrix = any(column.width for column in model.schema.text)
                X, names = strict_array(csr_array(X) if is_matrix and is_numeric_matrix(X) else X, self, is_matrix)
        return read_as(model.schema, X, y, sample_weight, reading, names)

    def _lacks_only(self, dropped: tuple[str, ...], X: Any) -> bool:
        """Whether a frame has all columns of the training table but those that no model reads."""
        names = self.__dict__.get("feature_names_in_")
        if not dropped or names is None or not has_columns(X):
            return False
        return open_reader(X).names == tuple(name for name in names if name not in dropped)

    def row(self, X: Any, position: int) -> Batch:
        """One row of a table, the first at 0, to be explained; a file is read no further than that row.

        >>> import suffice as sf
        >>> iris = sf.datasets.load("iris")
        >>> tree = sf.c45().fit(iris, "species")
        >>> tree.explain(tree.row(iris, 70)).prediction
        'virginica'
        """
        table = self._table(X)
        if table.is_framed:
            raise TableError(
                "The rows of this frame have no positions, as they are elsewhere. Ask it for the row, for example with "
                "`limit` or a filter, and give that to `explain`."
            )
        before = 0
        for batch in table.leniently().map(itself):
            if 0 <= position < before + batch.rows:
                place = position - before
                found: Batch = batch.take(slice(place, place + 1))
                return found
            before += batch.rows
        raise NoRowError(before, position)

    def _one_row(self, row: Any) -> Batch:
        """A single row as a batch: a mapping of names to values, a sequence, a table of one row, or what `row` gave."""
        schema = self._fitted().schema
        if isinstance(row, Batch):
            return row
        if isinstance(row, str) and len(schema.text) == 1:
            row = {schema.text[0].name: row}
        names = getattr(self, "feature_names_in_", None)
        frame, row_names = row, None
        if not is_sparse(row):
            frame, row_names = one_row(row, tuple(names) if names is not None else None, self.n_features_in_)
        if any(column.width for column in schema.text) and isinstance(frame, ArrayReader):
            frame, row_names = csr_array(np.nan_to_num(frame.array.astype(np.float64))), None
        reading = Reading(missing_values=spellings(self.missing_values))
        batches = list(read_as(schema, frame, None, None, reading, row_names).batches())
        if len(batches) != 1 or batches[0].rows != 1:
            raise TableError("`explain` takes exactly one row; give one, for example table[5:6].")
        return batches[0]


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
