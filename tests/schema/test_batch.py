from dataclasses import replace

import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema, joined
from suffice.schema.unread import Unknown

SCHEMA = Schema((Numeric("a"), Nominal("b", ("x", "y"))), Nominal("c", ("No", "Yes")))
BATCH = Batch(
    SCHEMA,
    np.array([[1.0], [np.nan], [3.0]]),
    np.array([[0, 1, -1]], dtype=np.int32),
    np.array([0, 1, 1], dtype=np.int32),
    np.array([1.0, 2.0, 0.5]),
    Unknown({"b": 1}),
)


@pytest.mark.parametrize("rows", [np.array([2, 0]), slice(1, None)])
def test_taking_rows_takes_them_from_every_part(rows):
    taken = BATCH.take(rows)
    np.testing.assert_array_equal(taken.numeric, BATCH.numeric[rows])
    np.testing.assert_array_equal(taken.codes, BATCH.codes[:, rows])
    np.testing.assert_array_equal(taken.classes, BATCH.class_codes()[rows])
    np.testing.assert_array_equal(taken.weights, BATCH.row_weights()[rows])
    assert taken.schema is SCHEMA
    assert taken.rows == len(taken.classes)


def test_rows_are_counted_without_any_column_too():
    assert Batch(Schema((), SCHEMA.target), np.empty((5, 0)), np.empty((0, 5), dtype=np.int32)).rows == 5


def test_rows_without_weights_weigh_one():
    plain = Batch(SCHEMA, BATCH.numeric, BATCH.codes)
    assert plain.row_weights().tolist() == [1, 1, 1]
    assert plain.take(slice(2)).weights is None


def test_asking_for_classes_that_are_not_there_is_an_error():
    with pytest.raises(TypeError, match="carry no classes"):
        Batch(SCHEMA, BATCH.numeric, BATCH.codes).class_codes()


def test_other_classes_leave_the_cells_as_they_are():
    schema = SCHEMA.with_target(Nominal("d", ("p", "q", "r")))
    other = BATCH.with_classes(schema, np.array([2, 1, 0], dtype=np.int32))
    assert other.schema is schema
    assert other.class_codes().tolist() == [2, 1, 0]
    assert other.numeric is BATCH.numeric
    assert BATCH.class_codes().tolist() == [0, 1, 1]


# Numbers to predict -------------------------------------------------------------------------------------------------

PRICED = replace(BATCH, schema=SCHEMA.with_target(Numeric("price")), classes=None, response=np.array([7.5, 8.0, 9.0]))


@pytest.mark.parametrize("rows", [np.array([2, 0]), np.array([True, False, True]), slice(1, None)])
def test_taking_rows_takes_their_numbers_to_predict(rows):
    assert PRICED.take(rows).responses().tolist() == PRICED.responses()[rows].tolist()
    assert BATCH.take(rows).response is None


def test_asking_for_numbers_to_predict_that_are_not_there_is_an_error():
    with pytest.raises(TypeError, match="carry no numbers to predict"):
        BATCH.responses()


# Joining ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [BATCH, PRICED])
def test_joining_the_parts_gives_the_whole(batch):
    whole = joined([batch.take(slice(0, 1)), batch.take(slice(1, 3))])
    np.testing.assert_array_equal(whole.numeric, batch.numeric)
    np.testing.assert_array_equal(whole.codes, batch.codes)
    np.testing.assert_array_equal(whole.weights, batch.weights)
    for part in ("classes", "response"):
        expected = getattr(batch, part)
        assert expected is getattr(whole, part) is None or getattr(whole, part).tolist() == expected.tolist()
    assert whole.schema is batch.schema
    assert whole.codes.dtype == np.int32
    assert whole.codes.flags.c_contiguous


def test_unseen_cells_of_joined_batches_are_added():
    assert joined([BATCH, replace(BATCH, unknown=Unknown({"b": 2})), BATCH]).unknown.levels == {"b": 4}
    assert joined([replace(BATCH, unknown=Unknown()), replace(BATCH, unknown=Unknown())]).unknown == Unknown()


def test_rows_without_weights_weigh_one_beside_rows_with_weights():
    plain = replace(BATCH, weights=None)
    assert joined([plain, BATCH]).row_weights().tolist() == [1, 1, 1, 1, 2, 0.5]
    assert joined([plain, plain]).weights is None


def test_a_joined_batch_begins_where_the_first_one_begins():
    assert joined([replace(BATCH, first_row=5), replace(BATCH, first_row=8)]).first_row == 5


def test_a_single_batch_is_joined_without_copying():
    assert joined([BATCH]) is BATCH
