"""The most discriminative words of every class: by p·ln(p/q), their part of the Kullback–Leibler divergence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.models.likelihoods.bag_of_words import BagOfWords
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.report.extent import Extent
from suffice.report.text import text_table
from suffice.schema import Array
from suffice.statistics.quotient import quotient


@dataclass(frozen=True, slots=True)
class TellingWord:
    """A word, how probable it is in a class and in all the others, and how many times as probable that is."""

    word: str
    within: float
    elsewhere: float

    @property
    def odds(self) -> float:
        """P(word | class) : P(word | another class)."""
        return self.within / self.elsewhere if self.elsewhere else float("inf")


def telling_words(part: BagOfWords, class_weight: Array, k: int, most: int) -> list[TellingWord]:
    """The words that speak most for a class: p·ln(p/q), p their probability in it and q in all other classes.

    A rare word with great odds tells less than a frequent one: most texts do not have it.
    """
    others = np.where(np.arange(len(class_weight)) == k, 0.0, class_weight)
    within, elsewhere = part.probability[:, k], part.probability @ quotient(others, others.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        evidence = np.where(within > 0, within * np.log(within / elsewhere), 0.0)
    order = np.argsort(-evidence, kind="stable")[:most]
    return [
        TellingWord(part.vocabulary[place], float(within[place]), float(elsewhere[place]))
        for place in order.tolist()
        if evidence[place] > 0
    ]


def words_table(part: BagOfWords, model: NaiveBayesModel, extent: Extent) -> str:
    """The most telling words of every class, with their odds."""
    classes, rows = model.schema.classes, list[list[str]]()
    for k, label in enumerate(classes[: extent.classes]):
        found = telling_words(part, model.class_weight, k, extent.words if len(classes) <= 5 else extent.words // 2)
        for word in found:
            odds = f"{word.odds:.3g}" if word.odds < 1000 else f"{word.odds:,.0f}"
            rows.append([str(label), word.word, f"{word.within:.4g}", f"{word.elsewhere:.4g}", f"{odds} : 1"])
    if len(classes) > extent.classes:
        rows.append([f"… {len(classes) - extent.classes:,} more classes", "", "", "", ""])
    heading = [f"{part.column} ({part.kind})", "word", "P(word | class)", "P(word | others)", "odds"]
    which = (
        "the most telling ones of each class" if extent.words < len(part.vocabulary) else "all that tell classes apart"
    )
    size = f"{len(part.vocabulary):,} words; {which} are shown"
    return f"{text_table(heading, rows, labels=2)}\n{size}"
