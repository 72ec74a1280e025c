"""Joint counts: the contingency table of all columns and the class, sparse: only combinations that occur."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

import numpy as np

from suffice.errors import MergeError, Message, Setting
from suffice.schema import Alignment, AnyArray, Array, Batch, Codes, Column, Nominal, Schema, picked
from suffice.soundness import require_a, require_ascending, require_codes, require_numbers, require_tuple
from suffice.statistics.class_weights import remaining
from suffice.statistics.known_numbers import with_weight
from suffice.statistics.moments.column_moments import require_no_infinity

LARGEST_KEY = 2**62
SMALL_KEY = 2**30
SMALL_RANGE = 65_536
SMALL_TABLE = 1 << 18  # cells that may be counted one by one, whether they occur or not


@dataclass(frozen=True)
class JointCounts:
    """The sparse joint table. Numeric columns are cut into intervals; a missing value has code -1, its own level."""

    schema: Schema
    cuts: tuple[Array, ...]  # per numeric column: an interval ends at each cut, inclusive
    cells: Codes  # (combination, column of the schema), in ascending order
    table: Array  # (combination, class)

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_combinations(self.schema, self.cuts, self.cells)
        require_numbers("counts of combinations", self.table, (len(self.cells), self.schema.class_count), 0.0)
        if not self.table.any(axis=1).all():
            raise ValueError("a combination has no rows")

    def merge(self, other: JointCounts) -> JointCounts:
        """Add the tables."""
        cells, table = np.concatenate([self.cells, other.cells]), np.concatenate([self.table, other.table])
        return replace(self, cuts=self._shared_cuts(other))._of(cells, table)

    def without(self, other: JointCounts) -> JointCounts:
        """Subtract exactly; combinations with no rows left are gone."""
        cuts = self._shared_cuts(other)
        cells, inverse = distinct_rows(np.concatenate([self.cells, other.cells]))
        mine, gone = (np.zeros((len(cells), self.table.shape[1])) for _ in range(2))
        mine[inverse[: len(self.cells)]] = self.table
        gone[inverse[len(self.cells) :]] = other.table
        table = remaining(mine, gone)
        is_left = table.any(axis=1)
        return replace(self, cuts=cuts, cells=cells[is_left], table=table[is_left])

    def weighed(self, factors: Array) -> JointCounts:
        """The same rows, those of each class counting for as much as its factor says."""
        return self._of(self.cells, self.table * factors)

    def align(self, alignment: Alignment) -> JointCounts:
        """Pick the classes and rename the levels of another schema; a column without a value is not cut."""
        new = alignment.schema
        cells = np.empty((len(self.cells), len(new.columns)), dtype=np.int32)
        for position, column in enumerate(new.columns):
            codes = self.cells[:, self.schema.names.index(column.name)]
            if column.name in new.nominal_position:
                codes = _moved(codes, alignment.levels[new.nominal_position[column.name]])
            cells[:, position] = codes
        cuts = tuple(
            np.empty(0) if column.is_empty else self.cuts[self.schema.numeric_position[column.name]]
            for column in new.numeric
        )
        moved = JointCounts(new, cuts, cells, picked(self.table, alignment.classes, axis=1))
        return moved._of(moved.cells, moved.table)

    def _of(self, cells: Codes, table: Array) -> JointCounts:
        distinct, inverse = distinct_rows(cells)
        columns = [np.bincount(inverse, own, len(distinct)).astype(np.float64) for own in table.T]
        total = np.column_stack(columns) if columns else np.empty((len(distinct), 0))
        is_present = total.any(axis=1)
        return replace(self, cells=distinct[is_present], table=total[is_present])

    @property
    def known_numbers(self) -> frozenset[str]:
        """The numeric columns in which some row has a value."""
        return with_weight(self.schema.names, self.cells >= 0) & frozenset(self.schema.numeric_position)

    def level_weights(self, name: str) -> Array:
        """The weight of each level of a nominal column in each class."""
        codes = self.cells[:, self.schema.names.index(name)]
        levels = len(self.schema.nominal[self.schema.nominal_position[name]].levels)
        weights = np.zeros((levels, self.table.shape[1]))
        np.add.at(weights, codes[codes >= 0], self.table[codes >= 0])
        return weights

    def cuts_of(self, name: str) -> Array | None:
        """Where a numeric column is cut; None where no row has a value in it, so that it may be cut anywhere."""
        return self.cuts[self.schema.numeric_position[name]] if name in self.known_numbers else None

    def _shared_cuts(self, other: JointCounts) -> tuple[Array, ...]:
        """The cuts of both, which must be the same where both have values."""
        names = (column.name for column in self.schema.numeric)
        return tuple(
            mine if np.array_equal(mine, theirs) else self._cuts_of_known(name, other)
            for name, mine, theirs in zip(names, self.cuts, other.cuts, strict=True)
        )

    def _cuts_of_known(self, name: str, other: JointCounts) -> Array:
        """Of two that differ the cuts of the one that has values."""
        mine, theirs = self.cuts_of(name), other.cuts_of(name)
        if mine is None or theirs is None:
            known = theirs if mine is None else mine
            return np.empty(0) if known is None else known
        raise MergeError(
            Message(
                f"The two cut column {name!r} into different intervals. Fit one model first and "
                "`update` it with the other rows, or name the column in ",
                Setting("nominal"),
                ".",
            )
        )


@dataclass(frozen=True)
class MeasureJointCounts:
    """Counts combinations, with numeric columns cut at given points."""

    cuts: tuple[Array, ...]

    def of(self, batch: Batch) -> JointCounts:
        """Count a batch."""
        require_no_infinity(batch)
        schema = batch.schema
        widths = [count + 1 for count in value_counts(schema, self.cuts)]  # missing is one more
        size = prod(widths)
        cells = size * schema.class_count
        if cells <= max(SMALL_TABLE, 4 * batch.rows):
            place: AnyArray = np.zeros(batch.rows, dtype=np.int32 if cells < SMALL_KEY else np.int64)
            first = 0  # to add to every place, since codes begin at -1
            for column, width in zip(schema.columns, widths, strict=True):
                place *= width
                place += column_codes(batch, column, self.cuts)
                first = first * width + 1
            place += first
            table = _counted(place, size, batch)
            present = np.flatnonzero(table.any(axis=1))
            return JointCounts(schema, self.cuts, _cells_at(present, widths), table[present])
        distinct, place = distinct_rows(combinations(batch, self.cuts))
        table = _counted(place, len(distinct), batch)
        is_present = table.any(axis=1)
        return JointCounts(schema, self.cuts, distinct[is_present], table[is_present])


def require_combinations(schema: Schema, cuts: tuple[Array, ...], cells: Codes) -> None:
    """What a file may have wrong in the combinations of a joint table."""
    require_a("schema", schema, Schema)
    require_tuple("cuts", cuts, np.ndarray, len(schema.numeric))
    require_a("combinations", cells, np.ndarray)
    for own in cuts:
        require_ascending("cuts", own)
    rows = len(cells)
    require_codes("combinations", cells, (rows, len(schema.columns)), -1, 1 << 31)
    for position, count in enumerate(value_counts(schema, cuts)):
        require_codes("combinations", cells[:, position], (rows,), -1, count - 1)
    if len(distinct_rows(cells)[0]) != rows:
        raise ValueError("a combination is there twice")


def combinations(batch: Batch, cuts: tuple[Array, ...]) -> Codes:
    """The code of every cell, in the order of the schema's columns; -1 is missing."""
    cells = np.empty((batch.rows, len(batch.schema.columns)), dtype=np.int32)
    for position, column in enumerate(batch.schema.columns):
        cells[:, position] = column_codes(batch, column, cuts)
    return cells


