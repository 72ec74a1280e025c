import numpy as np
import pytest

from suffice.errors import ForgetError
from suffice.statistics.moments.matrix_moments import BLOCK_ROWS, MatrixMoments, settled


def random_rows(rows, dimensions=4, classes=3, offset=0.0, seed=0):
    random = np.random.default_rng(seed)
    x = offset + random.normal(size=(rows, dimensions)) @ random.normal(size=(dimensions, dimensions))
    return x, random.integers(0, classes, rows).astype(np.int32), random.random(rows)


def slow_moments(x, row_classes, weights, classes):
    weights = np.ones(len(x)) if weights is None else weights
    moments = MatrixMoments.empty(classes, x.shape[1])
    for k in range(classes):
        own, w = x[row_classes == k], weights[row_classes == k]
        moments.weight[k] = w.sum()
        if w.sum() > 0:
            moments.mean[k] = np.average(own, axis=0, weights=w)
            for weight, row in zip(w, own, strict=True):
                moments.scatter[k] += weight * np.outer(row - moments.mean[k], row - moments.mean[k])
    return moments


def assert_close(found, expected, rtol=1e-10, atol=1e-10):
    for name in ("weight", "mean", "scatter"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=rtol, atol=atol, err_msg=name)


@pytest.mark.parametrize("rows", [0, 1, 50, 2 * BLOCK_ROWS + 7])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_moments_are_those_of_the_textbook_formula(rows, is_weighted):
    x, classes, weights = random_rows(rows)
    chosen = weights if is_weighted else None
    assert_close(MatrixMoments.of(x, classes, chosen, 3), slow_moments(x, classes, chosen, 3))


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_means_that_move_from_block_to_block_and_classes_that_come_late_change_nothing(offset, is_weighted):
    x, classes, weights = random_rows(3 * BLOCK_ROWS + 11, classes=2)
    x[:, 0] = np.sort(x[:, 0])  # the means of a column move all the time
    classes[2 * BLOCK_ROWS + 5 :] = 2  # nothing is known of a class until its rows come
    weights = weights if is_weighted else None
    found, expected = MatrixMoments.of(x + offset, classes, weights, 3), slow_moments(x, classes, weights, 3)
    np.testing.assert_allclose(found.weight, expected.weight)
    np.testing.assert_allclose(found.mean - offset, expected.mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.scatter, expected.scatter, rtol=1e-7, atol=1e-7 * expected.scatter.max())


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [3, 2 * BLOCK_ROWS + 7])
def test_a_number_that_is_missing_or_infinite_shows_in_the_means(value, row):
    x, classes, _ = random_rows(3 * BLOCK_ROWS)
    x[row, 1] = value
    with np.errstate(invalid="ignore"):
        assert not np.isfinite(MatrixMoments.of(x, classes, None, 3).mean).all()


def test_rows_far_from_zero_keep_their_covariance():
    x, classes, _ = random_rows(BLOCK_ROWS + 100)
    near, far = MatrixMoments.of(x, classes, None, 3), MatrixMoments.of(x + 1e7, classes, None, 3)
    np.testing.assert_allclose(far.scatter, near.scatter, rtol=1e-6, atol=1e-6 * near.scatter.max())
    np.testing.assert_allclose(far.mean - 1e7, near.mean, atol=1e-8)


def test_the_mean_of_equal_rows_is_exact_even_beside_an_outlier():
    x = np.full((3000, 2), 1e9 + 0.1)
    x[0] = -1e18
    found = MatrixMoments.of(x, np.array([0] + [1] * 2999, dtype=np.int32), None, 2)
    assert found.mean[1].tolist() == [1e9 + 0.1] * 2
    assert not found.scatter[1].any()


def test_columns_that_are_not_contiguous_are_measured_too():
    x, classes, weights = random_rows(60)
    expected = slow_moments(x[:, ::2], classes, weights, 3)
    assert_close(MatrixMoments.of(x[:, ::2], classes, weights, 3), expected)
    assert_close(MatrixMoments.of(np.asfortranarray(x[:, ::2]), classes, weights, 3), expected)


