"""Codes: the fewest bits with which outcomes of a distribution can be told apart, one after the other."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.information.columns import require_known
from suffice.report.html import html_table
from suffice.report.text import text_table
from suffice.schema import AnyArray, Array
from suffice.shown import ShownAsText
from suffice.solve.stated_probabilities import stated_probabilities
from suffice.sources.readers.frames.column import level_codes
from suffice.statistics.entropy import entropies

HEADING = ["outcome", "probability", "−log2 p", "bits", "code"]


@dataclass(frozen=True, repr=False)
class Code(ShownAsText):
    """A word of zeros and ones for every outcome; no word begins another."""

    outcomes: tuple[Any, ...]
    probability: Array
    words: tuple[str, ...]

    @property
    def lengths(self) -> AnyArray:
        """How many bits each word has."""
        return np.array([len(word) for word in self.words])

    @property
    def ideal_lengths(self) -> Array:
        """−log2 P(x), what each word would have if bits could be parted; infinite for what never occurs."""
        with np.errstate(divide="ignore"):
            return np.abs(np.log2(self.probability))

    @property
    def expected_length(self) -> float:
        """Σ P(x)·length(x): at least the entropy, and less than one bit more."""
        return float(self.probability @ self.lengths)

    @property
    def entropy(self) -> float:
        """H(X), in bits."""
        return float(entropies(self.probability))

    def __getitem__(self, outcome: Any) -> str:
        """The word of one outcome."""
        return self.words[self.outcomes.index(outcome)]

    def rows(self) -> list[list[str]]:
        """The table as text cells."""
        rows = zip(self.outcomes, self.probability, self.ideal_lengths, self.words, strict=True)
        return [[str(outcome), f"{p:.4g}", f"{ideal:.4g}", str(len(word)), word] for outcome, p, ideal, word in rows]

    def __str__(self) -> str:
        summary = f"expected length {self.expected_length:.4g} bits, entropy {self.entropy:.4g} bits"
        return f"{text_table(HEADING, self.rows())}\n\n{summary}"

    def _repr_html_(self) -> str:
        return html_table(HEADING, self.rows())


def optimal_code(x: Any) -> Code:
    """Huffman's code: the shortest on average among those that give every outcome a word of its own.

    x is a distribution {outcome: probability}, or a column, whose shares count.

    >>> print(optimal_code({"Trek": 0.5, "Specialized": 0.25, "Cervelo": 0.125, "Serrota": 0.125}))
    outcome      probability  −log2 p  bits  code
    -----------  -----------  -------  ----  ----
    Trek                 0.5        1     1     1
    Specialized         0.25        2     2    01
    Cervelo            0.125        3     3   001
    Serrota            0.125        3     3   000
    <BLANKLINE>
    expected length 1.75 bits, entropy 1.75 bits
    """
    if isinstance(x, Mapping):
        outcomes, probability = tuple(x), stated_probabilities(x, [*map(float, x.values())])
    else:
        column = level_codes(x)
        require_known(column.codes >= 0)
        counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.levels))
        outcomes, probability = column.levels, counts / counts.sum()
    order = np.argsort(-probability, kind="stable")
    outcomes, probability = tuple(outcomes[i] for i in order), probability[order]
    return Code(outcomes, probability, _words(_lengths(probability)))


def _lengths(probability: Array) -> list[int]:
    """How deep each outcome lies in Huffman's tree: the two least probable are put together until one is left."""
    depth = [0] * len(probability)
    waiting = [(float(p), order, [order]) for order, p in enumerate(probability)]
    heapq.heapify(waiting)
    while len(waiting) > 1:
        first, second = heapq.heappop(waiting), heapq.heappop(waiting)
        below = first[2] + second[2]
        for outcome in below:
            depth[outcome] += 1
        heapq.heappush(waiting, (first[0] + second[0], len(probability) + len(waiting), below))
    return depth


def _words(lengths: list[int]) -> tuple[str, ...]:
    """Words of these lengths, no one the beginning of another: the longest counts down from all ones."""
    words = [""] * len(lengths)
    number, before = 0, 0
    for outcome in sorted(range(len(lengths)), key=lambda outcome: (lengths[outcome], outcome)):
        length = lengths[outcome]
        number <<= length - before
        words[outcome] = format((1 << length) - 1 - number, f"0{length}b") if length else ""
        number, before = number + 1, length
    return tuple(words)
