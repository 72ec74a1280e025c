import numpy as np
import pytest
from slow_design import random_design, random_rows, schema_of, slow_rows

from suffice.statistics.linear.occurrences import MeasureOccurrences


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_occurrences_are_the_sums_of_squares_of_the_matrix_written_out_in_full(degree, is_weighted):
    schema = schema_of(2, (3, 2))
    design, batch = random_design(schema, degree), random_rows(schema, 150, is_weighted=is_weighted)
    found = MeasureOccurrences(design).of(batch).square
    np.testing.assert_allclose(found, batch.row_weights() @ slow_rows(design, batch) ** 2, rtol=1e-11, atol=1e-12)


def test_a_level_that_no_row_has_does_not_occur():
    schema = schema_of(0, (3,))
    design, batch = random_design(schema, unused=0.0), random_rows(schema, 40, gaps=0.0)
    batch.codes[0] = np.arange(40) % 2
    assert MeasureOccurrences(design).of(batch).square.tolist() == [40.0, 0.0, 20.0, 20.0, 0.0]
