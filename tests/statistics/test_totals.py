import numpy as np
import pytest

from suffice.errors import ForgetError, TableError
from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics.totals import MeasureTotals

SCHEMA = Schema((Numeric("calls"), Numeric("x"), Numeric("visits")), Nominal("y", ("a", "b")))
MEASURE = MeasureTotals(("visits", "calls"))


def batch_of(calls, visits, classes, weights=None):
    x = np.column_stack([calls, np.full(len(calls), 0.5), visits]).astype(np.float64)
    return Batch(SCHEMA, x, np.empty((0, len(x)), dtype=np.int32), np.array(classes, dtype=np.int32), weights)


def test_known_counts_are_added_up_in_their_class():
    totals = MEASURE.of(batch_of([1, 2, np.nan], [4, 0, 5], [0, 1, 1]))
    assert totals.weight.tolist() == [[1.0, 1.0], [2.0, 1.0]]
    assert totals.total.tolist() == [[4.0, 1.0], [5.0, 2.0]]


def test_totals_are_weighted():
    totals = MEASURE.of(batch_of([1, 2, np.nan], [4, 0, 5], [0, 1, 1], np.array([0.5, 2.0, 3.0])))
    assert totals.weight.tolist() == [[0.5, 0.5], [5.0, 2.0]]
    assert totals.total.tolist() == [[2.0, 0.5], [15.0, 4.0]]


@pytest.mark.parametrize("value", [-1.0, 2.5, np.inf])
def test_a_value_that_is_no_count_is_named_with_its_column(value):
    with pytest.raises(TableError, match=rf"Column 'visits' is to be Poisson, but {value} is no count"):
        MEASURE.of(batch_of([1, 2], [3, value], [0, 1]))


def test_rows_are_taken_out_exactly_and_no_more_than_there_are():
    whole, part = MEASURE.of(batch_of([1, 2], [4, 1], [0, 1])), MEASURE.of(batch_of([1], [4], [0]))
    left = whole.without(part)
    assert left.total.tolist() == [[0.0, 0.0], [1.0, 2.0]]
    with pytest.raises(ForgetError, match="negative counts"):
        left.without(part)


def test_classes_move_to_their_places():
    totals = MEASURE.of(batch_of([1, 2], [4, 1], [0, 1]))
    new = SCHEMA.with_target(Nominal("y", ("b", "c", "a")))
    moved = totals.align(Alignment.between(SCHEMA, new))
    assert moved.total.tolist() == [[1.0, 2.0], [0.0, 0.0], [4.0, 1.0]]
