import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

from suffice.evaluation.judging import metrics


def predictions(classes, rows=300, decimals=2):
    random = np.random.default_rng(classes)
    posterior = random.dirichlet(np.ones(classes), rows).round(decimals) + 1e-3
    posterior /= posterior.sum(axis=1, keepdims=True)
    return posterior, random.integers(0, classes, rows).astype(np.int32), random.integers(1, 4, rows).astype(float)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_metrics_agree_with_scikit_learn(classes):
    posterior, truth, weights = predictions(classes)
    score = posterior[:, 1] if classes == 2 else posterior
    assert metrics.accuracy(posterior, truth, weights) == pytest.approx(
        accuracy_score(truth, posterior.argmax(axis=1), sample_weight=weights)
    )
    assert metrics.log_loss(posterior, truth, weights) == pytest.approx(
        log_loss(truth, posterior, sample_weight=weights)
    )
    assert metrics.auc(posterior, truth, weights) == pytest.approx(
        roc_auc_score(truth, score, sample_weight=weights, multi_class="ovr", average="macro")
    )


@pytest.mark.parametrize("weight", [1.0, 2.5])
def test_the_area_of_rows_of_equal_weight_is_the_share_of_pairs_in_order(weight):
    posterior, truth, _ = predictions(2, rows=80, decimals=1)
    score = posterior[:, 1]
    pairs = np.sign(score[truth == 1][:, None] - score[truth == 0])
    area = metrics.auc(posterior, truth, np.full(160, weight)[::2])
    assert area == pytest.approx((1 + pairs.mean()) / 2, rel=1e-14)


def test_the_area_counts_ties_half():
    posterior = np.full((4, 2), 0.5)
    assert metrics.auc(posterior, np.array([0, 1, 0, 1], dtype=np.int32), np.ones(4)) == 0.5


def test_the_area_is_not_a_number_where_only_one_class_is_present():
    posterior = np.array([[0.5, 0.5], [0.2, 0.8]])
    assert np.isnan(metrics.auc(posterior, np.array([1, 1], dtype=np.int32), np.ones(2)))


def test_a_probability_of_zero_for_the_right_class_costs_a_finite_loss():
    posterior = np.array([[1.0, 0.0]])
    assert metrics.log_loss(posterior, np.array([1], dtype=np.int32), np.ones(1)) == pytest.approx(-np.log(1e-15))


def test_the_first_of_equally_probable_classes_is_the_predicted_one() -> None:
    posterior = np.array([[0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]])  # 0.1 + 0.2 is not 0.3 to the last digit
    assert metrics.accuracy(posterior, np.zeros(2, dtype=np.int32), np.ones(2)) == 1.0
