"""Batches: rows under a schema, as numbers and codes. What every statistic and every model reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from suffice.schema.arrays import AnyArray, Array, Codes
from suffice.schema.bags import Bags, joined_bags
from suffice.schema.chunk import RawColumn
from suffice.schema.columns import Column
from suffice.schema.schema import Schema
from suffice.schema.unread import NOTHING, Unknown


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of a table: a matrix of numbers (NaN is missing), codes of levels (-1 is missing), and bags of words.

    What the schema does not know reads as missing, and `unknown` tells of it.
    """

    schema: Schema
    numeric: Array  # (row, numeric column); in memory by row or, where that is asked for, by column
    codes: Codes  # (nominal column, row)
    classes: Codes | None = None  # (row,)
    weights: Array | None = None  # (row,)
    unknown: Unknown = NOTHING
    first_row: int | None = None  # its position in the table, where rows have positions
    response: Array | None = None  # (row,), the numbers to predict; then there are no classes
    texts: tuple[Bags, ...] = ()  # a column of text each
    beside: Mapping[str, RawColumn] = field(default_factory=dict)  # columns that are handed on as they are
    keys: AnyArray | None = None  # (row,), where rows are told apart by more than their cells here

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.numeric.shape[0])

    @property
    def cells(self) -> int:
        """How many cells and words there are, times the classes: about how much there is to learn from."""
        words = sum(len(bags.places) for bags in self.texts)
        return (self.rows * len(self.schema.columns) + words) * max(self.schema.class_count, 1)

    def take(self, rows: AnyArray | slice) -> Batch:
        """The chosen rows."""
        return replace(
            self,
            numeric=_taken(self.numeric, rows),
            codes=np.ascontiguousarray(_taken(self.codes, rows, axis=1)),
            classes=None if self.classes is None else _taken(self.classes, rows),
            weights=None if self.weights is None else _taken(self.weights, rows),
            response=None if self.response is None else _taken(self.response, rows),
            texts=tuple(bags.take(rows) for bags in self.texts),
            beside={name: column.take(rows) for name, column in self.beside.items()},
            keys=None if self.keys is None else _taken(self.keys, rows),
            first_row=later_row(self.first_row, rows.start or 0 if isinstance(rows, slice) else 0),
        )

    def narrowed(self, schema: Schema) -> Batch:
        """The same rows with no other columns than a schema has, in its order; it may have more classes, or none."""
        if schema is self.schema:
            return self

        def places(mine: Sequence[Column], wanted: Sequence[Column]) -> list[int]:
            position = {column.name: place for place, column in enumerate(mine)}
            return [position[column.name] for column in wanted]

        return replace(
            self,
            schema=schema,
            numeric=_at(self.numeric, places(self.schema.numeric, schema.numeric), axis=1),
            codes=_at(self.codes, places(self.schema.nominal, schema.nominal), axis=0),
            texts=tuple(self.texts[place] for place in places(self.schema.text, schema.text)),
            unknown=self.unknown.narrowed({*schema.names}),
            classes=self._classes_under(schema),
            response=None if schema.is_of_records else self.response,
        )

    def _classes_under(self, schema: Schema) -> Codes | None:
        """The classes of the rows, by their places in a schema that has all of them; of records there is one."""
        if schema.is_of_records:
            return np.zeros(self.rows, dtype=np.int32)
        if self.classes is None or schema.classes == self.schema.classes:
            return self.classes
        return np.array([schema.classes.index(label) for label in self.schema.classes], dtype=np.int32)[self.classes]

    def with_classes(self, schema: Schema, classes: Codes) -> Batch:
        """The same rows under other classes."""
        return replace(self, schema=schema, classes=classes)

    def class_codes(self) -> Codes:
        """The classes of the rows; training always has them."""
        if self.classes is None:
            raise TypeError("these rows carry no classes")
        return self.classes

    def responses(self) -> Array:
        """The numbers to predict; training on a numeric target always has them."""
        if self.response is None:
            raise TypeError("these rows carry no numbers to predict")
        return self.response

    def numbers(self, name: str) -> Array:
        """A numeric column."""
        return self.numeric[:, self.schema.numeric_position[name]]

    def level_codes(self, name: str) -> Codes:
        """The codes of a nominal column."""
        codes: Codes = self.codes[self.schema.nominal_position[name]]
        return codes

    def bags(self, name: str) -> Bags:
        """A column of text."""
        return self.texts[self.schema.text_position[name]]

    def truth(self) -> AnyArray:
        """The classes of the rows or, of a numeric target, the numbers to predict."""
        return self.class_codes() if self.response is None else self.response

    def row_weights(self) -> Array:
        """The weights of the rows, ones where none were given."""
        return np.ones(self.rows) if self.weights is None else self.weights

    @property
    def total_weight(self) -> float:
        """The weight of all rows."""
        return total_weight(self.rows, self.weights)

    def given_weights(self) -> Array:
        """The weights of the rows as kernels take them: empty where every row weighs 1."""
        return np.empty(0) if self.weights is None else np.ascontiguousarray(self.weights)


