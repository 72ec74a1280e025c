import numpy as np
import pytest

from suffice.statistics.moments import standard_units
from suffice.statistics.moments.standard_units import standardise, unstandardise


@pytest.mark.parametrize("cells", [1, 20, 1 << 16])
@pytest.mark.parametrize("shape", [(7, 7), (3, 7, 7), (0, 0), (1, 1)])
def test_run_by_run_it_is_the_outer_product_of_the_units(monkeypatch, cells, shape):
    monkeypatch.setattr(standard_units, "RUN_CELLS", cells)
    random = np.random.default_rng(0)
    matrices, scale = random.normal(size=shape), random.random(shape[-1])
    np.testing.assert_array_equal(standardise(matrices.copy(), scale), matrices / np.outer(scale, scale))
    np.testing.assert_array_equal(unstandardise(matrices.copy(), scale), matrices * np.outer(scale, scale))


def test_the_matrix_itself_is_changed():
    matrix = np.array([[4.0, 3.0], [3.0, 9.0]])
    assert standardise(matrix, np.array([2.0, 3.0])) is matrix
    assert matrix.tolist() == [[1.0, 0.5], [0.5, 1.0]]
