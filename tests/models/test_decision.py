"""Decisions by thresholds and costs: against Bayes' rule written out, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import suffice as sf
from suffice.cli.wording import in_options
from suffice.errors import SettingError
from suffice.models.decision import Decision


def posteriors(classes: int) -> st.SearchStrategy[np.ndarray]:
    """Up to twenty rows; where the weights of the classes are few, many are equal."""

    def random_rows(seed: int, rows: int, most: int) -> np.ndarray:
        weights = np.random.default_rng(seed).integers(1, most, (rows, classes), endpoint=True)
        return weights / weights.sum(axis=1, keepdims=True)

    return st.builds(random_rows, st.integers(0, 2**32 - 1), st.integers(1, 20), st.sampled_from([50, 4, 1]))


@given(posteriors(3), st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_no_other_class_has_a_lower_expected_cost(posterior: np.ndarray, prices: list[int]) -> None:
    classes = ("a", "b", "c")
    pairs = [(truth, answer) for truth in classes for answer in classes if truth != answer]
    costs = dict(zip(pairs, prices, strict=True))
    for row, chosen in zip(posterior, sf.decide(posterior, classes, costs=costs), strict=True):
        expected = {
            answer: sum(p * costs.get((truth, answer), 0) for truth, p in zip(classes, row, strict=True))
            for answer in classes
        }
        assert expected[chosen] <= min(expected.values()) + 1e-9


@given(posteriors(2), st.integers(1, 9), st.integers(1, 9))
def test_two_costs_are_a_threshold(posterior: np.ndarray, missed: int, alarm: int) -> None:
    by_cost = sf.decide(posterior, ["no", "yes"], costs={"false negative": missed, "false positive": alarm})
    threshold = alarm / (alarm + missed)
    by_threshold = sf.decide(posterior, ["no", "yes"], threshold=threshold)
    is_clear = np.abs(posterior[:, 1] - threshold) > 1e-9  # on the threshold itself costs are equal
    np.testing.assert_array_equal(by_cost[is_clear], by_threshold[is_clear])


@given(posteriors(4))
def test_equal_costs_choose_the_most_probable_class(posterior: np.ndarray) -> None:
    plain = Decision.of((0, 1, 2, 3)).codes(posterior)
    np.testing.assert_array_equal(plain, Decision.of((0, 1, 2, 3), costs={(0, 1): 1}).codes(posterior))


def test_a_threshold_is_of_the_class_that_is_named_and_reached_by_equals() -> None:
    posterior = [[0.7, 0.3], [0.71, 0.29]]
    assert sf.decide(posterior, ["no", "yes"], threshold=0.1 + 0.2).tolist() == ["yes", "no"]
    assert sf.decide(posterior, ["no", "yes"], threshold={"no": 0.705}).tolist() == ["yes", "no"]
    assert sf.decide([[0.4, 0.6]], [0, 1], threshold={"1": 0.7}).tolist() == [0]  # as a command line spells it


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threshold": 1.5}, "from 0 to 1"),
        ({"threshold": "0.3"}, "from 0 to 1"),
        ({"threshold": {"ja": 0.5}}, "no class 'ja'"),
        ({"threshold": {"no": 0.5, "yes": 0.5}}, "for one of the classes"),
        ({"threshold": 0.5, "costs": {"false negative": 2}}, "Give one of them"),
        ({"costs": {}}, "Costs are named"),
        ({"costs": 5}, "Costs are named"),
        ({"costs": {"false negative": -1}}, "at least 0"),
        ({"costs": {"false negative": float("nan")}}, "at least 0"),
        ({"costs": {("yes", "yse"): 2}}, "Did you mean 'yes'?"),
        ({"costs": {"miss": 2}}, "is no error"),
    ],
)
def test_what_cannot_be_meant_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        sf.decide([[0.4, 0.6]], ["no", "yes"], **settings)


def test_a_threshold_needs_two_classes() -> None:
    with pytest.raises(SettingError, match="here are 3"):
        sf.decide([[0.2, 0.3, 0.5]], ["a", "b", "c"], threshold=0.5)
    with pytest.raises(SettingError, match="a column for each of the 2 classes"):
        sf.decide([[0.2, 0.3, 0.5]], ["a", "b"])
    with pytest.raises(SettingError, match="is not clear"):
        sf.decide([[0.2, 0.3, 0.5]], ["a", "b", "c"], costs={"false negative": 2})


def test_of_three_classes_a_threshold_must_name_one_and_be_a_probability():
    with pytest.raises(SettingError, match=r"Name the class: threshold=\{'c': 0.3\}") as error:
        sf.decide([[0.2, 0.3, 0.5]], ["a", "b", "c"], threshold=0.3)
    assert in_options(error.value).endswith("Name the class: --threshold c=0.3.")
    with pytest.raises(SettingError, match=r"from 0 to 1, not 1\.5"):
        sf.decide([[0.2, 0.3, 0.5]], ["a", "b", "c"], threshold=1.5)
