"""Raw text against scikit-learn's vectoriser and models, on 20,000 messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import make_pipeline

import suffice as sf
from benchmarks.timing import Ratio, side_by_side

ROWS, WORDS = 20_000, 30_000
LETTERS = list("abcdefghijklmnopqrstuvwxyz")


def messages() -> pd.DataFrame:
    """Messages of 5 to 40 words, as frequent as words are; each class prefers some."""
    random = np.random.default_rng(0)
    words = np.array(["".join(random.choice(LETTERS, random.integers(2, 10))) for _ in range(WORDS)])
    is_spam = random.random(ROWS) < 0.3
    share = 1.0 / np.arange(1, WORDS + 1)
    shares = {label: share * random.choice([0.3, 1.0, 3.0], WORDS) for label in (False, True)}
    shares = {label: own / own.sum() for label, own in shares.items()}
    texts = [" ".join(random.choice(words, random.integers(5, 40), p=shares[bool(label)])) for label in is_spam]
    return pd.DataFrame({"text": texts, "label": np.where(is_spam, "spam", "ham")})


def _pipeline(model: Any, **settings: Any) -> Any:
    return make_pipeline(CountVectorizer(max_features=10_000, **settings), model)


def ratios() -> Iterator[Ratio]:
    table = messages()
    texts, labels = table["text"], table["label"]
    yield side_by_side(
        "Bernoulli naive Bayes, fit from raw text",
        "CountVectorizer + BernoulliNB",
        1,
        lambda: sf.NaiveBayes({"text": "bernoulli"}).fit(table, "label"),
        lambda: _pipeline(BernoulliNB(), binary=True).fit(texts, labels),
    )
    yield side_by_side(
        "naive Bayes at default settings, fit",
        "CountVectorizer + MultinomialNB",
        1,
        lambda: sf.NaiveBayes().fit(table, "label"),
        lambda: _pipeline(MultinomialNB()).fit(texts, labels),
    )
    ours, theirs = sf.NaiveBayes().fit(table, "label"), _pipeline(MultinomialNB()).fit(texts, labels)
    yield side_by_side(
        "naive Bayes at default settings, predict_proba",
        "CountVectorizer + MultinomialNB",
        1,
        lambda: ours.predict_proba(table),
        lambda: theirs.predict_proba(texts),
    )
    yield side_by_side(
        "logistic regression, fit from raw text",
        "CountVectorizer + LogisticRegression",
        1,
        lambda: sf.LogisticRegression(tol=1e-6).fit(table, "label"),
        lambda: _pipeline(LogisticRegression(max_iter=10_000, tol=1e-6), binary=True).fit(texts, labels),
    )
