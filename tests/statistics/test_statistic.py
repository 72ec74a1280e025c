import numpy as np
import pytest

from suffice.errors import ForgetError, MergeError
from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema, picked, positions
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.statistic import MeasureTogether, aligned, merged, taken_out

MEASURE = MeasureTogether({"classes": ClassWeights, "counts": Counts, "moments": Moments})


def batch_of(schema, codes, x, classes):
    return Batch(
        schema,
        np.array(x, dtype=np.float64).reshape(-1, 1),
        np.array([codes], dtype=np.int32),
        np.array(classes, dtype=np.int32),
    )


FIRST = Schema((Nominal("sky", ("fog", "sun")), Numeric("x")), Nominal("y", ("No", "Yes")))
SECOND = Schema((Numeric("x"), Nominal("sky", ("rain", "sun"))), Nominal("y", ("Maybe", "Yes")))


def test_levels_and_classes_of_both_sides_are_united_then_added():
    first = MEASURE.of(batch_of(FIRST, [0, 1, 1], [1, 2, 3], [0, 1, 1]))
    second = MEASURE.of(batch_of(SECOND, [0, 1], [4, 5], [0, 1]))
    both = merged(first, second)
    assert both.schema.classes == ("Maybe", "No", "Yes")
    assert both.schema.nominal[0].levels == ("fog", "rain", "sun")
    assert both.parts["classes"].weight.tolist() == [1.0, 1.0, 3.0]
    assert both.parts["counts"].table.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 3]]
    np.testing.assert_allclose(both.parts["moments"].mean[:, 0], [4.0, 1.0, 10 / 3])


def test_a_number_on_one_side_and_its_text_on_the_other_are_one_level():
    numbers = Schema((Nominal("ward", (1, 2)), Numeric("x")), Nominal("y", (0, 1)))
    texts = Schema((Nominal("ward", ("2", "3")), Numeric("x")), Nominal("y", ("0", "1")))
    first, second = (MEASURE.of(batch_of(schema, [0, 1, 1], [1, 2, 3], [0, 1, 1])) for schema in (numbers, texts))
    both = merged(first, second)
    assert both.schema.classes == (0, 1)
    assert both.schema.nominal[0].levels == (1, 2, "3")
    assert both.parts["classes"].weight.tolist() == [2.0, 4.0]
    assert both.parts["counts"].table.tolist() == [[1, 0], [1, 2], [0, 2]]
    assert taken_out(both, second).parts["counts"].table.tolist() == [[1, 0], [0, 2], [0, 0]]


def test_equal_schemas_merge_without_being_moved():
    first = ClassWeights.of(batch_of(FIRST, [0], [1], [0]))
    assert merged(first, first).schema is first.schema
    assert aligned(first, FIRST) is first


def test_tables_with_other_columns_do_not_merge_and_the_columns_are_named():
    other = Schema((Nominal("sky", ("fog",)), Numeric("z")), FIRST.target)
    with pytest.raises(MergeError, match="do not have the same columns: 'x', 'z'"):
        merged(ClassWeights.empty(FIRST), ClassWeights.empty(other))


def test_a_column_that_is_numeric_on_one_side_only_is_named():
    other = Schema((Nominal("sky", ("fog",)), Nominal("x", (1, 2))), FIRST.target)
    with pytest.raises(MergeError, match="Column 'x' is numeric in one and nominal in the other"):
        merged(ClassWeights.empty(FIRST), ClassWeights.empty(other))


def test_statistics_together_are_taken_out_together_or_not_at_all():
    whole = MEASURE.of(batch_of(FIRST, [0, 1, 1, 1], [1, 2, 3, 5], [0, 1, 1, 1]))
    part = MEASURE.of(batch_of(FIRST, [1], [2], [1]))
    assert whole.without(part).parts["counts"].table.tolist() == [[1, 0], [0, 2]]
    with pytest.raises(ForgetError, match="negative counts"):
        whole.without(MEASURE.of(batch_of(FIRST, [0], [2], [1])))
    assert whole.parts["counts"].table.tolist() == [[1, 0], [0, 3]]


def test_an_alignment_gives_each_new_class_and_level_its_old_position():
    alignment = Alignment.between(FIRST, FIRST.unite(SECOND))
    assert alignment.classes.tolist() == [-1, 0, 1]
    assert [levels.tolist() for levels in alignment.levels] == [[0, -1, 1]]


def test_an_alignment_of_classes_leaves_the_levels_alone():
    alignment = Alignment.of_classes([3, -1], FIRST)
    assert alignment.classes.tolist() == [3, -1]
    assert [levels.tolist() for levels in alignment.levels] == [[0, 1]]


def test_positions_match_by_label():
    assert positions(("a", "b"), ("b", "c", "a")).tolist() == [1, -1, 0]
    assert positions((), ("b",)).tolist() == [-1]
    assert positions(("b",), ()).tolist() == []


@pytest.mark.parametrize("axis", [0, 1])
def test_picking_gives_zeros_where_there_is_no_position_and_leaves_the_array_alone(axis):
    array = np.arange(1.0, 7.0).reshape(2, 3)
    before = array.copy()
    found = picked(array, np.array([1, -1, 0], dtype=np.int32), axis)
    expected = np.stack([array.take(1, axis), np.zeros_like(array.take(0, axis)), array.take(0, axis)], axis)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(array, before)


def test_picking_from_nothing_gives_zeros():
    assert picked(np.empty((2, 0)), np.array([-1, -1], dtype=np.int32), axis=1).tolist() == [[0, 0], [0, 0]]
    assert picked(np.ones((2, 2)), np.array([], dtype=np.int32)).shape == (0, 2)
