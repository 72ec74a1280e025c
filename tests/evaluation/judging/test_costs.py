from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.errors import SettingError
from suffice.evaluation.judging.asked_decision import Asked
from suffice.evaluation.judging.confusion import Confusion
from suffice.evaluation.judging.costs import Costs, best_threshold, cost_estimate
from suffice.evaluation.judging.score_tally import ScoreTally


def cost_at(threshold: float, scores: np.ndarray, is_positive: np.ndarray, weights: np.ndarray, costs: Costs) -> float:
    taken = np.where(scores >= threshold, 1, 0)
    return cost_estimate(Confusion.of(is_positive.astype(int), taken, weights, 2), costs.table()).value


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.integers(0, 5), st.integers(1, 5))
def test_no_threshold_costs_less_than_the_best(seed: int, rows: int, wrong: int, missed: int) -> None:
    random, costs = np.random.default_rng(seed), Costs(wrong, missed)
    scores, is_positive = random.integers(0, 11, rows) / 10, random.random(rows) < random.random()
    weights = random.integers(1, 4, rows).astype(float)
    best = cost_at(
        best_threshold(ScoreTally.of(scores, is_positive, weights), costs), scores, is_positive, weights, costs
    )
    tried = [cost_at(t, scores, is_positive, weights, costs) for t in (*np.unique(scores), np.inf)]
    assert best == pytest.approx(min(tried))


def test_the_threshold_lies_between_scores_so_that_rounding_moves_no_row() -> None:
    scores, is_positive = np.array([0.2, 0.6]), np.array([False, True])
    assert best_threshold(ScoreTally.of(scores, is_positive), Costs()) == pytest.approx(0.4)


def test_never_is_infinity_and_always_is_zero() -> None:
    tally = ScoreTally.of(np.array([0.4, 0.6]), np.array([True, False]))
    assert best_threshold(tally, Costs(false_positive=9)) == np.inf
    assert best_threshold(tally, Costs(false_negative=9)) == 0.0


def test_right_probabilities_are_best_cut_where_both_errors_cost_the_same() -> None:
    random = np.random.default_rng(0)
    scores = random.random(200_000)
    costs = Costs(false_positive=1, false_negative=4)
    threshold = best_threshold(ScoreTally.of(scores, random.random(200_000) < scores), costs)
    assert threshold == pytest.approx(1 / (1 + 4), abs=0.03)


@pytest.mark.parametrize(
    ("given_costs", "message"),
    [
        (5, "Costs are named"),
        ({"false negativ": 5}, "is no error"),
        ({"false negative": -1}, "at least 0"),
        ({"false negative": "much"}, "at least 0"),
        ({"false negative": float("nan")}, "at least 0"),
        ({"false negative": 0, "false positive": 0}, "Both errors cost 0"),
    ],
)
def test_costs_that_cannot_be_are_met_with_what_to_do(given_costs: object, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Asked.of((0, 1), costs=given_costs)


def test_costs_speak_of_the_positive_class_or_name_truth_and_prediction() -> None:
    classes = ("benign", "malignant")
    assert Asked.of(classes, costs={"false_negative": 5}).costs == Costs(1.0, 5.0)
    assert Asked.of(classes, positive="benign", costs={"false negative": 5, "false positive": 2}).costs == Costs(2, 5)
    assert Asked.of(classes, costs={("malignant", "benign"): 5}).costs == Costs(1.0, 5.0)
    assert Asked.of(classes, positive="benign", costs={("malignant", "benign"): 5}).costs == Costs(5.0, 1.0)


def test_a_threshold_may_name_its_class_which_is_then_the_positive_one() -> None:
    asked = Asked.of(("no", "yes"), threshold={"no": 0.3})
    assert (asked.positive, asked.threshold) == (0, 0.3)
    assert asked.taken(np.array([[0.3, 0.7], [0.2, 0.8]]), np.zeros(2)).tolist() == [0, 1]
