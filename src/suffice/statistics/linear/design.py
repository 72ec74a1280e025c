"""The model matrix, by its columns: a constant, numbers, one weight per level; the matrix itself is never formed."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from suffice.kernels.terms import Terms
from suffice.schema import AnyArray, Array, Codes, Nominal, Schema
from suffice.soundness import require_a, require_distinct, require_flags, require_numbers, require_tuple
from suffice.statistics.quotient import quotient

CONSTANT = 0  # the place of the constant among the dense terms


@dataclass(frozen=True, slots=True)
class CodedTerm:
    """One-hot term: a weight for every level of a nominal column, or pair of levels of two, times a dense term.

    Cell 0 of a column is a missing value, cell c+1 its level c.
    """

    first: int  # nominal column
    second: int  # nominal column, -1 where there is none
    factor: int  # dense term; the constant where the weights stand for themselves


@dataclass(frozen=True)
class Design:
    """The columns of the model matrix: how those of a table become terms, each with a weight of its own.

    Numbers are centred and scaled, a missing one is put at the mean and has an indicator; a nominal column has a
    weight per level, missing included. With degree 2 there are squares, products and pairs of levels too. `is_used`
    tells which cells have a weight at all: none that no row has, nor the level the others are compared with.
    """

    schema: Schema
    mean: Array  # (numeric column,), where a missing number is put
    centre: Array  # (numeric column,), what is subtracted
    scale: Array  # (numeric column,), 0 where the column does not vary
    has_missing: AnyArray  # (numeric column,)
    degree: int
    is_used: AnyArray  # (cell,)
    vocabularies: tuple[tuple[str, ...], ...] = ()  # the words of each column of text that may have a weight

    def require_sound(self) -> None:
        """The kernels follow these numbers blindly, so they must fit the columns."""
        require_a("schema", self.schema, Schema)
        shape = (len(self.schema.numeric),)
        require_numbers("centres", self.centre, shape)
        require_numbers("means", self.mean, shape)
        require_numbers("scales", self.scale, shape, 0.0)
        require_flags("missing columns", self.has_missing, shape)
        if type(self.degree) is not int or self.degree not in (1, 2):
            raise ValueError(f"the degree is {self.degree!r}")
        require_tuple("vocabularies", self.vocabularies, tuple, len(self.schema.text))
        for words in self.vocabularies:
            require_tuple("words", words, str)
            require_distinct("words", words)
        require_flags("cells", self.is_used, (self.cell_count,))
        if not self.is_used[CONSTANT] or np.any(self.is_used & ~with_parts(self, self.is_used)):
            raise ValueError("a product is used without its parts")

    # Dense terms: the constant, the numbers, indicators of missing numbers, products -------------------------------

    @cached_property
    def missing_columns(self) -> Codes:
        """The numeric columns with an indicator for missing values."""
        return np.flatnonzero(self.has_missing).astype(np.int32)

    @cached_property
    def base_columns(self) -> Codes:
        """The numeric column of every dense term but the constant and the products."""
        return np.concatenate([np.arange(len(self.centre), dtype=np.int32), self.missing_columns])

    @cached_property
    def products(self) -> Codes:
        """Pairs of dense terms that are multiplied: squares of numbers, and terms of different columns."""
        if self.degree < 2:
            return np.empty((0, 2), dtype=np.int32)
        width, column = len(self.centre), self.base_columns
        squares = [(j + 1, j + 1) for j in range(width)]
        mixed = [(a + 1, b + 1) for a, b in combinations(range(len(column)), 2) if column[a] != column[b]]
        return np.array([*squares, *mixed], dtype=np.int32).reshape(-1, 2)

    @cached_property
    def dense_count(self) -> int:
        """How many dense terms there are, the constant included."""
        return 1 + len(self.base_columns) + len(self.products)

    # Coded terms: levels, levels times numbers, pairs of levels ----------------------------------------------------

    @cached_property
    def coded(self) -> tuple[CodedTerm, ...]:
        """The terms with a weight per level."""
        columns = range(len(self.schema.nominal))
        terms = [CodedTerm(q, -1, CONSTANT) for q in columns]
        if self.degree >= 2:
            terms += [CodedTerm(q, -1, a + 1) for q in columns for a in range(len(self.base_columns))]
            terms += [CodedTerm(first, second, CONSTANT) for first, second in combinations(columns, 2)]
        return tuple(terms)

    def cells_of(self, term: CodedTerm) -> int:
        """How many cells a coded term has."""
        cells = len(self.schema.nominal[term.first].levels) + 1
        return cells if term.second < 0 else cells * (len(self.schema.nominal[term.second].levels) + 1)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where the cells of each coded term begin, after the dense terms; one more entry than terms."""
        starts = [self.dense_count]
        for term in self.coded:
            starts.append(starts[-1] + self.cells_of(term))
        return tuple(starts)

    @cached_property
    def text_starts(self) -> tuple[int, ...]:
        """Where the cells of each column of text begin: one for a missing text, then its words; and where all end."""
        starts = [self.starts[-1]]
        for words in self.vocabularies:
            starts.append(starts[-1] + 1 + len(words))
        return tuple(starts)

    @property
    def cell_count(self) -> int:
        """How many cells there are, used or not."""
        return self.text_starts[-1]

    @cached_property
    def first_text(self) -> int:
        """The first dimension of a text; they are the last dimensions."""
        return int(np.searchsorted(self.used, self.starts[-1]))

    @cached_property
    def word_places(self) -> tuple[dict[str, int], ...]:
        """The dimension of every word that has a weight, for each column of text."""
        found = []
        for words, start in zip(self.vocabularies, self.text_starts[:-1], strict=True):
            places = self.places[start + 1 : start + 1 + len(words)].tolist()
            found.append({word: place for word, place in zip(words, places, strict=True) if place >= 0})
        return tuple(found)

    # Dimensions: the cells that are used ---------------------------------------------------------------------------

    @cached_property
    def used(self) -> AnyArray:
        """The cell of every dimension."""
        return np.flatnonzero(self.is_used)

    @property
    def dimensions(self) -> int:
        """How many weights there are for each class."""
        return len(self.used)

    @cached_property
    def places(self) -> Codes:
        """The dimension of every cell, -1 where it is not used."""
        places = np.full(self.cell_count, -1, dtype=np.int32)
        places[self.used] = np.arange(self.dimensions, dtype=np.int32)
        return places

    @cached_property
    def terms(self) -> Terms:
        """The terms in the form the kernels read."""
        return self.terms_at(self.places)

    def terms_at(self, places: Codes, without: int | None = None) -> Terms:
        """The same, but for the coded one `without`, with other places for the cells."""
        nominal = self.schema.nominal
        pairs = zip(self.coded, self.starts[:-1], strict=True)
        coded = [(term, start) for position, (term, start) in enumerate(pairs) if position != without]
        rows = [
            (term.first, term.second, len(nominal[term.second].levels) + 1 if term.second >= 0 else 0, start)
            for term, start in coded
        ]
        factor = quotient(1.0, self.scale)
        return Terms(
            self.centre,
            factor,
            (self.mean - self.centre) * factor,
            self.missing_columns,
            self.products,
            np.array(rows, dtype=np.int32).reshape(-1, 4),
            np.array([term.factor for term, _ in coded], dtype=np.int32),
            places,
        )

    @cached_property
    def used_dense(self) -> AnyArray:
        """The dense terms that are used; they are the first dimensions."""
        return self.used[self.used < self.dense_count]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The dimensions as a reader would call them: intercept, age, age², sex=female, age × sex=female."""
        return tuple(self._name(cell) for cell in self.used.tolist())

    def _name(self, cell: int) -> str:
        if cell == CONSTANT:
            return "intercept"
        if cell < 1 + len(self.base_columns):
            column = self.schema.numeric[self.base_columns[cell - 1]].name
            return column if cell <= len(self.centre) else f"{column} missing"
        if cell < self.dense_count:
            a, b = self.products[cell - 1 - len(self.base_columns)].tolist()
            return f"{self._name(a)}²" if a == b else f"{self._name(a)} × {self._name(b)}"
        if cell >= self.starts[-1]:
            column, word = self.word_of(cell)
            return f"{column}: {word}" if word else f"{column} missing"
        term, levels = self._levels_of(cell)
        name = " × ".join(
            f"{column.name} missing" if level == 0 else f"{column.name}={column.levels[level - 1]}"
            for column, level in levels
        )
        return name if term.factor == CONSTANT else f"{self._name(term.factor)} × {name}"

    def word_of(self, cell: int) -> tuple[str, str]:
        """The column of text of a cell, and its word, none for a missing text."""
        position = bisect_right(self.text_starts, cell) - 1
        place = cell - self.text_starts[position]
        return self.schema.text[position].name, self.vocabularies[position][place - 1] if place else ""

    def _levels_of(self, cell: int) -> tuple[CodedTerm, list[tuple[Nominal, int]]]:
        """The coded term of a cell, and its columns with the place of the level in each (0 is missing)."""
        position = bisect_right(self.starts, cell) - 1
        term, place = self.coded[position], cell - self.starts[position]
        first = self.schema.nominal[term.first]
        if term.second < 0:
            return term, [(first, place)]
        second = self.schema.nominal[term.second]
        return term, list(zip((first, second), divmod(place, len(second.levels) + 1), strict=True))

    @cached_property
    def columns_of(self) -> tuple[tuple[str, ...], ...]:
        """The names of the columns each dimension is made of; none for the intercept."""
        return tuple(self._columns_of(cell) for cell in self.used.tolist())

    def _columns_of(self, cell: int) -> tuple[str, ...]:
        if cell == CONSTANT:
            return ()
        if cell < 1 + len(self.base_columns):
            return (self.schema.numeric[self.base_columns[cell - 1]].name,)
        if cell < self.dense_count:
            a, b = self.products[cell - 1 - len(self.base_columns)].tolist()
            return self._columns_of(a) if a == b else self._columns_of(a) + self._columns_of(b)
        if cell >= self.starts[-1]:
            return (self.word_of(cell)[0],)
        term, levels = self._levels_of(cell)
        return self._columns_of(term.factor) + tuple(column.name for column, _ in levels)


def with_parts(design: Design, is_used: AnyArray) -> AnyArray:
    """Which cells may be used: products and pairs where their parts are; scaled numbers where they vary."""
    allowed = np.ones(design.cell_count, dtype=bool)
    allowed[1 : 1 + len(design.scale)] = design.scale > 0
    first = 1 + len(design.base_columns)
    allowed[first : design.dense_count] = is_used[design.products].all(axis=1)
    count = len(design.schema.nominal)
    mains = [
        is_used[start : start + design.cells_of(term)]
        for term, start in zip(design.coded[:count], design.starts[:count], strict=True)
    ]
    for term, start in zip(design.coded, design.starts[:-1], strict=True):
        own = slice(start, start + design.cells_of(term))
        if term.second >= 0:
            allowed[own] = np.outer(mains[term.first], mains[term.second]).ravel()
        elif term.factor != CONSTANT:
            allowed[own] = mains[term.first] & is_used[term.factor]
    return allowed
