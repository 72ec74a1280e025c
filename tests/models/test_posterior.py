import numpy as np
import pytest

from suffice.models.posterior import log_softmax, softmax

INFINITE = np.inf


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_shares_are_powers_of_e_that_add_up_to_one(classes):
    scores = np.random.default_rng(classes).normal(0.0, 20.0, (200, classes))
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    found, impossible = softmax(scores)
    np.testing.assert_allclose(found, powers / powers.sum(axis=1, keepdims=True), rtol=1e-14)
    np.testing.assert_allclose(np.exp(log_softmax(scores)[0]), found, rtol=1e-12)
    assert impossible == 0


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([-INFINITE, -INFINITE], None),
        ([np.nan, 0.0], None),
        ([0.0, np.nan], None),
        ([INFINITE, 0.0], None),
        ([INFINITE, INFINITE], None),
        ([-INFINITE, 3.0], [0.0, 1.0]),
        ([3.0, -INFINITE], [1.0, 0.0]),
        ([1e300, 1e300], [0.5, 0.5]),
        ([0.0, -1e300], [1.0, 0.0]),
    ],
)
def test_a_row_that_is_impossible_in_both_classes_gets_what_is_given_instead(scores, expected):
    for others in ([], [-INFINITE]):  # a third class that is impossible changes nothing
        instead = np.array([0.2, 0.8] + [0.0] * len(others))
        found, impossible = softmax(np.array([[*scores, *others]]), instead)
        assert impossible == (expected is None)
        assert found[0, :2].tolist() == ([0.2, 0.8] if expected is None else expected)


@pytest.mark.parametrize("classes", [2, 3])
def test_shares_may_take_the_place_of_the_scores(classes):
    scores = np.random.default_rng(0).normal(size=(50, classes))
    expected, _ = softmax(scores.copy())
    found, _ = softmax(scores, out=scores)
    assert found is scores
    np.testing.assert_array_equal(found, expected)
