"""L12, deck 003: new examples from any generative model; refitting on many of them recovers its parameters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf

MANY = 100_000


def numbers() -> pd.DataFrame:
    random = np.random.default_rng(15)
    kind = random.choice(["a", "b", "c"], 300, p=[0.5, 0.3, 0.2])
    shift = pd.Series(kind).map({"a": 0.0, "b": 2.0, "c": -1.0}).to_numpy()
    width = random.normal(shift, 1.0)
    return pd.DataFrame({"width": width, "height": 0.5 * width + random.normal(size=300), "kind": kind})


def test_naive_bayes_recovers_tables_and_priors() -> None:
    model = sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")
    again = sf.NaiveBayes().fit(model.sample(MANY, random_state=0), "PlayTennis")
    np.testing.assert_allclose(again.model_.priors, model.model_.priors, atol=0.01)
    for mine, theirs in zip(again.model_.likelihoods[0].tables, model.model_.likelihoods[0].tables, strict=True):
        np.testing.assert_allclose(mine.probability, theirs.probability, atol=0.015)


@pytest.mark.parametrize("shared", [False, True])
def test_gaussian_naive_bayes_recovers_means_and_variances(shared: bool) -> None:
    model = sf.NaiveBayes(shared_variance=shared).fit(numbers(), "kind")
    again = sf.NaiveBayes(shared_variance=shared).fit(model.sample(MANY, random_state=0), "kind")
    mine, theirs = again.model_.likelihoods[0], model.model_.likelihoods[0]
    np.testing.assert_allclose(mine.mean, theirs.mean, atol=0.05)
    np.testing.assert_allclose(mine.variance, theirs.variance, rtol=0.05)


def test_poisson_naive_bayes_recovers_rates() -> None:
    random = np.random.default_rng(16)
    y = np.arange(200) % 2
    model = sf.NaiveBayes("poisson").fit(random.poisson(np.where(y == 1, 4.0, 1.5))[:, None], y)
    again = sf.NaiveBayes("poisson").fit(model.sample(MANY, random_state=0), "class")
    np.testing.assert_allclose(again.model_.likelihoods[0].rate, model.model_.likelihoods[0].rate, rtol=0.02)


def test_a_kernel_density_recovers_its_density() -> None:
    model = sf.NaiveBayes("kde").fit(numbers(), "kind")
    again = sf.NaiveBayes("kde").fit(model.sample(MANY, random_state=0), "kind")
    grid = pd.DataFrame({"width": np.linspace(-2, 3, 40), "height": np.linspace(-1, 1, 40)})
    mine, theirs = np.exp(again.predict_log_joint(grid)), np.exp(model.predict_log_joint(grid))
    np.testing.assert_allclose(mine, theirs, atol=0.06 * theirs.max())


def test_the_joint_table_recovers_its_cells() -> None:
    model = sf.JointBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")
    again = sf.JointBayes().fit(model.sample(MANY, random_state=0), "PlayTennis")
    mine, theirs = again.model_.counts, model.model_.counts
    assert (mine.cells == theirs.cells).all()
    np.testing.assert_allclose(mine.table / mine.table.sum(axis=0), theirs.table / theirs.table.sum(axis=0), atol=0.01)


@pytest.mark.parametrize("covariance", ["shared", "per_class", "diagonal"])
@pytest.mark.parametrize("unbiased", [False, True])
def test_gaussian_discriminants_recover_means_and_covariances(covariance: str, unbiased: bool) -> None:
    model = sf.GaussianDiscriminant(covariance, unbiased).fit(numbers(), "kind")
    again = sf.GaussianDiscriminant(covariance, unbiased).fit(model.sample(MANY, random_state=0), "kind")
    np.testing.assert_allclose(again.priors_, model.priors_, atol=0.01)
    np.testing.assert_allclose(again.means_, model.means_, atol=0.05)
    np.testing.assert_allclose(again.covariance_, model.covariance_, atol=0.05)


@pytest.mark.parametrize(
    "model", [sf.NaiveBayes(), sf.NaiveBayes("kde"), sf.JointBayes(), sf.LDA(), sf.QDA()], ids=repr
)
def test_the_same_seed_gives_the_same_examples(model: sf.NaiveBayes) -> None:
    model.fit(numbers(), "kind")
    first, again, other = (model.sample(50, random_state=seed) for seed in (7, 7, 8))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)
    assert list(first.columns) == ["width", "height", "kind"]
    assert set(first["kind"]) <= {"a", "b", "c"}
