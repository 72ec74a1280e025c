"""What rows hold that a schema does not know: levels never seen, and words among numbers. Both read as missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from suffice.errors import Message, Setting, TableError
from suffice.schema.columns import Level, Numeric
from suffice.schema.disguise import COMMA
from suffice.schema.disguise_notes import is_number

MOST_UNREAD = 0.5  # of the cells with a value: then it is another column, or written in another way

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Unread:
    """The cells of a numeric column that are no numbers: how many, the first of them, and how many others are.

    >>> Unread(Numeric("age"), 1, "forty", 80).merge(Unread(Numeric("age"), 0, None, 20)).numbers
    100
    """

    column: Numeric
    cells: int
    word: Level | None
    numbers: int

    def merge(self, other: Unread) -> Unread:
        """In both sets of rows."""
        word = other.word if self.word is None else self.word
        return Unread(self.column, self.cells + other.cells, word, self.numbers + other.numbers)

    def require_few(self) -> None:
        """A column that mostly holds words is not the one that the model knows."""
        if self.word is not None and self.cells >= MOST_UNREAD * (self.cells + self.numbers):
            raise not_a_number(self.column, self.word)


@dataclass(frozen=True, slots=True)
class Unknown:
    """By column, in the rows of a batch or of many; a column that has none of it need not be named.

    >>> Unknown({"wind": 2}).merge(Unknown({"wind": 1, "sky": 1})).levels
    {'wind': 3, 'sky': 1}
    """

    levels: Mapping[str, int] = field(default_factory=dict)  # cells of a level, or of a column, that had no value
    words: Mapping[str, Unread] = field(default_factory=dict)  # where a column of numbers came as text

    def narrowed(self, names: Collection[str]) -> Unknown:
        """Of some columns only."""
        levels = {name: cells for name, cells in self.levels.items() if name in names}
        return Unknown(levels, {name: cells for name, cells in self.words.items() if name in names})

    def merge(self, other: Unknown) -> Unknown:
        """In both sets of rows."""
        return Unknown(_merged(self.levels, other.levels, int.__add__), _merged(self.words, other.words, Unread.merge))


NOTHING = Unknown()


def _merged(mine: Mapping[str, V], theirs: Mapping[str, V], both: Callable[[V, V], V]) -> Mapping[str, V]:
    if not mine or not theirs:
        return mine or theirs
    return {**mine, **{name: both(mine[name], found) if name in mine else found for name, found in theirs.items()}}


def not_a_number(column: Numeric, word: Level) -> TableError:
    """The error of a word in a column of numbers or of times, or of a number that is written otherwise."""
    said = f"Column {column.name!r} holds {_kind(column)}, but here it has the value {word!r}. "
    if is_number(word) and not column.time:
        return TableError(f"{said}Write its numbers as in training, with {_writing(column)}, or leave the cell empty.")
    advice = "Correct the value, or leave it empty. A model that is trained with "
    return TableError(Message(said, advice, Setting("missing_values", [word]), " reads it as missing."))


def of_another_kind(column: Numeric, time: str, first: float) -> TableError:
    """The error of times in a column of numbers, of numbers in one of times, or of times of another kind."""
    came = Numeric(column.name, time)
    return TableError(
        f"Column {column.name!r} holds {_kind(column)}, but here it holds {_kind(came)}: the first is "
        f"{came.shown(first)}. Give it the kind that it had in training, or leave its cells empty."
    )


def _writing(column: Numeric) -> str:
    """How the numbers of a column are written."""
    unit = f"the unit {column.unit} or without" if column.unit else "no unit"
    return f"a decimal {'comma' if column.decimal == COMMA else 'point'} and {unit}"


def _kind(column: Numeric) -> str:
    return column.contents + (" with a decimal comma" if column.decimal == COMMA else "")