def total_weight(rows: int, weights: Array | None) -> float:
    """The weight of so many rows, of which each weighs 1 where no weights are given.

    >>> total_weight(3, None), total_weight(2, np.array([0.5, 1.0]))
    (3.0, 1.5)
    """
    return float(rows if weights is None else weights.sum())


def joined_weights(parts: Sequence[tuple[int, Array | None]]) -> Array | None:
    """The weights of all parts, of so many rows each; None where every row weighs 1.

    >>> joined_weights([(2, None), (1, np.array([3.0]))]).tolist()
    [1.0, 1.0, 3.0]
    """
    if all(weights is None for _, weights in parts):
        return None
    return np.concatenate([np.ones(rows) if weights is None else weights for rows, weights in parts])


def joined(batches: Sequence[Batch]) -> Batch:
    """The rows of all batches, at least one, in one batch; a single one is not copied.

    >>> from suffice.schema import Numeric
    >>> batch = Batch(Schema((), Numeric("price")), np.empty((2, 0)), np.empty((0, 2), np.int32), response=np.ones(2))
    >>> joined([batch, batch]).responses().tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    first = batches[0]
    if len(batches) == 1:
        return first
    keys = [batch.keys for batch in batches if batch.keys is not None]
    return replace(
        first,
        numeric=np.concatenate([batch.numeric for batch in batches]),
        codes=np.concatenate([batch.codes for batch in batches], axis=1),
        classes=None if first.classes is None else np.concatenate([batch.class_codes() for batch in batches]),
        weights=joined_weights([(batch.rows, batch.weights) for batch in batches]),
        unknown=reduce(Unknown.merge, (batch.unknown for batch in batches)),
        response=None if first.response is None else np.concatenate([batch.responses() for batch in batches]),
        texts=tuple(map(joined_bags, zip(*(batch.texts for batch in batches), strict=True))),
        beside={},
        keys=np.concatenate(keys) if len(keys) == len(batches) else None,
    )


def later_row(first_row: int | None, rows: int) -> int | None:
    """The position of a row so many after another, where rows have positions."""
    return None if first_row is None else first_row + rows


def _at(array: AnyArray, places: list[int], axis: int) -> AnyArray:
    """The columns at some places; the array itself where they are all of them, in order."""
    return array if places == [*range(array.shape[axis])] else np.take(array, places, axis=axis)


def _taken(array: AnyArray, rows: AnyArray | slice, axis: int = 0) -> AnyArray:
    if isinstance(rows, slice):
        return array[rows] if axis == 0 else array[:, rows]
    if rows.dtype == bool:
        rows = np.flatnonzero(rows)
    return np.take(array, rows, axis=axis)  # unlike an index, it lets other threads run meanwhile
