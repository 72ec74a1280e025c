"""Label encoding: raw chunks in, batches of numbers and codes under a schema out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from suffice.errors import TableError
from suffice.machine.threads import over_items, over_parts
from suffice.schema.arrays import AnyArray, Array, Codes
from suffice.schema.batch import Batch
from suffice.schema.chunk import Chunk, Coded, Values, as_coded, numbers_and_words
from suffice.schema.columns import Level, Nominal, Numeric
from suffice.schema.disguise import is_missing_word
from suffice.schema.disguise_notes import is_number
from suffice.schema.schema import Schema
from suffice.schema.spelling import same_level
from suffice.schema.times import is_read_as
from suffice.schema.unread import Unknown, Unread, not_a_number, of_another_kind
from suffice.shown import quoted, quoted_few

FILLED_AT_ONCE = 2048
LEAST_FILLED = 100_000  # rows: chunks of fewer are encoded side by side anyway
TARGET = "\0target"  # where the target's translation is kept, whatever the target is called


def _known_in(chunk: Chunk, column: Numeric) -> int:
    """How many cells of a column have a value."""
    raw = chunk.column(column.name)
    if isinstance(raw, Values):
        return int(np.count_nonzero(~raw.is_missing))
    is_known = [not (isinstance(level, str) and is_missing_word(level)) for level in raw.levels]
    return int(np.count_nonzero(np.array([*is_known, False])[raw.codes]))  # code -1 picks the last: missing


def _places(known: tuple[Level, ...], levels: tuple[Level, ...]) -> Codes:
    """For each level its position among the known ones, or -1; text and the number it spells are the same level."""
    where = {level: position for position, level in enumerate(known)}
    found = (where[level] if level in where else _place(level, where) for level in levels)
    return np.fromiter(found, np.int32, len(levels))


def _place(level: Level, where: dict[Level, int]) -> int:
    same = same_level(level, where.keys())
    return -1 if same is None else where[same]


def require_kind(column: Numeric, raw: Values) -> None:
    """Numbers where numbers are known, and times of the same kind where times are, unless there are no values."""
    if is_read_as(raw.time, column.time):
        return
    known = np.flatnonzero(~raw.is_missing)
    if len(known):
        raise of_another_kind(column, raw.time, float(raw.stored[known[0]]))


class Encoder:
    """Turns chunks into batches; each column's last translation of a dictionary of levels is kept.

    The numbers of a batch stand row by row; with `by_column` those of a column stand together, which for many rows is
    quicker to fill. A matrix that is given as it should be stays as it is. Columns named in `beside` are handed on.
    A word in a column of numbers is an error, or, if the encoder is `lenient`, missing, and counted in the batch.
    """

    def __init__(
        self, schema: Schema, by_column: bool = False, beside: tuple[str, ...] = (), lenient: bool = False
    ) -> None:
        self.schema = schema
        self.by_column = by_column
        self.beside = beside
        self.lenient = lenient
        self._tables: dict[str, tuple[tuple[Level, ...], Codes, AnyArray]] = {}
        self._numbers: dict[str, tuple[tuple[Level, ...], Array, AnyArray]] = {}

    def encode(self, chunk: Chunk) -> Batch:
        """The rows of a chunk."""
        codes, unseen = self._nominal(chunk)
        unseen |= {column.name: known for column in self.schema.empty if (known := _known_in(chunk, column))}
        classes, response = self._outcomes(chunk)
        numeric = self._numeric(chunk)
        texts = tuple(chunk.bags(column.name) for column in self.schema.text)
        beside = {name: chunk.column(name) for name in self.beside}
        return Batch(
            self.schema,
            numeric,
            codes,
            classes,
            chunk.weights,
            Unknown(unseen, self._unread(chunk)),
            chunk.first_row,
            response,
            texts,
            beside,
        )

    def _outcomes(self, chunk: Chunk) -> tuple[Codes | None, Array | None]:
        """The classes of the rows, or the numbers to predict; records are all of one class."""
        if self.schema.is_of_records:
            return np.zeros(chunk.rows, dtype=np.int32), None
        if isinstance(chunk.target, Coded):
            return self._class_codes(chunk.target), None
        return None, None if chunk.target is None else np.ascontiguousarray(chunk.target.data)

    def _unread(self, chunk: Chunk) -> dict[str, Unread]:
        """What is no number in columns of numbers that come as text."""
        if chunk.matrix is not None and not chunk.columns:
            return {}
        came = ((column, chunk.column(column.name)) for column in self.schema.numeric if not column.is_empty)
        found = (self._unread_of(column, raw) for column, raw in came if isinstance(raw, Coded))
        return {unread.column.name: unread for unread in found}

    def _unread_of(self, column: Numeric, raw: Coded) -> Unread:
        table, is_word = self._numbers_table(column, raw.levels)
        words = raw.codes[is_word[raw.codes]] if is_word.any() else raw.codes[:0]
        for code in np.unique(words):
            if not self.lenient or is_number(raw.levels[code]):  # with another unit or mark, which is no slip
                raise not_a_number(column, raw.levels[code])
        word = raw.levels[words[0]] if len(words) else None
        numbers = int(np.count_nonzero(~np.isnan(table[raw.codes]))) if self.lenient else 0
        return Unread(column, len(words), word, numbers)

    def _numeric(self, chunk: Chunk) -> Array:
        columns = self.schema.numeric
        names = tuple(column.name for column in columns)
        if chunk.matrix is not None and chunk.matrix_names == names and self.schema.reads_any_numbers:
            return np.ascontiguousarray(chunk.matrix, dtype=np.float64)
        if self.by_column:
            return self._columns_in_threads(chunk).T
        numeric = np.empty((chunk.rows, len(columns)))
        values = [self._numbers_of(chunk, column) for column in columns]

        def fill(first: int, last: int) -> None:
            for begin in range(first, last, FILLED_AT_ONCE):  # a few rows at a time stay in the processor's cache
                end = min(begin + FILLED_AT_ONCE, last)
                for position, numbers in enumerate(values):
                    numeric[begin:end, position] = numbers[begin:end]

        over_parts(fill, chunk.rows, LEAST_FILLED)
        return numeric

    def _columns_in_threads(self, chunk: Chunk) -> Array:
        columns = self.schema.numeric
        filled = np.empty((len(columns), chunk.rows))

        def fill(position: int) -> None:
            filled[position] = self._numbers_of(chunk, columns[position])

        over_items(fill, len(columns), least=1 if chunk.rows >= LEAST_FILLED else len(columns))
        return filled

    def _numbers_of(self, chunk: Chunk, column: Numeric) -> AnyArray:
        raw = chunk.column(column.name)
        if column.is_empty:
            return np.full(chunk.rows, np.nan)
        if isinstance(raw, Values):
            require_kind(column, raw)
            return raw.stored
        return self._numbers_table(column, raw.levels)[0][np.asarray(raw.codes, dtype=np.int64)]

    def _numbers_table(self, column: Numeric, levels: tuple[Level, ...]) -> tuple[Array, AnyArray]:
        kept = self._numbers.get(column.name)
        if kept is None or kept[0] is not levels:
            kept = self._numbers[column.name] = (levels, *numbers_and_words(levels, column))
        return kept[1:]

    def _nominal(self, chunk: Chunk) -> tuple[Codes, dict[str, int]]:
        """The codes of all nominal columns, and how many cells have a level the schema does not know, by column."""
        columns = self.schema.nominal
        codes = np.empty((len(columns), chunk.rows), dtype=np.int32)
        coded = [as_coded(chunk.column(column.name)) for column in columns]
        if columns and all(raw.levels == column.levels for raw, column in zip(coded, columns, strict=True)):
            # in one call: between many short ones threads would wait for the interpreter
            np.concatenate([raw.codes for raw in coded], out=codes.reshape(-1), casting="unsafe")
            return codes, {}
        unseen = {
            column.name: self._translate(column, raw, out)
            for column, raw, out in zip(columns, coded, codes, strict=True)
        }
        return codes, {name: cells for name, cells in unseen.items() if cells}

    def _translate(self, column: Nominal, coded: Coded, out: Codes) -> int:
        """The codes of one column, and how many cells have a level the schema does not know."""
        table, is_unseen = self._table(column, coded.levels)
        np.take(table, coded.codes, out=out, mode="wrap")  # code -1 picks the last entry: missing
        return int(np.count_nonzero(is_unseen[coded.codes])) if is_unseen.any() else 0

    def _table(self, column: Nominal, levels: tuple[Level, ...]) -> tuple[Codes, AnyArray]:
        kept = self._tables.get(column.name)
        if kept is None or kept[0] is not levels:
            found = _places(column.levels, levels)
            kept = (levels, np.append(found, np.int32(-1)).astype(np.int32), np.append(found < 0, False))
            self._tables[column.name] = kept
        return kept[1:]

    def _unknown_classes(self, labels: Sequence[Level]) -> TableError:
        known = {str(label).strip().casefold() for label in self.schema.classes}
        is_spelling = all(str(label).strip().casefold() in known for label in labels)
        advice = (
            "They differ in capitals or spaces only: write them alike."
            if is_spelling
            else "Rows of a new class can be learned, by `update` or `fit`, but not judged."
        )
        return TableError(
            f"The target has the class{'es' if len(labels) > 1 else ''} {quoted_few(labels)}, which the "
            f"model does not know (it knows {quoted(self.schema.classes)}). {advice}"
        )

    def _class_codes(self, target: Coded) -> Codes:
        if target.levels == self.schema.classes:
            return np.ascontiguousarray(target.codes, dtype=np.int32)
        table, is_unseen = self._table(replace(self.schema.nominal_target, name=TARGET), target.levels)
        if is_unseen.any():
            present = np.unique(target.codes[is_unseen[target.codes]])
            if present.size:
                raise self._unknown_classes([target.levels[code] for code in present])
        return np.take(table, target.codes, mode="wrap")
