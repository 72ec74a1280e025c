import numpy as np
import pytest

from suffice.errors import SettingError
from suffice.solve.probabilities import class_priors, require_smoothing, smoothed

PLAY = np.array([[3.0, 2.0], [0.0, 4.0], [2.0, 3.0]])  # outlook of PlayTennis: Sunny, Overcast, Rain × No, Yes


def test_without_smoothing_probabilities_are_shares():
    np.testing.assert_allclose(smoothed(PLAY, 0.0).probability, [[3 / 5, 2 / 9], [0, 4 / 9], [2 / 5, 3 / 9]])


def test_laplace_adds_one_to_every_level():
    found = smoothed(PLAY, 1.0)
    np.testing.assert_allclose(found.probability, [[4 / 8, 3 / 12], [1 / 8, 5 / 12], [3 / 8, 4 / 12]])
    assert found.numerator[1].tolist() == [1.0, 5.0]
    assert found.denominator.tolist() == [8.0, 12.0]


def test_any_strength_adds_it_to_every_level():
    np.testing.assert_allclose(smoothed(PLAY, 0.5).probability[1], [0.5 / 6.5, 4.5 / 10.5])


def test_the_m_estimate_adds_m_times_the_levels_overall_share():
    found = smoothed(PLAY, 2.0, "marginal").probability
    np.testing.assert_allclose(found[:, 0], [(3 + 2 * 5 / 14) / 7, (0 + 2 * 4 / 14) / 7, (2 + 2 * 5 / 14) / 7])
    np.testing.assert_allclose(found[:, 1], [(2 + 2 * 5 / 14) / 11, (4 + 2 * 4 / 14) / 11, (3 + 2 * 5 / 14) / 11])


@pytest.mark.parametrize("prior", ["uniform", "marginal"])
@pytest.mark.parametrize("smoothing", [0.0, 0.3, 1.0])
def test_the_levels_of_a_class_add_up_to_one_even_where_it_knows_no_value(prior, smoothing):
    counts = np.column_stack([PLAY, np.zeros(3)])
    np.testing.assert_allclose(smoothed(counts, smoothing, prior).probability.sum(axis=0), 1.0)


def test_a_class_that_knows_no_value_takes_the_overall_shares():
    counts = np.column_stack([PLAY, np.zeros(3)])
    np.testing.assert_allclose(smoothed(counts, 0.0).probability[:, 2], [5 / 14, 4 / 14, 5 / 14])
    np.testing.assert_allclose(smoothed(counts, 2.0, "marginal").probability[:, 2], [5 / 14, 4 / 14, 5 / 14])
    np.testing.assert_allclose(smoothed(counts, 1.0).probability[:, 2], 1 / 3)


@pytest.mark.parametrize("prior", ["uniform", "marginal"])
@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_a_column_that_nobody_knows_gives_numbers_and_no_warning(recwarn, prior, smoothing):
    assert np.isfinite(smoothed(np.zeros((2, 2)), smoothing, prior).probability).all()
    assert smoothed(np.zeros((0, 2)), smoothing, prior).probability.shape == (0, 2)
    assert not recwarn.list


def test_smoothing_leaves_the_counts_alone():
    before = PLAY.copy()
    smoothed(PLAY, 1.0)
    np.testing.assert_array_equal(PLAY, before)


WEIGHT, CLASSES = np.array([5.0, 9.0]), ("No", "Yes")


def test_priors_are_the_classes_shares_of_the_rows():
    np.testing.assert_allclose(class_priors(WEIGHT, CLASSES), [5 / 14, 9 / 14])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("uniform", [0.5, 0.5]),
        ([0.2, 0.8], [0.2, 0.8]),
        (np.array([0.0, 1.0]), [0.0, 1.0]),
        ({"Yes": 0.3, "No": 0.7}, [0.7, 0.3]),
    ],
)
def test_priors_can_be_given_in_three_ways(given, expected):
    np.testing.assert_allclose(class_priors(WEIGHT, CLASSES, given), expected)


def test_text_names_the_class_of_a_prior_that_is_a_number():
    np.testing.assert_allclose(class_priors(WEIGHT, (0, 1), {"0": 0.3, "1": 0.7}), [0.3, 0.7])


def test_given_priors_add_up_to_exactly_one():
    assert class_priors(WEIGHT, CLASSES, [1 / 3, 2 / 3 + 1e-9]).sum() == 1.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("equal", "priors='equal' is not known"),
        ({"No": 1.0}, "no entry for the class 'Yes'"),
        ({"No": 0.4, "Yes": 0.6, "no": 0.1}, r"There is no class 'no' for `priors`\. Did you mean 'No'\?"),
        ([1.0], "one number for each of the 2 classes"),
        ([0.5, 0.2, 0.3], "one number for each of the 2 classes"),
        ([0.5, 0.6], r"add up to 1; these add up to 1\.1"),
        ([-0.5, 1.5], "at least 0"),
        ([np.nan, 1.0], "at least 0"),
    ],
)
def test_priors_that_cannot_be_used_are_explained(given, message):
    with pytest.raises(SettingError, match=message):
        class_priors(WEIGHT, CLASSES, given)


@pytest.mark.parametrize("smoothing", [0, 0.5, 3, np.float64(1.0), np.int64(2), np.float32(0.5)])
def test_any_number_from_zero_is_a_smoothing(smoothing):
    require_smoothing(smoothing, "uniform")


@pytest.mark.parametrize("smoothing", [-1, np.nan, np.inf, "1", None, True])
def test_other_values_are_no_smoothing(smoothing):
    with pytest.raises(SettingError, match="smoothing must be a number of at least 0"):
        require_smoothing(smoothing, "uniform")


def test_an_unknown_smoothing_prior_lists_the_known_ones():
    with pytest.raises(SettingError, match="must be one of 'uniform', 'marginal', not 'flat'"):
        require_smoothing(1.0, "flat")
