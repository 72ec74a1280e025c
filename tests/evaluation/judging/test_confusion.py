from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from suffice.evaluation.judging.confusion import Confusion
from suffice.evaluation.judging.intervals import Estimate

Rows = tuple[np.ndarray, np.ndarray, np.ndarray, int]


def random_rows(seed: int, classes: int, count: int) -> Rows:
    """Classes of which some may be absent, from the truth, the predictions or both."""
    random = np.random.default_rng(seed)
    truth, predicted = (
        random.choice(random.permutation(classes)[: random.integers(1, classes + 1)], count) for _ in range(2)
    )
    return truth, predicted, random.integers(1, 6, count) / 2, classes


rows = st.builds(random_rows, st.integers(0, 2**32 - 1), st.integers(2, 5), st.integers(1, 40))


def values(estimates: list[Estimate]) -> list[float]:
    return [estimate.value for estimate in estimates]


@settings(max_examples=60, deadline=None)
@given(rows)
def test_shares_are_those_of_scikit_learn(given_rows: Rows) -> None:
    truth, predicted, weights, classes = given_rows
    confusion = Confusion.of(truth, predicted, weights, classes)
    labels = list(range(classes))
    expected = metrics.confusion_matrix(truth, predicted, labels=labels, sample_weight=weights)
    np.testing.assert_allclose(confusion.weight, expected)
    assert confusion.accuracy.value == pytest.approx(metrics.accuracy_score(truth, predicted, sample_weight=weights))
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        truth, predicted, labels=labels, sample_weight=weights, zero_division=np.nan
    )
    np.testing.assert_allclose(values(confusion.precision), precision)
    np.testing.assert_allclose(values(confusion.recall), recall)
    np.testing.assert_allclose(values(confusion.f1), f1)
    assert confusion.mean_f1.value == pytest.approx(np.nanmean(f1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes that are absent
        balanced = metrics.balanced_accuracy_score(truth, predicted, sample_weight=weights)
        mean_precision = metrics.precision_score(truth, predicted, sample_weight=weights, average="macro")
    assert confusion.balanced_accuracy.value == pytest.approx(balanced)
    assert confusion.mean_precision.value == pytest.approx(mean_precision)


def test_the_precision_of_a_class_that_is_never_predicted_is_unknown_and_counts_as_0_in_the_mean() -> None:
    confusion = Confusion(np.array([[3.0, 0.0], [1.0, 0.0]]), np.array([[3.0, 0.0], [1.0, 0.0]]))
    assert np.isnan(confusion.precision[1].value)
    assert confusion.mean_precision.value == 0.375
    assert confusion.mean_precision.high > 0.8  # it might have been right, had it ever been said


@settings(max_examples=60, deadline=None)
@given(rows)
def test_every_number_lies_in_its_interval_and_the_interval_between_0_and_1(given_rows: Rows) -> None:
    confusion = Confusion.of(*given_rows)
    overall = [confusion.accuracy, confusion.balanced_accuracy, confusion.mean_precision, confusion.mean_f1]
    for estimate in [*overall, *confusion.precision, *confusion.recall, *confusion.f1]:
        if not np.isnan(estimate.value):
            assert -1e-9 <= estimate.low <= estimate.value + 1e-9
            assert estimate.value - 1e-9 <= estimate.high <= 1 + 1e-9


@settings(max_examples=30, deadline=None)
@given(rows)
def test_weights_that_are_all_the_same_change_no_interval(given_rows: Rows) -> None:
    truth, predicted, _, classes = given_rows
    one, three = (Confusion.of(truth, predicted, np.full(len(truth), weight), classes) for weight in (1.0, 3.0))
    for name in ("accuracy", "balanced_accuracy", "mean_f1"):
        first, second = getattr(one, name), getattr(three, name)
        assert (first.low, first.high) == pytest.approx((second.low, second.high), nan_ok=True)


TRUE = np.array([[0.25, 0.06, 0.02], [0.05, 0.20, 0.02], [0.05, 0.05, 0.30]])  # P(true class, predicted class)
DIAGONAL = np.diag(TRUE)
OF_EITHER = TRUE.sum(axis=0) + TRUE.sum(axis=1)


@pytest.fixture(scope="module")
def samples() -> list[Confusion]:
    """What is counted in 600 samples of 120 rows each."""
    random = np.random.default_rng(1)
    drawn = (random.choice(9, 120, p=TRUE.ravel()) for _ in range(600))
    return [Confusion.of(cells // 3, cells % 3, np.ones(120), 3) for cells in drawn]


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        ("accuracy", DIAGONAL.sum()),
        ("balanced_accuracy", (DIAGONAL / TRUE.sum(axis=1)).mean()),
        ("mean_precision", (DIAGONAL / TRUE.sum(axis=0)).mean()),
        ("mean_f1", (2 * DIAGONAL / OF_EITHER).mean()),
    ],
)
def test_intervals_hold_the_truth_95_times_in_100(samples: list[Confusion], name: str, truth: float) -> None:
    estimates = [getattr(confusion, name) for confusion in samples]
    assert 0.925 <= np.mean([estimate.low <= truth <= estimate.high for estimate in estimates]) <= 0.98


def test_the_interval_of_one_class_holds_its_f1_95_times_in_100(samples: list[Confusion]) -> None:
    estimates = [confusion.f1 for confusion in samples]
    for k, truth in enumerate(2 * DIAGONAL / OF_EITHER):
        assert 0.925 <= np.mean([own[k].low <= truth <= own[k].high for own in estimates]) <= 0.98, k
