import numpy as np
import pytest

from suffice.errors import ForgetError
from suffice.statistics.moments.matrix_moments import MatrixMoments
from suffice.statistics.moments.pairwise_moments import PairwiseMoments


def random_rows(rows=120, dimensions=4, classes=2, offset=0.0, seed=0):
    random = np.random.default_rng(seed)
    x = offset + random.normal(size=(rows, dimensions)) @ random.normal(size=(dimensions, dimensions))
    x[random.random(x.shape) < 0.3] = np.nan
    return x, random.integers(0, classes, rows).astype(np.int32), random.random(rows)


def slow_moments(x, row_classes, weights, classes):
    weights = np.ones(len(x)) if weights is None else weights
    moments = PairwiseMoments.empty(classes, x.shape[1])
    for k in range(classes):
        for i in range(x.shape[1]):
            for j in range(x.shape[1]):
                rows = (row_classes == k) & ~np.isnan(x[:, i]) & ~np.isnan(x[:, j])
                w = weights[rows]
                if w.sum() > 0:
                    first, second = np.average(x[rows, i], weights=w), np.average(x[rows, j], weights=w)
                    moments.weight[k, i, j] = w.sum()
                    moments.mean[k, i, j] = first
                    moments.scatter[k, i, j] = (w * (x[rows, i] - first) * (x[rows, j] - second)).sum()
    return moments


def assert_close(found, expected, atol=1e-10):
    for name in ("weight", "mean", "scatter"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-9, atol=atol, err_msg=name)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_each_pair_has_the_moments_of_the_rows_that_know_both(is_weighted, offset):
    x, classes, weights = random_rows(offset=offset)
    chosen = weights if is_weighted else None
    expected = slow_moments(x, classes, chosen, 2)
    assert_close(PairwiseMoments.of(x, classes, chosen, 2), expected, atol=1e-10 * max(offset, 1.0))


def test_a_pair_that_no_row_knows_has_nothing():
    x = np.array([[1.0, np.nan], [np.nan, 2.0]])
    found = PairwiseMoments.of(x, np.zeros(2, dtype=np.int32), None, 1)
    assert found.weight[0].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert found.mean[0].tolist() == [[1.0, 0.0], [0.0, 2.0]]


def test_complete_rows_have_the_same_moments_in_every_pair():
    random = np.random.default_rng(1)
    x, classes = random.normal(size=(30, 2)), np.zeros(30, dtype=np.int32)
    moments = MatrixMoments.of(x, classes, None, 2)
    spread_out = np.full((30, 3), np.nan)
    spread_out[:, [0, 2]] = x
    found = PairwiseMoments.of_complete(moments, np.array([0, 2]), 3)
    assert_close(found, slow_moments(spread_out, classes, None, 2))


def test_merging_equals_measuring_all_rows():
    x, classes, weights = random_rows()
    first = PairwiseMoments.of(x[:20], classes[:20], weights[:20], 2)
    second = PairwiseMoments.of(x[20:], classes[20:], weights[20:], 2)
    assert_close(first.merge(second), slow_moments(x, classes, weights, 2))


def test_taking_rows_out_runs_the_merge_backwards():
    x, classes, weights = random_rows()
    whole = PairwiseMoments.of(x, classes, weights, 2)
    left = whole.without(PairwiseMoments.of(x[:20], classes[:20], weights[:20], 2), 4)
    assert_close(left, slow_moments(x[20:], classes[20:], weights[20:], 2))


def test_an_indicator_that_no_row_has_any_more_is_exactly_zero():
    random = np.random.default_rng(2)
    x = np.column_stack([random.normal(size=40), np.zeros(40)])
    x[0, 1] = 1.0
    x[5:9, 1] = np.nan
    classes = np.zeros(40, dtype=np.int32)
    left = PairwiseMoments.of(x, classes, None, 1).without(PairwiseMoments.of(x[:1], classes[:1], None, 1), 1)
    assert not left.mean[0, 1].any()
    assert not left.scatter[0, 1].any()
    assert_close(left, slow_moments(x[1:], classes[1:], None, 1))


def test_more_rows_than_there_are_cannot_be_taken_out():
    x, classes, weights = random_rows()
    part = PairwiseMoments.of(x[:20], classes[:20], weights[:20], 2)
    with pytest.raises(ForgetError, match="negative counts"):
        part.without(PairwiseMoments.of(x, classes, weights, 2), 4)


def test_picked_classes_are_empty_where_there_were_none():
    x, classes, weights = random_rows()
    whole = PairwiseMoments.of(x, classes, weights, 2)
    picked = whole.pick_classes(np.array([-1, 0], dtype=np.int32))
    assert not picked.weight[0].any()
    np.testing.assert_array_equal(picked.scatter[1], whole.scatter[0])
