"""Bags of words: texts as the words they hold, each with how often."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from suffice.kernels.words import find_words, most_tokens
from suffice.schema.adjacent import concatenated
from suffice.schema.arrays import AnyArray, Array, Codes

CHARACTERS = 1 << 20  # of texts, whose words are found at once
UNDERSCORE = ord("_")
ASCII_WORDS = np.array([chr(code).isalnum() or code == UNDERSCORE for code in range(128)])
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Bags:
    """Rows as bags: row i holds the words `places[starts[i]:starts[i + 1]]`, each so many `times`.

    A missing text is an empty bag that is marked as missing; a text without words is one that is not.
    """

    words: tuple[str, ...]
    starts: AnyArray  # (row + 1,), int64
    places: Codes  # positions in `words`, ascending within a row
    times: Array
    is_missing: AnyArray  # (row,)

    def __len__(self) -> int:
        return len(self.is_missing)

    @property
    def nbytes(self) -> int:
        """What the bags take in memory."""
        arrays = (self.starts, self.places, self.times, self.is_missing)
        return sum(part.nbytes for part in arrays) + 64 * len(self.words)

    def matrix(self, is_counted: bool = True) -> Any:
        """The bags as a sparse matrix (row, word): how often, or only whether a word is there."""
        from scipy.sparse import csr_array

        times = self.times if is_counted else (self.times != 0).astype(np.float64)
        return csr_array((times, self.places, self.starts), shape=(len(self), len(self.words)))

    def under(self, words: Sequence[str], where: Codes) -> Any:
        """The same as a matrix (row, word) of other words; `where` says which column each of the bags' words has."""
        from scipy.sparse import csr_array

        places = where[self.places] if len(where) else self.places
        matrix = csr_array((self.times, places, self.starts), shape=(len(self), len(words)))
        matrix.sort_indices()
        return matrix

    def take(self, rows: AnyArray | slice) -> Bags:
        """The chosen rows."""
        is_missing = self.is_missing[rows]
        if isinstance(rows, slice) and rows.step in (None, 1):
            first, last, _ = rows.indices(len(self))
            starts = self.starts[first : max(first, last) + 1]
            part = slice(starts[0], starts[-1])
            return Bags(self.words, starts - starts[0], self.places[part], self.times[part], is_missing)
        return of_matrix(self.words, self.matrix()[rows], is_missing)


def of_matrix(words: tuple[str, ...], matrix: Any, is_missing: AnyArray | None = None) -> Bags:
    """The rows of a sparse matrix (row, word) as bags."""
    missing = np.zeros(matrix.shape[0], dtype=bool) if is_missing is None else is_missing
    starts, places = matrix.indptr.astype(np.int64, copy=False), matrix.indices.astype(np.int32, copy=False)
    return Bags(words, starts, places, matrix.data.astype(np.float64, copy=False), missing)


def joined_bags(parts: Sequence[Bags]) -> Bags:
    """The rows of all parts, under the words of all of them."""
    from scipy.sparse import vstack

    words = tuple(dict.fromkeys(word for part in parts for word in part.words))
    place_of = {word: place for place, word in enumerate(words)}
    moved = (part.under(words, np.array([place_of[word] for word in part.words], np.int32)) for part in parts)
    return of_matrix(words, vstack(list(moved), format="csr"), np.concatenate([part.is_missing for part in parts]))


def bags_of(texts: Iterable[str], codes: AnyArray) -> Bags:
    """The bags of a column of texts given as codes into different ones; code −1 is missing.

    >>> bags = bags_of(["Call now, call free!", ""], np.array([0, 1, -1]))
    >>> bags.words, bags.matrix().toarray().tolist(), bags.is_missing.tolist()
    (('call', 'now', 'free'), [[2.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [False, False, True])
    """
    from scipy.sparse import csr_array

    words, places, ends = tokens_of(texts)
    starts = np.concatenate([[0], ends, [len(places)]])  # one more bag, empty, which the code −1 picks
    shape = (len(starts) - 1, max(len(words), 1))
    matrix = csr_array((np.ones(len(places)), places, starts), shape=shape)
    matrix.sum_duplicates()
    rows = np.asarray(codes, dtype=np.int64)
    if not np.array_equal(rows, np.arange(shape[0] - 1)):
        matrix = matrix[np.where(rows < 0, shape[0] - 1, rows)]
        return of_matrix(words, matrix, rows < 0)
    return of_matrix(words, matrix).take(slice(0, len(rows)))


