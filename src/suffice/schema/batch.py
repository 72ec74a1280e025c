"""Batches: rows under a schema, as numbers and codes. What every statistic and every model reads."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.schema.arrays import AnyArray, Array, Codes
from suffice.schema.schema import Schema


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of a table: a matrix of numbers (NaN is missing) and codes of levels (-1 is missing).

    `unseen` counts, per nominal column, the cells whose level the schema does not know; they read as missing.
    """

    schema: Schema
    numeric: Array  # (row, numeric column)
    codes: Codes  # (nominal column, row)
    classes: Codes | None = None  # (row,)
    weights: Array | None = None  # (row,)
    unseen: tuple[int, ...] = ()
    first_row: int = 0  # of the batch in its table

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.numeric.shape[0])

    def take(self, rows: AnyArray | slice) -> Batch:
        """The chosen rows."""
        return replace(
            self,
            numeric=_taken(self.numeric, rows),
            codes=np.ascontiguousarray(_taken(self.codes, rows, axis=1)),
            classes=None if self.classes is None else _taken(self.classes, rows),
            weights=None if self.weights is None else _taken(self.weights, rows),
            first_row=self.first_row + (rows.start or 0 if isinstance(rows, slice) else 0),
        )

    def with_classes(self, schema: Schema, classes: Codes) -> Batch:
        """The same rows under other classes."""
        return replace(self, schema=schema, classes=classes)

    def class_codes(self) -> Codes:
        """The classes of the rows; training always has them."""
        if self.classes is None:
            raise TypeError("these rows carry no classes")
        return self.classes

    def row_weights(self) -> Array:
        """The weights of the rows, ones where none were given."""
        return np.ones(self.rows) if self.weights is None else self.weights


def _taken(array: AnyArray, rows: AnyArray | slice, axis: int = 0) -> AnyArray:
    if isinstance(rows, slice):
        return array[rows] if axis == 0 else array[:, rows]
    if rows.dtype == bool:
        rows = np.flatnonzero(rows)
    return np.take(array, rows, axis=axis)  # unlike an index, it lets other threads run meanwhile
