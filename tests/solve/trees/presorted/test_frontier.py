"""A frontier in parts: the rows of each, in memory of its own."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.kernels.tree_frontier import Frontier
from suffice.solve.trees.presorted.frontier import pieces


@pytest.mark.parametrize("columns", [1, 2], ids=["one column of each kind", "two columns of each kind"])
def test_parts_live_on_when_the_memory_of_the_whole_is_written_over(columns: int) -> None:
    """The memory is that of the next frontier but one, while a part waits for those before it."""
    places = 12
    order = np.tile(np.arange(places, dtype=np.int32), columns)
    value, code = np.arange(columns * places, dtype=float), np.arange(columns * places, dtype=np.int32)
    whole = Frontier(
        np.arange(3, dtype=np.int32),
        np.zeros(3, dtype=np.int32),
        np.array([0, 4, 8, places]),
        np.zeros(places),
        np.ones(places),
        np.array([0] * columns + [2] * columns, dtype=np.int32),
        order,
        value,
        np.full(3 * columns, 4),
        code,
        np.zeros(9),
        np.zeros(3),
    )
    parts = pieces(whole, 5)
    assert [np.asarray(part.node).tolist() for part in parts] == [[0], [1], [2]]
    for memory in (order, value, code):
        memory[:] = -1
    for begin, part in zip((0, 4, 8), parts, strict=True):
        expected = [column * places + begin + i for column in range(columns) for i in range(4)]
        assert np.asarray(part.order).tolist() == [0, 1, 2, 3] * columns
        assert np.asarray(part.value).tolist() == expected
        assert np.asarray(part.code).tolist() == expected