def words_of(text: str) -> list[str]:
    """The words of a text, as scikit-learn's vectorisers find them: two letters or more, in lower case.

    Where words are written without spaces between them, every two neighbouring letters count as one.

    >>> words_of("Free entry: txt WIN to 87121"), words_of("天气很好")
    (['free', 'entry', 'txt', 'win', 'to', '87121'], ['天气', '气很', '很好'])
    """
    words, places, _ = tokens_of([text])
    return [words[place] for place in places.tolist()]


def tokens_of(texts: Iterable[str]) -> tuple[tuple[str, ...], Codes, AnyArray]:
    """The different words of texts as they first come, the place among them of every token, and where each text ends.

    >>> words, places, ends = tokens_of(["to be or not", "to be"])
    >>> words, places.tolist(), ends.tolist()
    (('to', 'be', 'or', 'not'), [0, 1, 2, 3, 0, 1], [4, 6])
    """
    place_of: dict[str, int] = {}
    places, ends, before = [np.empty(0, dtype=np.int32)], [np.zeros(0, dtype=np.int64)], 0
    for part in _parts(texts):
        words, own, their_ends = _tokens(part)
        where = np.array([place_of.setdefault(word, len(place_of)) for word in words], dtype=np.int32)
        places.append(where[own])
        ends.append(their_ends + before)
        before += len(own)
    return tuple(place_of), concatenated(places), concatenated(ends)


def _parts(texts: Iterable[str]) -> Iterator[list[str]]:
    """Texts in runs of at most so many characters, or of one text."""
    part, size = list[str](), 0
    for text in texts:
        if part and size + len(text) > CHARACTERS:
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text)
    if part:
        yield part


def _tokens(texts: list[str]) -> tuple[list[str], Codes, AnyArray]:
    """The same of few enough characters to have all of them at hand as numbers."""
    joined = "".join(texts)
    if joined.isascii():
        joined, is_of_word = joined.lower(), ASCII_WORDS
    else:
        texts = [_spaced(text).lower() for text in texts]
        joined, is_of_word = "".join(texts), None
    characters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    bounds = np.fromiter(accumulate(map(len, texts), initial=0), dtype=np.int64, count=len(texts) + 1)
    most = most_tokens(len(characters), len(texts))
    begins, sizes, places = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int32)
    slots, ends = np.full(1 << most.bit_length(), -1, dtype=np.int32), np.empty(len(texts), dtype=np.int64)
    is_of_word = _word_characters(characters) if is_of_word is None else is_of_word
    count = find_words(characters, is_of_word, bounds, slots, begins, sizes, places, ends)
    spans = zip(begins[:count].tolist(), sizes[:count].tolist(), strict=True)
    return [joined[begin : begin + size] for begin, size in spans], places[: ends[-1]], ends


def _word_characters(characters: Codes) -> AnyArray:
    r"""Which characters belong to words, of those that occur: as \w in regular expressions."""
    present = np.flatnonzero(np.bincount(characters))
    is_of_word = np.zeros(int(present[-1]) + 1, dtype=bool)
    is_of_word[present] = [chr(code).isalnum() or code == UNDERSCORE for code in present.tolist()]
    return is_of_word


def _spaced(text: str) -> str:
    return text if text.isascii() else UNSPACED.sub(_in_pairs, text)


def _in_pairs(run: re.Match[str]) -> str:
    letters = run.group()
    return f" {' '.join(map(''.join, pairwise(letters)))} " if len(letters) > 1 else letters


def word_count(text: str) -> int:
    """About how many words a text has.

    >>> word_count("Ok lar... Joking wif u oni..."), word_count("天气很好")
    (6, 2)
    """
    count = len(text.split())
    return count if text.isascii() else max(count, sum(len(run) for run in UNSPACED.findall(text)) // 2)
