import numpy as np
import pytest

from suffice.solve.logistic.penalty import Penalty

STRENGTH = np.array([0.0, 1.0, 2.5, 0.3])
every_class_count = pytest.mark.parametrize("classes", [2, 3, 5])


def random_weights(classes, seed=0):
    return np.random.default_rng(seed).normal(size=(classes - 1, len(STRENGTH)))


def test_with_two_classes_it_is_half_the_sum_of_squares():
    weights = random_weights(2)
    assert Penalty(STRENGTH, 2).value(weights) == pytest.approx(0.5 * float(STRENGTH @ weights[0] ** 2), rel=1e-14)


@pytest.mark.parametrize("classes", [3, 5])
def test_with_more_it_is_that_of_all_centred_weights(classes):
    weights = random_weights(classes)
    every = np.vstack([weights, np.zeros(len(STRENGTH))])
    expected = 0.5 * float((STRENGTH * (every - every.mean(axis=0)) ** 2).sum())
    assert Penalty(STRENGTH, classes).value(weights) == pytest.approx(expected, rel=1e-13)


@every_class_count
def test_it_does_not_depend_on_the_reference_class(classes):
    penalty, weights = Penalty(STRENGTH, classes), random_weights(classes)
    every = np.insert(weights, 1, 0.0, axis=0)
    for reference in range(classes):
        against = np.delete(every - every[reference], reference, axis=0)
        assert penalty.value(against) == pytest.approx(penalty.value(weights), rel=1e-12)


@every_class_count
def test_its_gradient_and_hessian_are_the_slopes_of_what_is_below_them(classes):
    penalty, weights, size = Penalty(STRENGTH, classes), random_weights(classes), (classes - 1) * len(STRENGTH)
    hessian = penalty.add_hessian(np.zeros((size, size)))
    for direction in np.eye(size).reshape(size, *weights.shape):
        slope = (penalty.value(weights + 1e-4 * direction) - penalty.value(weights - 1e-4 * direction)) / 2e-4
        assert slope == pytest.approx(float((penalty.gradient(weights) * direction).sum()), abs=1e-9)
        np.testing.assert_allclose(hessian @ direction.ravel(), penalty.gradient(direction).ravel(), atol=1e-14)


@every_class_count
def test_its_hessian_is_added_to_another_which_stays_as_it_was(classes):
    size = (classes - 1) * len(STRENGTH)
    before = np.random.default_rng(0).normal(size=(size, size))
    kept = before.copy()
    added = Penalty(STRENGTH, classes).add_hessian(before) - before
    np.testing.assert_array_equal(before, kept)
    np.testing.assert_allclose(added, Penalty(STRENGTH, classes).add_hessian(np.zeros((size, size))), atol=1e-15)
