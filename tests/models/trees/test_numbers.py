"""A matrix is read the same whichever way it stands in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice.models.trees.numbers import Numbers

MATRIX = np.arange(12.0).reshape(4, 3)


@pytest.mark.parametrize(
    "matrix",
    [MATRIX, np.asfortranarray(MATRIX), np.repeat(MATRIX, 2, axis=1)[:, ::2], MATRIX[:1], MATRIX[:, :1], MATRIX[:, :0]],
)
def test_every_number_is_where_it_was(matrix: Any) -> None:
    numbers = Numbers.of(matrix)
    rows, columns = matrix.shape
    places = np.add.outer(np.arange(rows) * numbers.row_step, np.arange(columns) * numbers.column_step)
    found = numbers.line[places].tolist()
    assert found == matrix.tolist()


@pytest.mark.parametrize("matrix", [MATRIX, np.asfortranarray(MATRIX)])
def test_what_stands_close_together_is_not_copied(matrix: Any) -> None:
    assert np.shares_memory(Numbers.of(matrix).line, matrix)
    assert Numbers.of(matrix).is_by_column == matrix.flags.f_contiguous
