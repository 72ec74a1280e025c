"""Bags of words: every likelihood against the formula written out."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp, log

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.models.likelihoods.bag_of_words import BagOfWords
from suffice.schema.bags import words_of

TEXTS = ["win win prize", "call home", "prize call now", "home now", "win now now", "…", "call call home"]
Y = ["spam", "ham", "spam", "ham", "spam", "ham", "ham"]
KINDS = ("words", "multinomial", "bernoulli")
QUERIES = [*TEXTS, "prize home win", "unheard of", "now now now"]


def fitted(kind: str, **settings: object) -> sf.NaiveBayes:
    return sf.NaiveBayes(likelihoods={"text": kind}, text=["text"], **settings).fit(pd.DataFrame({"text": TEXTS}), Y)


def slow_log_joint(kind: str, query: str, smoothing: float) -> list[float]:
    words = sorted({word for text in TEXTS for word in words_of(text)})
    result = []
    for label in ("ham", "spam"):
        texts = [words_of(text) for text, own in zip(TEXTS, Y, strict=True) if own == label]
        counts: Counter[str] = Counter(
            word for text in texts for word in (text if kind == "multinomial" else set(text))
        )
        total = log(len(texts) / len(TEXTS))
        held = Counter(word for word in words_of(query) if word in words)
        if kind == "bernoulli":
            for word in words:
                p = (counts[word] + smoothing) / (len(texts) + 2 * smoothing)
                total += log(p if word in held else 1 - p)
        else:
            for word, times in held.items():
                p = (counts[word] + smoothing) / (counts.total() + smoothing * len(words))
                total += (times if kind == "multinomial" else 1) * log(p)
        result.append(total)
    return result


@pytest.mark.parametrize(("kind", "smoothing"), list(product(KINDS, (0.1, 1.0, 2.5))))
def test_the_log_joint_is_the_formula(kind: str, smoothing: float) -> None:
    model = fitted(kind, word_smoothing=smoothing)
    found = model.predict_log_joint(pd.DataFrame({"text": QUERIES}))
    assert found == pytest.approx(np.array([slow_log_joint(kind, query, smoothing) for query in QUERIES]))


@pytest.mark.parametrize("kind", KINDS)
def test_factors_add_up_to_the_log_joint(kind: str) -> None:
    model = fitted(kind)
    for query in QUERIES:
        expected = model.predict_log_joint(pd.DataFrame({"text": [query]}))[0]
        assert model.explain(query).log_joint == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prior", ["uniform", "marginal"])
def test_probabilities_are_probabilities(kind: str, prior: str) -> None:
    part = fitted(kind, smoothing_prior=prior).model_.likelihoods[-1]
    assert isinstance(part, BagOfWords)
    assert np.all((part.probability > 0) & (part.probability < 1))
    if kind != "bernoulli":
        assert part.probability.sum(axis=0) == pytest.approx(1.0)


def test_every_bernoulli_text_sums_to_one() -> None:
    model = sf.NaiveBayes(likelihoods={"text": "bernoulli"}, text=["text"]).fit(
        pd.DataFrame({"text": ["aa bb", "bb", "cc aa", "cc"]}), ["x", "y", "x", "y"]
    )
    every = [" ".join(word for word, there in zip(("aa", "bb", "cc"), flags, strict=True) if there)
             for flags in product((False, True), repeat=3)]  # fmt: skip
    joint = model.predict_log_joint(pd.DataFrame({"text": [text or "-" for text in every]}))
    assert np.exp(joint).sum() == pytest.approx(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_without_smoothing_what_never_was_is_impossible(kind: str) -> None:
    model = fitted(kind, word_smoothing=0.0)
    posterior = model.predict_proba(pd.DataFrame({"text": ["prize", "home"]}))
    if kind != "bernoulli":  # of which every spam text had one or the other word
        assert posterior.tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert np.isfinite(posterior).all()


def test_a_word_that_was_never_absent_must_be_there() -> None:
    table = pd.DataFrame({"text": ["win aa", "win bb", "cc dd", "cc win"]})
    model = sf.NaiveBayes(likelihoods={"text": "bernoulli"}, text=["text"], word_smoothing=0).fit(table, [1, 1, 0, 0])
    assert model.predict_proba(pd.DataFrame({"text": ["aa", "win aa"]}))[:, 1].tolist() == [0.5, 1.0]
    assert model.explain("win aa").posterior.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("kind", KINDS)
def test_missing_texts_and_unheard_words_say_nothing(kind: str) -> None:
    model = fitted(kind)
    prior = model.predict_proba(pd.DataFrame({"text": [None]}, dtype=object))[0]
    assert prior == pytest.approx([4 / 7, 3 / 7])
    unheard = model.predict_proba(pd.DataFrame({"text": ["unheard of", "…"]}))
    assert np.ptp(unheard, axis=0) == pytest.approx(0.0)
    if kind != "bernoulli":
        assert unheard[0] == pytest.approx(prior)
    assert "missing, so left out: text" in str(model.explain({"text": None}))


@pytest.mark.parametrize("kind", KINDS)
def test_drawn_texts_teach_the_same_model(kind: str) -> None:
    model = fitted(kind, word_smoothing=1.0)
    drawn = model.sample(20_000, random_state=0)
    again = sf.NaiveBayes(likelihoods={"text": kind}, text=["text"], word_smoothing=0).fit(drawn, "class")
    mine, theirs = model.model_.likelihoods[-1], again.model_.likelihoods[-1]
    assert mine.vocabulary == theirs.vocabulary
    tolerance = 0.02 if kind != "words" else 0.05  # which cannot draw a word twice, so that long texts lose some
    assert theirs.probability == pytest.approx(mine.probability, abs=tolerance)


def test_logistic_weights_are_the_same_posterior() -> None:
    for kind in KINDS:
        model = fitted(kind)
        weights = model.logistic_weights("ham")
        table = pd.DataFrame({"text": ["win prize", "call home now"]})
        for text, posterior in zip(table["text"], model.predict_proba(table), strict=True):
            held = set(words_of(text))
            log_odds = weights.intercept + sum(
                value for name, value in zip(weights.names, weights.coefficients, strict=True)
                if name.removeprefix("text: ") in held
            )  # fmt: skip
            assert 1 / (1 + exp(-log_odds)) == pytest.approx(posterior[1])
