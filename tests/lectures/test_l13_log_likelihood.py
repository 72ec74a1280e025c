"""L13, deck 001: the data log-likelihood Σ ln P(x, y) and the conditional log-likelihood Σ ln P(y | x)."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf

MODELS = [
    sf.NaiveBayes(),
    sf.NaiveBayes("kde"),
    sf.NaiveBayes(shared_variance=True),
    sf.JointBayes(),
    sf.JointBayes(smoothing=1.0),
    sf.LDA(),
    sf.QDA(),
]


def test_on_play_tennis_they_are_sums_of_the_tables_logarithms() -> None:
    days = sf.datasets.load("play_tennis")
    model = sf.NaiveBayes(smoothing=0).fit(days, "PlayTennis")
    rows = days.to_pylist()

    def share(name: str, value: str, label: str) -> float:
        own = [row for row in rows if row["PlayTennis"] == label]
        return sum(row[name] == value for row in own) / len(own)

    data = conditional = 0.0
    for row in rows:
        label = row["PlayTennis"]
        joint = {
            other: {"Yes": 9 / 14, "No": 5 / 14}[other]
            * np.prod([share(name, value, other) for name, value in row.items() if name != "PlayTennis"])
            for other in ("Yes", "No")
        }
        data += np.log(joint[label])
        conditional += np.log(joint[label] / sum(joint.values()))
    assert model.log_likelihood(days, "PlayTennis") == pytest.approx(data, rel=1e-12)
    assert model.conditional_log_likelihood(days, "PlayTennis") == pytest.approx(conditional, rel=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_they_are_sums_over_the_rows(model: sf.NaiveBayes) -> None:
    iris = sf.datasets.load("iris")
    model.fit(iris, "species")
    own = np.searchsorted(model.classes_, iris["species"].to_pylist())
    rows = np.arange(len(own))
    data = model.predict_log_joint(iris)[rows, own].sum()
    conditional = np.log(model.predict_proba(iris)[rows, own]).sum()
    assert model.log_likelihood(iris, "species") == pytest.approx(data, rel=1e-12)
    assert model.conditional_log_likelihood(iris, "species") == pytest.approx(conditional, rel=1e-9)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_the_data_log_likelihood_is_the_conditional_one_and_that_of_x(model: sf.NaiveBayes) -> None:
    iris = sf.datasets.load("iris")
    model.fit(iris, "species")
    of_x = np.log(np.exp(model.predict_log_joint(iris)).sum(axis=1)).sum()
    conditional = model.conditional_log_likelihood(iris, "species")
    assert model.log_likelihood(iris, "species") == pytest.approx(conditional + of_x, rel=1e-12)


def test_weights_multiply_the_rows_share() -> None:
    iris = sf.datasets.load("iris")
    model = sf.LDA().fit(iris, "species")
    x = np.stack([iris[name].to_numpy() for name in iris.column_names[:4]], axis=1)
    y = np.array(iris["species"].to_pylist())
    by_array = sf.LDA().fit(x, y)
    doubled = by_array.log_likelihood(x, y, sample_weight=np.full(len(y), 2.0))
    assert doubled == pytest.approx(2 * model.log_likelihood(iris, "species"), rel=1e-12)


def test_maximum_likelihood_beats_any_other_parameters() -> None:
    iris = sf.datasets.load("iris")
    best = sf.LDA().fit(iris, "species").log_likelihood(iris, "species")
    for other in (sf.LDA(unbiased=True), sf.LDA(shrinkage=0.1), sf.LDA(priors=[0.2, 0.3, 0.5])):
        assert other.fit(iris, "species").log_likelihood(iris, "species") < best
