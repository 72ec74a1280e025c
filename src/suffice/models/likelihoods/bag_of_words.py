"""Bag of words likelihood: which words the texts of a class have, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.models.factor import Factor, fractions
from suffice.models.fractions import Fractions
from suffice.models.generative import Drawn
from suffice.schema import Array, Bags, Batch, Schema
from suffice.schema.columns import number_text
from suffice.soundness import require_a, require_distinct, require_numbers, require_tuple

WORDS, MULTINOMIAL, BERNOULLI = "words", "multinomial", "bernoulli"
NO_WORD = "…"  # a text that was drawn without a word; empty text would be read as missing
KINDS = (WORDS, MULTINOMIAL, BERNOULLI)


@dataclass(frozen=True)
class BagOfWords:
    """P(text | class) over a vocabulary; words outside it say nothing.

    multinomial  Π_w p_w^n_w, every occurrence a draw from the words of the class
    words        Π_w p_w over the different words of the text
    bernoulli    Π_w p_w^x_w·(1−p_w)^(1−x_w): each word of the vocabulary is there or it is not
    """

    schema: Schema
    column: str
    kind: str
    vocabulary: tuple[str, ...]
    numerator: Array  # (word, class)
    denominator: Array  # (class,)
    length: Array  # (class,): words in a text, on average

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        if self.column not in self.schema.text_position or self.kind not in KINDS:
            raise ValueError("a bag of words is of no column of text, or of no kind")
        require_tuple("vocabulary", self.vocabulary, str)
        require_distinct("vocabulary", self.vocabulary)
        classes = self.schema.class_count
        require_numbers("counts of words", self.numerator, (len(self.vocabulary), classes), 0.0)
        require_numbers("denominators", self.denominator, (classes,), 0.0)
        require_numbers("lengths of texts", self.length, (classes,), 0.0)
        if np.any(self.numerator > self.denominator * (1 + 1e-9)) or (self.vocabulary and not self.denominator.all()):
            raise ValueError("a word has a probability above 1")

    @property
    def columns(self) -> tuple[str, ...]:
        """The column of text."""
        return (self.column,)

    @property
    def silent(self) -> tuple[str, ...]:
        """The column, where no word is known."""
        return () if self.vocabulary else self.columns

    @property
    def parameter_count(self) -> int:
        """A number per word and class."""
        return self.numerator.size

    @cached_property
    def probability(self) -> Array:
        """P(word | class) (word, class)."""
        return Fractions(self.numerator, self.denominator).probability

    @cached_property
    def log_terms(self) -> Array:
        """What a word adds that is there (word, class): ln p; of Bernoulli ln p − ln(1−p)."""
        with np.errstate(divide="ignore"):
            log = np.log(self.probability)
        return log - self._log_absent if self.kind == BERNOULLI else log

    @cached_property
    def log_empty(self) -> Array:
        """ln P(a text without any word | class): of Bernoulli Σ_w ln(1−p_w), else nothing."""
        return self._log_absent.sum(axis=0) if self.kind == BERNOULLI else np.zeros(self.schema.class_count)

    @cached_property
    def _log_absent(self) -> Array:
        """ln(1−p); a word that was never absent counts for nothing here, see `_required`."""
        return np.log1p(-np.where(self.probability < 1.0, self.probability, 0.0))

    @cached_property
    def _required(self) -> Array:
        """Which words (word, class) no text of a class may lack, without smoothing."""
        is_required: Array = ((self.probability >= 1.0) & (self.kind == BERNOULLI)).astype(np.float64)
        return is_required

    @cached_property
    def _place_of(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.vocabulary)}

    def _bags(self, batch: Batch) -> Bags:
        return batch.texts[self.schema.text_position[self.column]]

    def add_log_likelihood(self, batch: Batch, total: Array) -> None:
        """Add ln P(text | class); a missing text adds nothing."""
        bags = self._bags(batch)
        where = np.fromiter((self._place_of.get(word, -1) for word in bags.words), np.int64, len(bags.words))
        known = np.flatnonzero(where >= 0)
        held = bags.matrix(self.kind == MULTINOMIAL)[:, known]
        total += held @ self.log_terms[where[known]]
        if self.kind == BERNOULLI:
            total[~bags.is_missing] += self.log_empty
        if self._required.any():
            lacks = held @ self._required[where[known]] < self._required.sum(axis=0)
            total[lacks & ~bags.is_missing[:, None]] = -np.inf

    def factors(self, batch: Batch) -> list[Factor]:
        """The fraction of each word of the first row that is known, and of Bernoulli that of all absent ones."""
        bags = self._bags(batch)
        found, present = [], list[int]()
        stop = int(bags.starts[1])
        for place, times in zip(bags.places[:stop], bags.times[:stop], strict=True):
            position = self._place_of.get(bags.words[place])
            if position is not None and times > 0:
                present.append(position)
                found.append(self._factor(position, times if self.kind == MULTINOMIAL else 1.0))
        if self.kind == BERNOULLI and self.vocabulary and not bags.is_missing[0]:
            found.append(self._absence(present))
        return found

    def _factor(self, position: int, times: float) -> Factor:
        word = self.vocabulary[position]
        with np.errstate(divide="ignore"):
            log = times * np.log(self.probability[position])
        texts = fractions(self.numerator[position], self.denominator)
        if times == 1.0:
            return Factor(self.column, word, log, texts)
        power = number_text(times)
        return Factor(self.column, f"{word} ×{power}", log, tuple(f"({t})^{power}" for t in texts))

    def _absence(self, present: list[int]) -> Factor:
        absent = np.ones(len(self.vocabulary), dtype=bool)
        absent[present] = False
        log = self._log_absent[absent].sum(axis=0)
        log = np.where(self._required[absent].any(axis=0), -np.inf, log)
        texts = tuple("Π(1−p)" for _ in self.denominator)
        return Factor(self.column, f"{int(absent.sum()):,} words absent", log, texts)

    def draw(self, drawn: Drawn, random: np.random.Generator) -> None:
        """Texts of words drawn from each class; of multinomials about as long as the texts of the class."""
        if not self.vocabulary:
            return
        texts = drawn.texts[self.schema.text_position[self.column]]
        for k in np.unique(drawn.classes):
            rows = np.flatnonzero(drawn.classes == k)
            for row, places in zip(rows.tolist(), self._drawn(int(k), len(rows), random), strict=True):
                texts[row] = " ".join(self.vocabulary[place] for place in places) or NO_WORD

    def _drawn(self, k: int, count: int, random: np.random.Generator) -> list[list[int]]:
        share = self.probability[:, k]
        if self.kind == BERNOULLI:
            return [np.flatnonzero(random.random(len(share)) < share).tolist() for _ in range(count)]
        lengths = random.poisson(self.length[k], count)
        if share.sum() <= 0:
            return [[] for _ in range(count)]
        places = random.choice(len(share), int(lengths.sum()), p=share / share.sum())
        bags = [part.tolist() for part in np.split(places, np.cumsum(lengths)[:-1])]
        return bags if self.kind == MULTINOMIAL else [list(dict.fromkeys(bag)) for bag in bags]
