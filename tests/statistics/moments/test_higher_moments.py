import numpy as np
import pytest

from suffice.errors import ForgetError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.moments.higher_moments import Tails

SCHEMA = Schema((Numeric("x"), Numeric("z")), Nominal("y", ("a", "b", "c")))


def batch_of(x, classes, weights=None):
    return Batch(SCHEMA, x, np.empty((0, len(x)), dtype=np.int32), np.asarray(classes, dtype=np.int32), weights)


def random_batch(rows=200, is_weighted=False, offset=0.0, seed=0):
    random = np.random.default_rng(seed)
    x = offset + random.exponential(size=(rows, 2))
    x[random.random(x.shape) < 0.1] = np.nan
    weights = random.random(rows) if is_weighted else None
    return batch_of(x, random.integers(0, 2, rows), weights)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e5])
def test_tails_are_the_formula_over_the_known_values(is_weighted, offset):
    batch = random_batch(is_weighted=is_weighted, offset=offset)
    found = Tails.of(batch)
    for k in range(2):
        for j in range(2):
            is_own = (batch.classes == k) & ~np.isnan(batch.numeric[:, j])
            values, w = batch.numeric[is_own, j], batch.row_weights()[is_own]
            mean = np.average(values, weights=w)
            sigma = np.sqrt(np.average((values - mean) ** 2, weights=w))
            z = (values - mean) / sigma
            assert found.weight[k, j] == pytest.approx(w.sum())
            assert found.mean[k, j] == pytest.approx(mean)
            assert found.deviation[k, j] == pytest.approx(sigma)
            assert found.third[k, j] == pytest.approx((w * z**3).sum(), rel=1e-6)
            assert found.fourth[k, j] == pytest.approx((w * z**4).sum(), rel=1e-6)
    assert not found.weight[2].any()
    assert np.isinf(found.kurtosis[2]).all()


def test_numbers_whose_fourth_powers_overflow_have_a_kurtosis_all_the_same():
    x = np.random.default_rng(0).normal(size=(500, 2))
    usual, huge = Tails.of(batch_of(x, np.zeros(500))), Tails.of(batch_of(x * [1e120, 1e-120], np.zeros(500)))
    np.testing.assert_allclose(usual.kurtosis[0], huge.kurtosis[0])


def test_what_is_taken_out_leaves_the_tails_of_the_rest():
    batch = random_batch()
    left = Tails.of(batch).without(Tails.of(batch.take(np.s_[:60])))
    rest = Tails.of(batch.take(np.s_[60:]))
    for name in ("weight", "mean", "deviation", "third", "fourth"):
        np.testing.assert_allclose(getattr(left, name), getattr(rest, name), atol=1e-9)


def test_taking_out_what_hid_all_the_rest_is_refused():
    x = np.random.default_rng(0).normal(size=(50, 2))
    x[0] = 1e4
    batch = batch_of(x, np.zeros(50))
    with pytest.raises(ForgetError, match="digits"):
        Tails.of(batch).without(Tails.of(batch.take(np.s_[:1])))
