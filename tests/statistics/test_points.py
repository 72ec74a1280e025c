from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.errors import ForgetError, TableError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.points import Points

SCHEMA = Schema((Numeric("a"), Numeric("b")), Nominal("", ("every record",)))
cells = st.sampled_from([-1.5, -0.0, 0.0, 0.25, 2.0, 1e9, float("nan")])
rows = st.lists(st.tuples(cells, cells, st.integers(0, 3)), max_size=30)


def points(table: list[tuple[float, float, int]]) -> Points:
    numbers = np.array([row[:2] for row in table], dtype=float).reshape(-1, 2)
    weights = np.array([row[2] for row in table], dtype=float)
    return Points.of(Batch(SCHEMA, numbers, np.empty((0, len(table)), dtype=np.int32), weights=weights))


def counted(table: list[tuple[float, float, int]]) -> dict[tuple[float, float], float]:
    """Weights of equal rows, added one by one."""
    found: dict[tuple[float, float], float] = {}
    for a, b, weight in table:
        if weight and a == a and b == b:
            found[a + 0.0, b + 0.0] = found.get((a + 0.0, b + 0.0), 0.0) + weight
    return dict(sorted(found.items()))


def as_dict(found: Points) -> dict[tuple[float, float], float]:
    return dict(zip(map(tuple, found.values.tolist()), found.weight.tolist(), strict=True))


@settings(max_examples=60, deadline=None)
@given(rows, rows)
def test_any_split_merges_to_the_whole_and_comes_out_again(first: list, second: list) -> None:
    whole = points(first + second)
    assert list(as_dict(whole).items()) == list(counted(first + second).items())
    merged = points(first).merge(points(second))
    assert as_dict(merged) == as_dict(whole)
    assert merged.incomplete == whole.incomplete
    left = whole.without(points(second))
    assert as_dict(left) == as_dict(points(first))
    whole.require_sound()


def test_points_that_were_never_there_cannot_be_taken_out() -> None:
    with pytest.raises(ForgetError):
        points([(1.0, 2.0, 1)]).without(points([(1.0, 3.0, 1)]))


def test_infinity_is_named() -> None:
    with pytest.raises(TableError, match="'b' contains infinity"):
        points([(1.0, float("inf"), 1)])


@pytest.mark.parametrize(
    ("values", "weight"),
    [([[1.0, 2.0], [1.0, 2.0]], [1.0, 1.0]), ([[2.0, 1.0], [1.0, 2.0]], [1.0, 1.0]), ([[1.0, 2.0]], [0.0])],
)
def test_points_out_of_order_or_without_weight_are_unsound(values: list, weight: list) -> None:
    with pytest.raises(ValueError, match="ascending"):
        Points(SCHEMA, np.array(values), np.array(weight)).require_sound()
