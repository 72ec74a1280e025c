import numpy as np
import pytest
from scipy.special import multigammaln

import suffice as sf
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.empirical_bayes import WORTHS, log_evidence, look_gaussian, shared_intensity
from suffice.statistics.moments.higher_moments import Tails


def slow_log_evidence(scatter, freedom, worth):
    size = len(scatter)
    belief = worth + size + 1
    return (
        multigammaln((belief + freedom) / 2, size)
        - multigammaln(belief / 2, size)
        + belief / 2 * np.linalg.slogdet(worth * np.eye(size))[1]
        - (belief + freedom) / 2 * np.linalg.slogdet(worth * np.eye(size) + scatter)[1]
    )


def test_the_evidence_is_the_inverse_wisharts():
    x = np.random.default_rng(0).normal(size=(30, 4))
    scatter = x.T @ x
    found = log_evidence(np.linalg.eigvalsh(scatter), 30.0)
    expected = np.array([slow_log_evidence(scatter, 30.0, worth) for worth in WORTHS])
    np.testing.assert_allclose(found - found[0], expected - expected[0], rtol=1e-9)


def test_uncorrelated_columns_are_pulled_together_and_bound_ones_are_not():
    random = np.random.default_rng(0)
    loose = random.normal(size=(60, 20))
    bound = loose[:, :1] + 0.1 * loose
    weak, strong = (shared_intensity(np.linalg.eigvalsh(np.corrcoef(x.T)), 60.0, 2) for x in (bound, loose))
    assert weak < 0.05
    assert strong > 0.5


def test_what_looks_gaussian_is_told_by_the_kurtosis_of_every_class():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 4_000).astype(np.int32)
    x = np.column_stack(
        [
            random.normal(size=4_000) * np.where(y == 1, 20.0, 1.0),  # Gaussian in each class
            random.uniform(size=4_000),
            random.integers(0, 2, 4_000),  # few values, none of them far out
            random.random(4_000) < 0.02,  # of which one is
            random.standard_t(3, 4_000),
            np.where(y == 1, random.normal(size=4_000), 7.0),
        ]
    )
    schema = Schema(tuple(Numeric(name) for name in "abcdef"), Nominal("y", (0, 1)))
    batch = Batch(schema, x, np.empty((0, 4_000), dtype=np.int32), y)
    assert look_gaussian(Tails.of(batch)).tolist() == [True, True, True, False, False, False]


def test_qda_stays_quadratic_where_the_classes_are_gaussians_of_their_own():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 2_000)
    x = random.normal(size=(2_000, 3)) * np.where(y == 1, 6.0, 1.0)[:, None]
    assert sf.QDA().fit(x, y).score(x, y) == pytest.approx(sf.QDA(shrinkage=0).fit(x, y).score(x, y), abs=0.005)


def test_qda_learns_what_the_products_of_few_values_tell():
    random = np.random.default_rng(0)
    x = random.integers(0, 2, (400, 2)).astype(float)
    y = (x[:, 0] == x[:, 1]).astype(int)
    noisy = np.where(random.random(400) < 0.1, 1 - y, y)
    assert sf.QDA().fit(x, noisy).score(x, y) == 1.0


def test_a_level_that_a_class_never_had_does_not_decide_alone():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 300)
    x = np.column_stack([random.normal(size=300) + 3 * y, (random.random(300) < 0.01) & (y == 1)])
    row = [[6.0, 0.0], [0.0, 1.0]]
    bold, careful = (sf.QDA(shrinkage=s).fit(x, y).predict_proba(row)[1] for s in ("as_needed", "evidence"))
    assert bold.max() > 0.999999
    assert careful.max() < 0.9999


def test_the_shared_covariance_is_that_of_the_formula():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 40)
    x = random.normal(size=(40, 5))
    raw, model = sf.LDA(shrinkage=0).fit(x, y), sf.LDA().fit(x, y)
    alpha = model.model_.shrinkage[0]
    diagonal = np.diag(np.diag(raw.covariance_))
    assert 0 < alpha < 1
    pulled = (1 - alpha) * raw.covariance_ + alpha * diagonal
    np.testing.assert_allclose(model.covariance_, model.model_.widening * pulled, rtol=1e-12)


def test_every_covariance_of_a_class_lies_between_its_own_and_the_shared_one():
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 90)
    x = random.normal(size=(90, 4)) * (1 + y)[:, None]
    raw, shared, model = sf.QDA(shrinkage=0).fit(x, y), sf.LDA().fit(x, y), sf.QDA().fit(x, y)
    for k, share in enumerate(model.model_.shrinkage):
        between = (1 - share) * raw.covariance_[k] + share * shared.covariance_
        np.testing.assert_allclose(model.covariance_[k], model.model_.widening * between, rtol=1e-12)


@pytest.mark.parametrize("kind", [sf.LDA, sf.QDA])
def test_nothing_is_pulled_where_classes_are_gaussian_and_have_rows_enough(kind):
    iris = sf.datasets.load("iris")
    found, plain = kind().fit(iris, "species"), kind(shrinkage=0).fit(iris, "species")
    assert not found.model_.shrinkage.any()
    np.testing.assert_array_equal(found.covariance_, plain.covariance_)


def test_two_columns_that_are_one_are_told_apart_by_the_prior():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 2_000)
    x = random.normal(size=2_000) + y
    model = sf.QDA().fit(np.column_stack([x, x]), y)
    assert np.isfinite(model.predict_proba([[0.5, 0.5]])).all()


@pytest.mark.parametrize("rows", [12, 30])  # fewer than half the dimensions, and more
def test_the_evidence_of_classes_is_the_same_by_way_of_a_root(rows, monkeypatch):
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], rows)
    x = random.normal(size=(2 * rows, 50)) * (1 + y)[:, None]
    found = sf.QDA().fit(x, y)
    for module in ("suffice.solve.empirical_bayes", "suffice.statistics.moments.low_rank"):
        monkeypatch.setattr(f"{module}.low_rank_root", lambda *_: None)
    plain = sf.QDA().fit(x, y)
    np.testing.assert_allclose(found.model_.shrinkage, plain.model_.shrinkage, rtol=1e-12)
    np.testing.assert_allclose(found.covariance_, plain.covariance_, rtol=1e-10, atol=1e-12)