def column_codes(batch: Batch, column: Column, cuts: tuple[Array, ...]) -> Codes:
    """The codes of one column: of its levels, or of the intervals between its cuts; -1 is missing."""
    if isinstance(column, Nominal):
        return batch.level_codes(column.name)
    values, own = batch.numbers(column.name), cuts[batch.schema.numeric_position[column.name]]
    return np.where(np.isnan(values), -1, own.searchsorted(values)).astype(np.int32)


def value_counts(schema: Schema, cuts: tuple[Array, ...]) -> list[int]:
    """How many values each column can have: its levels, or its intervals."""
    return [
        len(column.levels) if isinstance(column, Nominal) else len(cuts[schema.numeric_position[column.name]]) + 1
        for column in schema.columns
    ]


def _counted(place: AnyArray, size: int, batch: Batch) -> Array:
    """The weight of the rows at each place, by class."""
    classes = batch.schema.class_count
    if classes > 1:
        place = place * classes + batch.class_codes()
    return np.bincount(place, batch.weights, size * classes).astype(np.float64).reshape(size, classes)


def distinct_rows(cells: Codes) -> tuple[Codes, AnyArray]:
    """The distinct rows in ascending order and, for each row, which of them it is."""
    key = np.zeros(len(cells), dtype=np.int64)
    size = 1
    for column in cells.T:
        width = int(column.max(initial=-1)) + 2
        if size > LARGEST_KEY // width:  # the key would overflow: number the combinations so far
            found, key = np.unique(key, return_inverse=True)
            size = len(found)
        key = key * width + (column + 1)
        size *= width
    if size <= SMALL_RANGE or size <= 2 * len(cells):
        return _distinct_by_place(cells, key, size)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return cells[first], inverse


def _distinct_by_place(cells: Codes, key: AnyArray, size: int) -> tuple[Codes, AnyArray]:
    """The same for few possible combinations: each has a place, and nothing is sorted."""
    first = np.full(size, -1, dtype=np.int64)
    first[key] = np.arange(len(key))  # of equal rows any will do
    place = np.cumsum(first >= 0) - 1
    return cells[first[first >= 0]], place[key]


def _cells_at(places: AnyArray, widths: list[int]) -> Codes:
    """The combinations at some places of the whole table, codes from -1 on."""
    cells = np.empty((len(places), len(widths)), dtype=np.int32)
    for position in reversed(range(len(widths))):
        places, cells[:, position] = np.divmod(places, widths[position])
    return cells - 1


def _moved(codes: Codes, levels: Codes) -> Codes:
    """Old codes as new codes, given for each new level its old position."""
    table = np.full(int(max(codes.max(initial=-1), levels.max(initial=-1))) + 2, -1, dtype=np.int32)
    is_known = levels >= 0
    table[levels[is_known]] = np.flatnonzero(is_known)
    table[-1] = -1
    return table[codes]
