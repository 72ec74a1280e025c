"""What an attribute of an ARFF file makes of its cells: first a number each, then a column of them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from suffice.errors import Message, Setting, TableError
from suffice.schema.arrays import Array
from suffice.schema.chunk import Coded, RawColumn, Values, without_levels
from suffice.schema.spelling import as_number
from suffice.schema.times import MOMENT
from suffice.shown import quoted
from suffice.sources.readers.arff.cells import known_text, shortened
from suffice.sources.readers.arff.dates import DatePattern


class EachOnce(dict[str, float]):
    """Reads each spelling once and remembers the outcome."""

    def __init__(self, read: Callable[[str], float]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, cell: str) -> float:
        outcome = self[cell] = self._read(cell)
        return outcome


class Attribute(ABC):
    """One column of the file."""

    @abstractmethod
    def reader(self) -> Callable[[str], float]:
        """What turns a cell into its number or code, made anew for each chunk."""

    @abstractmethod
    def column(self, numbers: Array, spellings: Sequence[str]) -> RawColumn:
        """The column of a chunk."""

    def numbers(self, cells: Sequence[str], seen: EachOnce) -> Array:
        """The numbers or codes of some cells."""
        return np.fromiter(map(seen.__getitem__, cells), np.float64, len(cells))


class OfKnownCells(Attribute):
    """Whatever was read before, a cell always has the same number or code."""

    @abstractmethod
    def _read(self, cell: str) -> float: ...

    def reader(self) -> Callable[[str], float]:
        """What turns a cell into its number or code."""
        return self._read


@dataclass(frozen=True)
class NumberAttribute(OfKnownCells):
    """Numbers."""

    is_integer: bool
    missing_words: frozenset[str]
    missing_cells: frozenset[str]
    missing_numbers: tuple[float, ...]

    @classmethod
    def of(cls, spellings: frozenset[str], is_integer: bool) -> NumberAttribute:
        """Numbers, among which some spellings are missing."""
        words = frozenset(spelling for spelling in spellings if as_number(spelling) is None)
        numbers = tuple(number for spelling in spellings if (number := as_number(spelling)) is not None)
        return cls(is_integer, words, words | {"?", ""}, numbers)

    def _read(self, cell: str) -> float:
        text = known_text(cell)
        if text is None or text in self.missing_words:
            return math.nan
        number = as_number(text, is_numeric=True)
        if number is None:
            said = f"holds numbers, but here it has {shortened(text)}. Correct the value, write `?`, or name it in "
            raise TableError(Message(said, Setting("missing_values"), "."))
        return number

    def numbers(self, cells: Sequence[str], seen: EachOnce) -> Array:
        """The numbers of some cells."""
        missing = self.missing_cells
        try:
            if "_" not in "".join(cells):  # Python would read 1_000 as a number
                return np.array([math.nan if cell in missing else float(cell) for cell in cells])
        except ValueError:
            pass  # a quoted number, a missing value with spaces around it, or no number
        return np.array([self._read(cell) for cell in cells])

    def column(self, numbers: Array, spellings: Sequence[str]) -> Values:
        """The column of a chunk."""
        if self.missing_numbers:
            numbers = np.where(np.isin(numbers, self.missing_numbers), math.nan, numbers)
        return Values(numbers, self.is_integer)


@dataclass(frozen=True)
class NominalAttribute(OfKnownCells):
    """Levels that the header declares."""

    declared: Coded
    codes: Mapping[str, int]

    @classmethod
    def of(cls, levels: tuple[str, ...], spellings: frozenset[str]) -> NominalAttribute:
        """The declared levels, of which some spellings are missing."""
        declared = without_levels(Coded(np.arange(len(levels)), levels, declared=True), {"", *spellings})
        codes = dict.fromkeys(spellings, -1) | dict(zip(levels, declared.codes.tolist(), strict=True))
        return cls(declared, codes)

    def _read(self, cell: str) -> float:
        text = known_text(cell)
        if text is None:
            return -1
        if text not in self.codes:
            some = quoted(self.declared.levels, 10)
            said = f"has the level {shortened(text)}, which is not declared (declared: {some}). Correct it, "
            or_name = "add it to the attribute's braces, or name it in "
            raise TableError(Message(said, or_name, Setting("missing_values"), "."))
        return self.codes[text]

    def column(self, numbers: Array, spellings: Sequence[str]) -> Coded:
        """The column of a chunk."""
        return replace(self.declared, codes=numbers.astype(np.int32))


@dataclass(frozen=True)
class TextAttribute(Attribute):
    """Text, whose levels are found."""

    missing: frozenset[str]

    def reader(self) -> Callable[[str], float]:
        """What turns a cell into its number or code."""
        order = count()
        return lambda cell: next(order)

    def column(self, numbers: Array, spellings: Sequence[str]) -> Coded:
        """The column of a chunk."""
        levels: dict[str, int] = {}
        texts = map(known_text, spellings)
        table = [-1 if text is None else levels.setdefault(text, len(levels)) for text in texts]
        codes = np.array(table, dtype=np.int32)[numbers.astype(np.int64)]
        return without_levels(Coded(codes, tuple(levels)), self.missing)


@dataclass(frozen=True)
class DateAttribute(OfKnownCells):
    """Dates in a pattern."""

    pattern: DatePattern
    missing: frozenset[str]

    def _read(self, cell: str) -> float:
        text = known_text(cell)
        if text is None or text in self.missing:
            return math.nan
        seconds = self.pattern.seconds(text)
        if seconds is None:
            raise TableError(
                f"holds dates such as {self.pattern.pattern!r}, but here it has {shortened(text)}. Correct the "
                "value, write `?`, or declare the pattern that the dates have."
            )
        return seconds

    def column(self, numbers: Array, spellings: Sequence[str]) -> Values:
        """The column of a chunk."""
        return Values(numbers, time=MOMENT)
