import numpy as np
import pytest

from suffice.solve.symmetric import SymmetricInverse


def random_matrix(size=6, rank=None, seed=0):
    factor = np.random.default_rng(seed).normal(size=(size, rank or size))
    return factor @ factor.T


def test_a_well_posed_matrix_has_its_inverse():
    matrix = random_matrix()
    found = SymmetricInverse.of(matrix)
    np.testing.assert_allclose(found.matrix(), np.linalg.inv(matrix), rtol=1e-9)
    vector = np.arange(6.0)
    np.testing.assert_allclose(found.times(vector), np.linalg.solve(matrix, vector), rtol=1e-9)
    assert found.null_space.shape == (6, 0)


@pytest.mark.parametrize("rank", [1, 3, 5])
def test_a_singular_matrix_is_inverted_where_it_is_not_flat(rank):
    matrix = random_matrix(rank=rank)
    found = SymmetricInverse.of(matrix)
    inverse = found.matrix()
    np.testing.assert_allclose(matrix @ inverse @ matrix, matrix, rtol=1e-8, atol=1e-9)
    assert found.null_space.shape == (6, 6 - rank)
    np.testing.assert_allclose(matrix @ found.null_space, 0.0, atol=1e-8)


def test_what_can_be_solved_is_solved_although_the_matrix_is_singular():
    matrix = random_matrix(rank=4)
    wanted = matrix @ np.arange(6.0)
    np.testing.assert_allclose(matrix @ SymmetricInverse.of(matrix).times(wanted), wanted, rtol=1e-9)


@pytest.mark.parametrize("rank", [6, 4])
def test_units_of_1e12_beside_1e_12_lose_no_digits(rank):
    units = np.array([1e12, 1e-12, 1.0, 1e6, 1e-6, 1e12])
    matrix = random_matrix(rank=rank)
    found, scaled = SymmetricInverse.of(matrix), SymmetricInverse.of(matrix * units[:, None] * units)
    assert scaled.null_space.shape == found.null_space.shape
    np.testing.assert_allclose(scaled.matrix() * units[:, None] * units, found.matrix(), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(matrix @ (units[:, None] * scaled.null_space), 0.0, atol=1e-8)


def test_a_dimension_of_zeros_is_flat_and_leaves_the_others_alone():
    matrix = np.zeros((4, 4))
    matrix[np.ix_([0, 2], [0, 2])] = [[2.0, 1.0], [1.0, 2.0]]
    found = SymmetricInverse.of(matrix)
    inverse = found.matrix()
    np.testing.assert_allclose(inverse[np.ix_([0, 2], [0, 2])], np.array([[2.0, -1.0], [-1.0, 2.0]]) / 3, rtol=1e-12)
    assert not inverse[[1, 3]].any()
    assert found.null_space.shape == (4, 2)
    assert not found.null_space[[0, 2]].any()


def test_a_matrix_of_zeros_is_all_flat():
    found = SymmetricInverse.of(np.zeros((3, 3)))
    assert found.null_space.shape == (3, 3)
    assert not found.matrix().any()


def test_a_matrix_without_dimensions_has_an_inverse_without_any():
    assert SymmetricInverse.of(np.zeros((0, 0))).matrix().shape == (0, 0)


def test_two_identical_dimensions_share_one_flat_direction():
    matrix = np.array([[2.0, 2.0, 1.0], [2.0, 2.0, 1.0], [1.0, 1.0, 3.0]])
    flat = SymmetricInverse.of(matrix).null_space
    assert flat.shape == (3, 1)
    np.testing.assert_allclose(flat[:, 0] / flat[0, 0], [1.0, -1.0, 0.0], atol=1e-9)


def test_several_vectors_are_solved_at_once():
    matrix, vectors = random_matrix(), np.random.default_rng(1).normal(size=(6, 3))
    np.testing.assert_allclose(SymmetricInverse.of(matrix).times(vectors), np.linalg.solve(matrix, vectors), rtol=1e-8)
