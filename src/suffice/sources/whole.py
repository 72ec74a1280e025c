"""A whole table in one batch, for models that need all rows at once."""

from __future__ import annotations

from dataclasses import replace

from suffice.schema import Batch, joined
from suffice.sources.table import WHOLE, Source, Table, no_rows


def whole_batch(source: Source, by_column: bool = False) -> Batch:
    """All rows in one batch; a float64 matrix in memory, its rows one after the other, is not copied.

    With `by_column` the numbers of any other table stand column by column, which is quicker.

    >>> import numpy as np
    >>> from suffice.sources import read_table
    >>> matrix = np.array([[1.0], [2.0], [3.0]])
    >>> batch = whole_batch(read_table(matrix, ["a", "b", "a"]))
    >>> batch.rows, np.shares_memory(batch.numeric, matrix)
    (3, True)
    """
    whole = replace(source, chunk_rows=WHOLE, by_column=by_column) if isinstance(source, Table) else source
    batches = list(whole.batches())
    if not batches:
        raise no_rows()
    return joined(batches)
