import numpy as np
import pytest
from sklearn.metrics import r2_score

from suffice.statistics.squared_errors import SquaredErrors


def test_the_share_of_the_variance_agrees_with_scikit_learn_however_rows_are_cut():
    random = np.random.default_rng(0)
    truth = 1e6 + random.normal(size=100)
    predicted, weights = truth + random.normal(size=100), random.random(100)
    pieces = (slice(0, 7), slice(7, 7), slice(7, 60), slice(60, 100))
    merged = SquaredErrors()
    for rows in pieces:
        merged = merged.merge(SquaredErrors.of(predicted[rows], truth[rows], weights[rows]))
    assert merged.r2 == pytest.approx(r2_score(truth, predicted, sample_weight=weights), rel=1e-9)


@pytest.mark.parametrize("number", [0.1, 1e6 + 0.1, -3.0])
def test_equal_numbers_have_no_spread_whatever_is_rounded_in_their_mean(number):
    truth = np.full(7, number)
    rows = SquaredErrors.of(truth + 1.0, truth, np.full(7, 0.1))
    merged = rows.merge(SquaredErrors.of(truth[:3], truth[:3], np.ones(3)))
    assert rows.truth.scatter == merged.truth.scatter == 0.0
    assert np.isnan(merged.r2)
