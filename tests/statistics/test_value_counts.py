import numpy as np
import pytest

from suffice.errors import ForgetError
from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics.value_counts import MeasureValueCounts

SCHEMA = Schema((Numeric("x"), Numeric("z")), Nominal("y", ("a", "b")))
MEASURE = MeasureValueCounts(("z", "x"))


def batch_of(x, z, classes, weights=None):
    numeric = np.column_stack([x, z]).astype(np.float64)
    return Batch(SCHEMA, numeric, np.empty((0, len(x)), dtype=np.int32), np.array(classes, dtype=np.int32), weights)


def readable(counts):
    return {
        name: [dict(zip(tally.values.tolist(), tally.weight.tolist(), strict=True)) for tally in tallies]
        for name, tallies in counts.tallies.items()
    }


def test_every_class_has_its_own_tally_of_every_named_column():
    counts = MEASURE.of(batch_of([1, 1, 2], [5, np.nan, 5], [0, 0, 1]))
    assert readable(counts) == {"z": [{5.0: 1.0}, {5.0: 1.0}], "x": [{1.0: 2.0}, {2.0: 1.0}]}


def test_tallies_are_weighted():
    counts = MEASURE.of(batch_of([1, 1, 2], [5, 6, 5], [0, 0, 1], np.array([0.5, 1.0, 0.0])))
    assert readable(counts) == {"z": [{5.0: 0.5, 6.0: 1.0}, {}], "x": [{1.0: 1.5}, {}]}


def test_values_of_another_class_cannot_be_taken_out():
    whole = MEASURE.of(batch_of([1, 2], [5, 6], [0, 1]))
    assert readable(whole.without(MEASURE.of(batch_of([1], [5], [0])))) == {
        "z": [{}, {6.0: 1.0}],
        "x": [{}, {2.0: 1.0}],
    }
    with pytest.raises(ForgetError, match="negative counts"):
        whole.without(MEASURE.of(batch_of([1], [5], [1])))


def test_classes_move_to_their_places():
    whole = MEASURE.of(batch_of([1, 2], [5, 6], [0, 1]))
    new = SCHEMA.with_target(Nominal("y", ("b", "c", "a")))
    moved = whole.align(Alignment.between(SCHEMA, new))
    assert readable(moved)["x"] == [{2.0: 1.0}, {}, {1.0: 1.0}]
