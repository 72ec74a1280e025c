import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from suffice.evaluation.judging import regression_metrics as metrics
from suffice.evaluation.judging.regression_metrics import REGRESSION_METRICS


def predictions(rows=200):
    random = np.random.default_rng(1)
    truth = random.normal(size=rows)
    return truth + random.normal(size=rows), truth, random.integers(1, 4, rows).astype(float)


def test_metrics_of_numbers_agree_with_scikit_learn():
    predicted, truth, weights = predictions()
    expected = root_mean_squared_error(truth, predicted, sample_weight=weights)
    assert metrics.rmse(predicted, truth, weights) == pytest.approx(expected)
    expected = mean_absolute_error(truth, predicted, sample_weight=weights)
    assert metrics.mae(predicted, truth, weights) == pytest.approx(expected)
    assert metrics.r2(predicted, truth, weights) == pytest.approx(r2_score(truth, predicted, sample_weight=weights))


def test_the_share_of_variance_is_not_a_number_where_nothing_varies():
    assert np.isnan(metrics.r2(np.array([1.0, 2.0]), np.array([3.0, 3.0]), np.ones(2)))
    assert np.isnan(metrics.r2(np.array([1.0]), np.array([3.0]), np.ones(1)))


@pytest.mark.parametrize(
    ("scores", "decimals"), [([7.84, 0.5], 3), ([45_231.7], 0), ([0.0012], 6), ([0.0], 3), ([float("nan"), 12.0], 2)]
)
def test_the_decimals_of_an_error_follow_the_size_of_the_target(scores, decimals):
    assert REGRESSION_METRICS["rmse"].decimals(scores) == decimals
    assert REGRESSION_METRICS["r2"].decimals(scores) == 4
