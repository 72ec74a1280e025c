import numpy as np
import pytest

from suffice.statistics.moments.recentring import recentred


def sums(deviations, weights):
    """Σ w·d_j·d_k, Σ w·d_j²·d_k and Σ w·d_j²·d_k², cell by cell."""
    columns = range(deviations.shape[1])
    powers = ((1, 1), (2, 1), (2, 2))
    return [
        np.array([[(weights * deviations[:, j] ** p * deviations[:, k] ** q).sum() for k in columns] for j in columns])
        for p, q in powers
    ]


@pytest.mark.parametrize("dimensions", [1, 4])
def test_moments_around_another_centre_are_the_sums_around_it(dimensions):
    random = np.random.default_rng(dimensions)
    rows, weights = random.exponential(size=(3, 50, dimensions)), random.random((3, 50))
    mean = np.einsum("mi,mij->mj", weights, rows) / weights.sum(axis=1)[:, None]
    centre = random.normal(size=(3, dimensions))
    around_mean = [sums(rows[m] - mean[m], weights[m]) for m in range(3)]
    around_centre = [sums(rows[m] - centre[m], weights[m]) for m in range(3)]
    found = recentred(weights.sum(axis=1), mean - centre, *map(np.array, zip(*around_mean, strict=True)))
    for part, expected in zip(found, list(zip(*around_centre, strict=True))[1:], strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-12)


def test_around_the_mean_itself_nothing_changes():
    products, third, fourth = np.random.default_rng(0).random((3, 2, 3, 3))
    found = recentred(np.ones(2), np.zeros((2, 3)), products, third, fourth)
    np.testing.assert_array_equal(found[0], third)
    np.testing.assert_array_equal(found[1], fourth)
