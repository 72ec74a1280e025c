import numpy as np
import pytest

from suffice.errors import TableError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.pooled import WithinClasses, pooled, pooled_columns
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.moments.matrix_moments import MatrixMoments

RANDOM = np.random.default_rng(0)
X, CLASSES = RANDOM.normal(size=(80, 3)) * [1, 50, 1e-3] + [0, 1e5, 7], RANDOM.integers(0, 2, 80).astype(np.int32)


def moments_of(x):
    schema = Schema(tuple(Numeric(f"x{j}") for j in range(x.shape[1])), Nominal("y", ("a", "b")))
    return Moments.of(Batch(schema, x, np.empty((0, len(x)), dtype=np.int32), CLASSES[: len(x)]))


def part_of(columns, rows):
    found = MatrixMoments.of(np.ascontiguousarray(X[np.ix_(rows, columns)]), CLASSES[rows], None, 2)
    return WithinClasses.of_matrix(np.array(columns), found)


def test_the_overall_variance_is_that_of_all_rows():
    found = pooled_columns(moments_of(X))
    np.testing.assert_allclose(found.mean, X.mean(axis=0))
    np.testing.assert_allclose(found.variance, X.var(axis=0))


def test_parts_of_the_rows_that_know_different_columns_count_for_those_they_know():
    found = pooled([part_of([0, 2], np.arange(50)), part_of([1, 2], np.arange(50, 80))], 4)
    assert found.weight.tolist() == [50.0, 30.0, 80.0, 0.0]
    for column, known in enumerate((X[:50, 0], X[50:, 1], X[:, 2])):
        assert found.mean[column] == pytest.approx(known.mean())
        assert found.variance[column] == pytest.approx(known.var())
    assert found.varies.tolist() == [True, True, True, False]
    assert (found.mean[3], found.variance[3]) == (0.0, 0.0)


def test_the_mean_of_a_class_without_rows_says_nothing():
    weight, mean = np.array([[4.0], [0.0]]), np.array([[0.1], [1e9]])
    found = pooled([WithinClasses(np.array([0]), weight, mean, np.array([[1e-12], [0.0]]))], 1)
    assert found.varies.all()
    assert not found.are_apart.any()


@pytest.mark.parametrize(("size", "said"), [(1e200, "so large"), (1e-200, "so small")])
def test_columns_whose_squares_are_no_numbers_are_named(size, said):
    x = X.copy()
    x[:, 1] *= size
    with np.errstate(over="ignore"), pytest.raises(TableError, match=f"'x1'.*{said}"):
        pooled_columns(moments_of(x))
