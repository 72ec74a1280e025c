"""Word counts: term frequencies, or document frequencies, of each class; texts are bags of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array, vstack

from suffice.errors import MergeError, Message, Setting, TableError
from suffice.schema import Alignment, AnyArray, Array, Bags, Batch, Codes, Schema
from suffice.soundness import require_a, require_codes, require_distinct, require_numbers, require_tuple
from suffice.statistics.class_weights import remaining


@dataclass(frozen=True, slots=True)
class WordTable:
    """One column: the weight of each word in each class, class after class, and the weight of the texts.

    Every word that occurs is here, in alphabetical order; how many of them a model reads is said when it is solved.
    """

    words: tuple[str, ...]
    starts: AnyArray  # (class + 1,): class k has the entries from starts[k] to starts[k + 1]
    places: Codes  # of the words, ascending within a class
    weight: Array
    texts: Array  # (class,): the weight of the rows that have a text
    is_counted: bool = False  # every occurrence of a word, else each once a text

    def require_sound(self) -> None:
        """What a file may have wrong; `require_classes` is for those who know how many classes there are."""
        require_tuple("words", self.words, str)
        require_distinct("words", self.words)
        if list(self.words) != sorted(self.words):
            raise ValueError("the words are not in order")
        require_a("texts", self.texts, np.ndarray)
        require_a("way of counting", self.is_counted, bool)
        self.require_classes(len(self.texts))

    def require_classes(self, count: int) -> None:
        """Entries of so many classes, each in order, none of them empty."""
        require_numbers("weights of texts", self.texts, (count,), 0.0)
        entries = len(self.weight) if isinstance(self.weight, np.ndarray) else -1
        require_codes("starts of classes", self.starts, (count + 1,), 0, entries, np.int64)
        require_codes("places of words", self.places, (entries,), 0, len(self.words) - 1)
        require_numbers("weights of words", self.weight, (entries,), 0.0)
        is_first = np.zeros(entries + 1, dtype=bool)
        is_first[self.starts] = True
        if self.starts[0] or self.starts[-1] != entries or np.any(np.diff(self.starts) < 0):
            raise ValueError("the classes of the words do not follow each other")
        if np.any((np.diff(self.places) <= 0) & ~is_first[1:-1]):
            raise ValueError("the words of a class are not in order")

    @classmethod
    def of(cls, bags: Bags, is_counted: bool, classes: Codes, class_count: int, weights: Array | None) -> WordTable:
        """Add up the bags of each class."""
        weight = np.ones(len(bags)) if weights is None else weights
        of_class = csr_array((weight, (classes, np.arange(len(bags)))), shape=(class_count, len(bags)))
        texts: Array = of_class @ (~bags.is_missing).astype(np.float64)
        return cls._in_order(bags.words, of_class @ bags.matrix(is_counted), texts, is_counted)

    @classmethod
    def _in_order(cls, words: tuple[str, ...], table: csr_array, texts: Array, is_counted: bool) -> WordTable:
        """Of a sparse table (class, word) the words that have weight, in order."""
        table.eliminate_zeros()
        used = np.flatnonzero(np.bincount(table.indices, minlength=len(words))).tolist()
        used.sort(key=words.__getitem__)
        where = np.zeros(len(words), dtype=np.int32)
        where[used] = np.arange(len(used), dtype=np.int32)
        moved = csr_array((table.data, where[table.indices], table.indptr), shape=(table.shape[0], len(used)))
        return cls._of_table(tuple(words[place] for place in used), moved, texts, is_counted)

    @classmethod
    def _of_table(cls, words: tuple[str, ...], table: csr_array, texts: Array, is_counted: bool) -> WordTable:
        table.sort_indices()
        starts, places = table.indptr.astype(np.int64, copy=False), table.indices.astype(np.int32, copy=False)
        return cls(words, starts, places, table.data, texts, is_counted)

    @property
    def table(self) -> csr_array:
        """The weights as a sparse matrix (class, word)."""
        return csr_array((self.weight, self.places, self.starts), shape=(len(self.texts), len(self.words)))

    def _under(self, words: tuple[str, ...]) -> csr_array:
        """The weights as a sparse matrix whose columns are other words, which hold all of these."""
        if words == self.words:
            return self.table
        place_of = {word: place for place, word in enumerate(words)}
        where = np.fromiter((place_of[word] for word in self.words), np.int32, len(self.words))
        return csr_array((self.weight, where[self.places], self.starts), shape=(len(self.texts), len(words)))

    def most_frequent(self, count: int | None) -> AnyArray:
        """The places of the words with the most weight, of equals the first in the alphabet; in their order."""
        order = np.argsort(-np.asarray(self.table.sum(axis=0)), kind="stable")
        return np.sort(order[:count])

    def merge(self, other: WordTable) -> WordTable:
        """Unite the words, then add."""
        if self.is_counted != other.is_counted:
            raise MergeError("One counts every occurrence of a word, the other each once a text. Fit both alike.")
        words = self._united(other)
        table = self._under(words) + other._under(words)
        return self._of_table(words, table, self.texts + other.texts, self.is_counted)

    def _united(self, other: WordTable) -> tuple[str, ...]:
        return self.words if self.words == other.words else tuple(sorted({*self.words, *other.words}))

    def without(self, other: WordTable) -> WordTable:
        """Subtract, exactly where the rows had no weights; words that nothing is left of vanish."""
        words = self._united(other)
        mine, theirs = self._under(words), other._under(words)
        both = mine + theirs  # has an entry wherever either has one
        both.sort_indices()
        both.data = remaining(_entries(mine, both), _entries(theirs, both))
        return self._in_order(words, both, remaining(self.texts, other.texts), self.is_counted)

    def weighed(self, factors: Array) -> WordTable:
        """The texts of each class counting for as much as its factor says."""
        weight = self.weight * np.repeat(factors, np.diff(self.starts))
        return replace(self, weight=weight, texts=self.texts * factors)

    def of_classes(self, chosen: Codes) -> WordTable:
        """The chosen classes, −1 for one without texts; and the words that those have."""
        rows = np.where(chosen < 0, len(self.texts), chosen)
        table = vstack([self.table, csr_array((1, len(self.words)))], format="csr")[rows]
        return self._in_order(self.words, table, np.append(self.texts, 0.0)[rows], self.is_counted)


def _entries(part: csr_array, whole: csr_array) -> Array:
    """The entries of a sparse matrix, at every place where another has one."""
    cells, own = (
        np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)) * whole.shape[1] + matrix.indices
        for matrix in (whole, part)
    )
    entries = np.zeros(len(cells))
    entries[np.searchsorted(cells, own)] = part.data
    return entries


@dataclass(frozen=True, slots=True)
class WordCounts:
    """A table of words per column of text."""

    schema: Schema
    tables: Mapping[str, WordTable]

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_a("tables of words", self.tables, Mapping)
        if list(self.tables) != [column.name for column in self.schema.text]:
            raise ValueError("the tables of words are not those of the columns of text")
        for table in self.tables.values():
            require_a("table of words", table, WordTable)
            table.require_classes(self.schema.class_count)

    def merge(self, other: WordCounts) -> WordCounts:
        """Merge column by column."""
        if set(self.tables) != set(other.tables):
            said = "The two do not read the same columns as text. Name them in "
            raise MergeError(Message(said, Setting("text"), " in both."))
        return WordCounts(self.schema, {name: table.merge(other.tables[name]) for name, table in self.tables.items()})

    def without(self, other: WordCounts) -> WordCounts:
        """Take out column by column."""
        return WordCounts(self.schema, {name: table.without(other.tables[name]) for name, table in self.tables.items()})

    def weighed(self, factors: Array) -> WordCounts:
        """The same rows, those of each class counting for as much as its factor says."""
        return WordCounts(self.schema, {name: table.weighed(factors) for name, table in self.tables.items()})

    def align(self, alignment: Alignment) -> WordCounts:
        """Pick the classes of another schema."""
        tables = {name: table.of_classes(alignment.classes) for name, table in self.tables.items()}
        return WordCounts(alignment.schema, tables)


@dataclass(frozen=True, slots=True)
class MeasureWords:
    """Counts the words of every column of text: term frequencies (as often as it occurs), or once a document."""

    counted: tuple[str, ...] = ()  # the columns in which every occurrence counts
    may_be_negative: bool = True  # as the numbers of a matrix may

    def of(self, batch: Batch) -> WordCounts:
        """Count a batch."""
        classes, count = batch.class_codes(), batch.schema.class_count
        pairs = list(zip(batch.schema.text, batch.texts, strict=True))
        if not self.may_be_negative and any(bags.times.min(initial=0.0) < 0 for _, bags in pairs):
            raise TableError("The matrix has a negative number. Naive Bayes reads counts of words, or 0 and 1.")
        tables = {
            column.name: WordTable.of(bags, column.name in self.counted, classes, count, batch.weights)
            for column, bags in pairs
        }
        return WordCounts(batch.schema, tables)
