"""L4, deck 000: naive Bayes on text, from raw messages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import suffice as sf

SMS = Path(__file__).parents[3] / "shared" / "data" / "sms-spam.csv"
TEXTS = [
    "buy a cheap price",
    "buy buy cheap watches",
    "meeting at noon today",
    "the price of the meeting",
    "noon today",
]
Y = np.array([1, 1, 0, 0, 0])


def test_the_closed_forms_of_phi() -> None:
    """φ_{j|y=1} = Σ 1[x_j = 1, y = 1] / Σ 1[y = 1], φ_y = Σ 1[y = 1] / m; with Laplace (… + 1) / (… + 2)."""
    table = pd.DataFrame({"text": TEXTS})
    for smoothing in (0.0, 1.0):
        model = sf.NaiveBayes({"text": "bernoulli"}, text=["text"], word_smoothing=smoothing).fit(table, Y)
        part = model.model_.likelihoods[-1]
        assert model.model_.priors.tolist() == [3 / 5, 2 / 5]
        for word, phi in zip(part.vocabulary, part.probability, strict=True):
            has = np.array([word in text.split() for text in TEXTS])
            for k in (0, 1):
                assert phi[k] == (np.sum(has & (k == Y)) + smoothing) / (np.sum(k == Y) + 2 * smoothing)


def test_the_vocabulary_is_the_most_frequent_words() -> None:
    model = sf.NaiveBayes({"text": "bernoulli"}, text=["text"], vocabulary=3).fit(pd.DataFrame({"text": TEXTS}), Y)
    assert set(model.model_.likelihoods[-1].vocabulary) < {"buy", "cheap", "price", "meeting", "noon", "today", "the"}
    assert len(model.model_.likelihoods[-1].vocabulary) == 3


@pytest.mark.skipif(not SMS.exists(), reason="the shared data sets are not here")
@pytest.mark.parametrize("likelihood", [None, "multinomial", "bernoulli"])
def test_spam_from_raw_messages(likelihood: str | None) -> None:
    estimator = sf.NaiveBayes() if likelihood is None else sf.NaiveBayes({"text": likelihood})
    result = sf.cross_validate(estimator, str(SMS), "label", folds=10)
    assert result.classes == ("ham", "spam")
    is_spam, said_spam = result.truth == 1, result.posterior[:, 1] > 0.5
    assert np.mean(is_spam == said_spam) >= 0.98
    assert np.mean(is_spam[said_spam]) >= 0.95, "precision"
    assert np.mean(said_spam[is_spam]) >= 0.90, "recall"
