"""What a fitted model is asked: predictions, in whatever form, and the derivation of one of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from suffice.errors import NoRowError, TableError
from suffice.estimators.answers.stream import Stream
from suffice.estimators.feature_names import feature_names
from suffice.estimators.inputs import one_row
from suffice.explain.shown import TOP
from suffice.schema import AnyArray, Array, Batch
from suffice.sources import Reading, Rows, read_as, spellings
from suffice.sources.open import is_sparse
from suffice.sources.readers.frames.array import ArrayReader
from suffice.sources.source import itself

if TYPE_CHECKING:
    from suffice.explain.factors import Explanation
    from suffice.explain.linear import LinearExplanation
    from suffice.explain.path import PathExplanation


class Answering(Stream):
    """The half of an estimator that predicts: everything here leaves the model as it is."""

    target_name_: str | None

    def _answer(self, batch: Batch) -> AnyArray:
        """What is predicted: the positions of classes, or numbers."""
        return self._decided(self._fitted().output(batch))

    @abstractmethod
    def _decided(self, output: Array) -> AnyArray:
        """What is predicted by what the model says of rows: probabilities or scores of classes, or numbers."""

    def _predicted_there(self, table: Rows, proba: bool = False, threshold: Any = None, costs: Any = None) -> Any:
        """Predictions for rows elsewhere: a lazy frame, with all of their columns."""
        from suffice.estimators.answers.predictions import Asked  # which needs Arrow; most programs never ask

        return Asked.of(self, proba, threshold, costs).there(table, keep=True)

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
        frame, row_names = row, None
        if not is_sparse(row):
            frame, row_names = one_row(row, feature_names(self))
        if any(column.width for column in schema.text) and isinstance(frame, ArrayReader):
            frame, row_names = csr_array(np.nan_to_num(frame.array.astype(np.float64))), None
        reading = Reading(missing_values=spellings(self.missing_values))
        batches = list(read_as(schema, frame, None, None, reading, row_names).batches())
        if len(batches) != 1 or batches[0].rows != 1:
            raise TableError("`explain` takes exactly one row; give one, for example table[5:6].")
        return batches[0]
