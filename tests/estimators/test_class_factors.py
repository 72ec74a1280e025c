import numpy as np
import pytest

from suffice.errors import SettingError
from suffice.estimators.class_factors import class_factors


def test_balanced_classes_weigh_the_same():
    weight = np.array([90.0, 10.0, 50.0])
    factors = class_factors("balanced", ("a", "b", "c"), weight)
    np.testing.assert_allclose(factors * weight, 50.0)


def test_a_class_without_rows_does_not_matter_to_balance():
    np.testing.assert_allclose(
        class_factors("balanced", ("a", "b", "c"), np.array([30.0, 0.0, 10.0]))[[0, 2]], [2 / 3, 2]
    )


def test_classes_that_are_not_named_count_once():
    assert class_factors({"b": 2.5}, ("a", "b"), np.ones(2)).tolist() == [1.0, 2.5]
    assert class_factors({}, ("a", "b"), np.ones(2)).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("value", ["fair", 3, [1, 2], None])
def test_something_else_is_an_error(value):
    with pytest.raises(SettingError, match="class_weight must be None, 'balanced' or a mapping"):
        class_factors(value, ("a", "b"), np.ones(2))


def test_an_unknown_class_is_an_error_that_names_the_known_ones():
    with pytest.raises(SettingError, match=r"There is no class 'c' for `class_weight`\. The classes are 'a', 'b'"):
        class_factors({"c": 1.0}, ("a", "b"), np.ones(2))


def test_text_stands_for_the_number_that_it_spells():
    assert class_factors({"1": 3}, (0, 1), np.ones(2)).tolist() == [1.0, 3.0]


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_an_error(value):
    with pytest.raises(SettingError, match="class_weight must hold numbers of at least 0"):
        class_factors({"a": value}, ("a", "b"), np.ones(2))
