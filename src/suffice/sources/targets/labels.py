"""Labels: the target and the weights of raw rows, and the rows that count."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Array, Chunk, Coded, Level, Numeric, RawColumn, Target, Values
from suffice.sources.missing_spellings import blanked
from suffice.sources.targets.target import numbers_to_predict, possible_numbers, require_finite, sorted_classes
from suffice.sources.targets.weights import numbers_of_weights, require_weights


@dataclass(frozen=True)
class Labels:
    """Which columns are the target and the weights, if they are columns, and what else spells a missing value.

    The target is classes; a column is read as the numbers of a regression where `numeric_target` says so. Columns that
    are `dropped` are named among the others, and no chunk has them.
    """

    target: str | None = None
    weights: str | None = None
    missing_values: tuple[Level, ...] = ()
    numeric_target: bool = False
    dropped: tuple[str, ...] = ()
    is_text: bool = False  # whether every cell of the table is text, so that classes too are what it spells
    written: Numeric | None = None  # how the numbers to predict are written, once it is known

    @property
    def target_name(self) -> str:
        """What the target is called; one beside the table has no name of its own."""
        return self.target or ("y" if self.numeric_target else "class")

    def as_written(self, target: Target) -> Labels:
        """The same labels, once it is known how the numbers to predict are written."""
        return replace(self, written=target) if isinstance(target, Numeric) else self

    @property
    def taken(self) -> tuple[str, ...]:
        """The columns that are the target or the weights."""
        return tuple(name for name in (self.target, self.weights) if name is not None)

    def others(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The columns that are neither."""
        taken = self.taken
        return tuple(name for name in names if name not in taken)

    def used(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The others that are not dropped."""
        return tuple(name for name in self.others(names) if name not in self.dropped)

    def needed(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The columns that are read: those used, the target and the weights."""
        return (*self.used(names), *self.taken)

    def of(self, chunk: Chunk) -> Chunk:
        """All rows of a chunk with their target and weights, also those whose target is missing."""
        if self.missing_values:
            chunk = blanked(chunk, self.missing_values)
        chunk = replace(chunk, target=self._targets(chunk), weights=self._weights(chunk))
        gone = {*self.taken, *self.dropped}
        return _without(chunk, gone) if gone else chunk

    def _targets(self, chunk: Chunk) -> RawColumn | None:
        if self.target is None:
            return chunk.target
        column = _plain(chunk, self.target, "target")
        if not self.numeric_target:
            return sorted_classes(column)
        if self.written is None and isinstance(column, Coded):
            return possible_numbers(column, self.target)
        return require_finite(numbers_to_predict(column, self.target, self.written), self.target, chunk.first_row)

    def _weights(self, chunk: Chunk) -> Array | None:
        if self.weights is None:  # an ARFF file may bring its own
            own = chunk.weights
            return own if own is None else require_weights(own, may_be_zero=True, first_row=chunk.first_row)
        column = _plain(chunk, self.weights, "column of weights")
        values = column if isinstance(column, Values) else numbers_of_weights(column, self.weights)
        if values.is_time:
            raise TableError(f"The weights {self.weights!r} must be numbers, but they are times. Name another column.")
        return require_weights(values.data, may_be_zero=True, first_row=chunk.first_row, name=self.weights)


def _plain(chunk: Chunk, name: str, what: str) -> RawColumn:
    """The target or the weights, which cannot be left out as another column can."""
    if name in chunk.refused:
        raise TableError(f"The {what} {name!r} has cells that are neither numbers nor text. Name a plain column.")
    return chunk.column(name)


def counting_rows(chunk: Chunk) -> Chunk:
    """The rows that have a target and a weight above zero."""
    places = counting_places(chunk)
    return chunk if places is None else chunk.take(places)


def counting_places(chunk: Chunk) -> AnyArray | None:
    """Which rows have a target and a weight above zero; None where all do."""
    keep: AnyArray | None = None
    if chunk.target is not None and (is_missing := chunk.target.is_missing).any():
        keep = ~is_missing
    if chunk.weights is not None and chunk.rows and chunk.weights.min() <= 0:
        keep = chunk.weights > 0 if keep is None else keep & (chunk.weights > 0)
    return None if keep is None else np.flatnonzero(keep)


def _without(chunk: Chunk, names: set[str]) -> Chunk:
    columns = {name: column for name, column in chunk.columns.items() if name not in names}
    kept = [position for position, name in enumerate(chunk.matrix_names) if name not in names]
    matrix = None if chunk.matrix is None else chunk.matrix[:, kept]
    texts = {name: bags for name, bags in chunk.texts.items() if name not in names}
    kept_names = tuple(chunk.matrix_names[position] for position in kept)
    refused = {name: error for name, error in chunk.refused.items() if name not in names}
    return replace(chunk, columns=columns, matrix=matrix, matrix_names=kept_names, texts=texts, refused=refused)