@pytest.mark.parametrize("rows", [5, 3 * BLOCK_ROWS])
def test_rows_without_dimensions_still_have_a_weight(rows):
    found = MatrixMoments.of(np.empty((rows, 0)), np.zeros(rows, dtype=np.int32), None, 2)
    assert found.weight.tolist() == [rows, 0.0]


def test_picked_classes_and_dimensions_are_empty_where_there_were_none():
    x, classes, weights = random_rows(40)
    moments = MatrixMoments.of(x, classes, weights, 3)
    picked = moments.pick_classes(np.array([2, -1], dtype=np.int32)).pick_dimensions(
        np.array([-1, 3, 0], dtype=np.int32)
    )
    own = moments.scatter[2]
    assert picked.weight.tolist() == [moments.weight[2], 0.0]
    assert picked.mean[0].tolist() == [0.0, moments.mean[2, 3], moments.mean[2, 0]]
    np.testing.assert_array_equal(picked.scatter[0], [[0, 0, 0], [0, own[3, 3], own[3, 0]], [0, own[0, 3], own[0, 0]]])
    assert not picked.scatter[1].any()


def test_taking_rows_out_runs_the_merge_backwards():
    x, classes, weights = random_rows(200, offset=10.0)
    kept = np.arange(200) >= 30
    whole, removed = (
        MatrixMoments.of(x, classes, weights, 3),
        MatrixMoments.of(x[~kept], classes[~kept], weights[~kept], 3),
    )
    assert_close(whole.without(removed, 4), MatrixMoments.of(x[kept], classes[kept], weights[kept], 3), rtol=1e-9)


def test_an_indicator_that_no_row_has_any_more_is_exactly_zero():
    random = np.random.default_rng(3)
    x = np.column_stack([random.normal(size=300), random.random(300) < 0.3, np.ones(300)])
    x[1:, 2] = 0.0
    classes = np.zeros(300, dtype=np.int32)
    whole = MatrixMoments.of(x, classes, None, 1)
    left = whole.without(MatrixMoments.of(x[:1], classes[:1], None, 1), 1)
    assert left.mean[0, 2] == 0.0
    assert not left.scatter[0, 2].any()
    assert not left.scatter[0, :, 2].any()
    assert_close(left, MatrixMoments.of(x[1:], classes[1:], None, 1))


def test_an_indicator_that_every_row_has_from_now_on_is_exactly_one():
    x = np.array([[0.0], [1.0], [1.0]])
    classes = np.zeros(3, dtype=np.int32)
    left = MatrixMoments.of(x, classes, None, 1).without(MatrixMoments.of(x[:1], classes[:1], None, 1), 0)
    assert (left.weight[0], left.mean[0, 0], left.scatter[0, 0, 0]) == (2.0, 1.0, 0.0)


def test_a_level_that_no_row_of_the_class_has_cannot_be_taken_out():
    x = np.array([[0.0], [0.0], [0.0]])
    classes = np.zeros(3, dtype=np.int32)
    with pytest.raises(ForgetError, match="never in the model"):
        MatrixMoments.of(x, classes, None, 1).without(MatrixMoments.of(x[:1] + 1, classes[:1], None, 1), 0)


def test_indicators_between_zero_and_one_are_left_as_they_are():
    mean, is_constant = settled(np.array([[0.25, 1e-17, 1 - 1e-16]]), np.array([[4.0]]), np.array([[8.0]]))
    assert mean.tolist() == [[0.25, 0.0, 1.0]]
    assert is_constant.tolist() == [[False, True, True]]


@pytest.mark.parametrize("rows", [7, 1000, BLOCK_ROWS + 9])
def test_a_column_without_variation_has_no_negative_squares(rows):
    constants = np.array([0.1, 1 / 3, -1e9 + 0.1, 7e-300, 1e12 / 7])
    x = np.tile(constants, (rows, 1))
    weights = np.random.default_rng(0).random(rows)
    for own in (None, weights):
        found = MatrixMoments.of(x, np.arange(rows, dtype=np.int32) % 2, own, 2)
        assert (found.squares >= 0).all()
        assert (found.squares <= rows * (2 * np.spacing(constants)) ** 2).all()
