"""The profile of one column: a mergeable scan that tells what its cells spell, and which levels occur how often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from suffice.schema.arrays import AnyArray
from suffice.schema.bags import Bags, word_count
from suffice.schema.chunk import RawColumn, Values, as_coded
from suffice.schema.columns import Level, Numeric, sorted_levels
from suffice.schema.disguise import POINT, WORD, Writing, as_it_stands
from suffice.schema.identifiers import IDENTIFIER_ROWS, IDENTIFIER_SHARE, names_an_identifier, nearly_all_differ
from suffice.schema.spelling import Content, canonical_level, content_of_numbers

MOST_LEVELS = 1_000_000
PROSE_WORDS = 5  # in a text, on average: names and addresses mostly have fewer
PROSE_SHARE, PROSE_VALUES = 0.5, 1_000  # of the rows, or so many, are different texts
_UNLISTED = (Content.NUMBER, Content.DATE, Content.MOMENT, Content.CLOCK, Content.DURATION)
_LISTED = (Content.WHOLE, Content.LARGE, Content.WORDS)  # contents whose numbers could be identifiers, or levels


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What one column holds: how many known values, and for levels which and how often (whole numbers are not counted).

    `levels` is None past a million of them. Declared levels are only counted where they could be identifiers.
    """

    writing: Writing
    known: int
    levels: Mapping[Level, int] | None
    declared: tuple[Level, ...] | None = None
    as_levels: bool = False  # whatever they spell
    words: int = 0  # in all known cells together, where there are many different ones
    width: int = 0  # of a sparse matrix

    @classmethod
    def of(cls, column: RawColumn, is_whole: bool = False, as_levels: bool = False) -> ColumnProfile:
        """Scan one column of a chunk; of a whole table's numbers only what could be identifiers is listed."""
        if isinstance(column, Values) and not as_levels:
            return cls._of_numbers(column, is_whole)
        coded = as_coded(column)
        if coded.declared and len(coded.levels) < IDENTIFIER_SHARE * IDENTIFIER_ROWS:
            return cls(WORD, len(coded.codes), {}, coded.levels)  # too few to be identifiers: no scan
        counts = np.bincount(np.asarray(coded.codes, dtype=np.int64) + 1, minlength=len(coded.levels) + 1)
        seen = {level: int(count) for level, count in zip(coded.levels, counts[1:], strict=True) if count}
        return cls(
            writing=WORD if coded.declared else Writing.of_levels(seen),
            known=int(counts[1:].sum()),
            levels=_bounded(seen),
            declared=coded.levels if coded.declared else coded.classes,
            as_levels=as_levels,
            words=0 if coded.declared else _words(seen),
        )

    @classmethod
    def of_bags(cls, bags: Bags) -> ColumnProfile:
        """A sparse matrix is not scanned: its columns are the words."""
        return cls(WORD, int(np.count_nonzero(~bags.is_missing)), {}, width=len(bags.words))

    @classmethod
    def _of_numbers(cls, column: Values, is_whole: bool) -> ColumnProfile:
        known = column.known
        content = content_of_numbers(column.stored, column.time) if known else Content.NOTHING
        writing = as_it_stands(content)
        if content is not Content.WHOLE or (is_whole and _has_few_values(column.stored, known)):
            return cls(writing, known, {})
        import pyarrow as pa

        import suffice.machine.arrow_at_work  # noqa: F401

        numbers = pa.array(column.stored, from_pandas=True).drop_null()
        if is_whole and known >= IDENTIFIER_ROWS:
            half = numbers[: known // 2]  # which often repeats enough, were all the others different
            if any(len(part.unique()) + known - len(part) < IDENTIFIER_SHARE * known for part in (half, numbers)):
                return cls(writing, known, {})
        return cls(writing, known, _bounded(dict.fromkeys(numbers.unique().to_pylist(), 0)))

    def merge(self, other: ColumnProfile) -> ColumnProfile:
        """The profile of both sets of rows."""
        writing = self.writing.merge(other.writing)
        return ColumnProfile(
            writing=writing,
            known=self.known + other.known,
            levels=_added(self.levels, other.levels, writing.plain in _LISTED),
            declared=_both_declared(self.declared, other.declared),
            as_levels=self.as_levels or other.as_levels,
            words=self.words + other.words,
            width=max(self.width, other.width),
        )

    @property
    def content(self) -> Content:
        """What all cells are, as they stand."""
        return self.writing.plain

    @property
    def is_prose(self) -> bool:
        """Whether the cells are texts: mostly different ones, of several words each."""
        if self.content is not Content.WORDS or self.declared is not None or self.words < PROSE_WORDS * self.known:
            return False
        is_varied = self.levels is None or len(self.levels) >= min(max(PROSE_SHARE * self.known, 2), PROSE_VALUES)
        return is_varied and not self.writing.marks

    @property
    def is_identifier(self) -> bool:
        """Nearly every known value is its own level."""
        return self.levels is None or nearly_all_differ(len(self.levels), self.known)

    @property
    def is_listed_number(self) -> bool:
        """Whole numbers whose values are listed, as they may identify."""
        return self.is_numeric and bool(self.levels) and self.content in _LISTED[:2]

    @property
    def has_unlisted_numbers(self) -> bool:
        """Whether some cells are numbers or times by their type, which are no levels once there are words, too."""
        if self.content not in _UNLISTED or not self.levels:
            return self.content in _UNLISTED
        return self.known > sum(self.levels.values())

    def identifies(self, name: str) -> bool:
        """Whether its values say which row it is and nothing else: words, or whole numbers whose name says so."""
        if self.is_numeric:
            return self.is_listed_number and self.is_identifier and names_an_identifier(name)
        return self.is_identifier

    @property
    def is_numeric(self) -> bool:
        """Numbers and times, also where text spells them."""
        return self.declared is None and not self.as_levels and self.writing.is_numeric

    def numeric(self, name: str, mark: str = POINT) -> Numeric | None:
        """The column of numbers that this is, or None; the decimal mark decides where its cells leave it open."""
        return self.writing.numeric(name, mark) if self.is_numeric else None

    def sorted_levels(self) -> tuple[Level, ...]:
        """The levels: declared ones in their order, found ones sorted, each spelled in one way."""
        if self.declared is not None:
            return self.declared
        content = self.content
        return sorted_levels({canonical_level(level, content) for level in self.levels or ()})


def _words(levels: Mapping[Level, int]) -> int:
    """How many words the cells have, where there are enough different ones for it to matter."""
    return sum(count * word_count(level) for level, count in levels.items() if isinstance(level, str))


def _has_few_values(numbers: AnyArray, known: int) -> bool:
    """Whether whole numbers lie so close together that they cannot be identifiers.

    A fifth of them is often enough to tell, even if each of the others were different.
    """
    if known < IDENTIFIER_ROWS or known < len(numbers):
        return False
    for part in (numbers[: known // 5], numbers):
        most = float(part.max()) - float(part.min()) + 1 + known - len(part)
        if most < IDENTIFIER_SHARE * known:
            return True
    return False


def _added(
    mine: Mapping[Level, int] | None, theirs: Mapping[Level, int] | None, has_listed_numbers: bool
) -> Mapping[Level, int] | None:
    """The levels of both, counted together; numbers, which are not counted, only where they still matter."""
    if mine is None or theirs is None:
        return None
    larger, smaller = (mine, theirs) if len(mine) >= len(theirs) else (theirs, mine)
    counts = dict(larger)
    for level, count in smaller.items():
        counts[level] = counts.get(level, 0) + count
    return _bounded(counts if has_listed_numbers else {level: count for level, count in counts.items() if count})


def _bounded(levels: Mapping[Level, int]) -> Mapping[Level, int] | None:
    return levels if len(levels) <= MOST_LEVELS else None


def _both_declared(first: tuple[Level, ...] | None, second: tuple[Level, ...] | None) -> tuple[Level, ...] | None:
    if first is None or second is None or first == second:
        return first if second is not None else None
    known = set(first)
    return (*first, *(level for level in second if level not in known))
