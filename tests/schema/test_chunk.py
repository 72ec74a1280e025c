import numpy as np
import pytest

from suffice.errors import TableError
from suffice.schema import Chunk, Coded, Numeric, Values
from suffice.schema.chunk import as_coded, levels_in_use, numbers_of_levels, without_levels

CHUNK = Chunk(
    4,
    {"wind": Coded(np.array([0, -1, 1, 0]), ("Strong", "Weak")), "when": Values(np.arange(4.0), time="moment")},
    np.arange(8).reshape(4, 2),
    ("a", "b"),
    Coded(np.array([1, 0, 1, 0]), ("No", "Yes")),
    np.array([1.0, 2.0, 3.0, 4.0]),
)


def test_names_are_those_of_the_columns_and_of_the_matrix():
    assert CHUNK.names == ("wind", "when", "a", "b")


def test_a_column_is_found_wherever_it_stands():
    assert CHUNK.column("wind") is CHUNK.columns["wind"]
    found = CHUNK.column("b")
    assert isinstance(found, Values)
    assert found.data.tolist() == [1, 3, 5, 7]
    assert found.data.dtype == np.float64


@pytest.mark.parametrize(("kind", "is_integer"), [(np.int16, True), (np.uint8, True), (np.float32, False)])
def test_a_column_of_a_matrix_remembers_whether_it_held_whole_numbers(kind, is_integer):
    chunk = Chunk(2, matrix=np.ones((2, 1), dtype=kind), matrix_names=("a",))
    assert chunk.column("a").is_integer is is_integer


def test_an_unknown_column_is_an_error_that_names_the_ones_there_are():
    with pytest.raises(TableError, match=r"no column 'c' in the table\. Its columns are 'wind', 'when', 'a', 'b'\."):
        CHUNK.column("c")


@pytest.mark.parametrize("rows", [np.array([3, 1]), slice(3, 0, -2), slice(1, 4, 2)])
def test_taking_rows_takes_them_from_every_part(rows):
    kept = np.arange(4)[rows]
    taken = CHUNK.take(rows)
    assert taken.rows == len(kept)
    assert taken.column("wind").codes.tolist() == CHUNK.column("wind").codes[kept].tolist()
    assert taken.column("when").data.tolist() == kept.tolist()
    assert taken.column("when").is_time
    assert taken.column("a").data.tolist() == (2 * kept).tolist()
    assert taken.target.codes.tolist() == CHUNK.target.codes[kept].tolist()
    assert taken.weights.tolist() == (kept + 1).tolist()


def test_taking_past_the_end_takes_what_is_there():
    assert CHUNK.take(slice(2, 100)).rows == 2
    assert CHUNK.take(slice(4, 8)).rows == 0


def test_taking_leaves_what_is_absent_absent():
    taken = Chunk(2, {"a": Values(np.zeros(2))}).take(np.array([0]))
    assert (taken.rows, taken.matrix, taken.target, taken.weights) == (1, None, None, None)


def test_taking_keeps_what_is_known_of_a_column():
    taken = Coded(np.array([0, 1]), ("a", "b"), declared=True).take(np.array([1]))
    assert (taken.levels, taken.declared) == (("a", "b"), True)
    assert Values(np.zeros(3), is_integer=True).take(slice(1)).is_integer


def test_numbers_become_levels_with_whole_numbers_as_ints():
    coded = as_coded(Values(np.array([2.0, 0.5, np.nan, -1.0, 2.0])))
    assert coded.levels == (-1, 0.5, 2)
    assert [type(level) for level in coded.levels] == [int, float, int]
    assert coded.codes.tolist() == [2, 1, -1, 0, 2]


def test_levels_become_numbers_and_missing_stays_missing():
    values = numbers_of_levels(Coded(np.array([1, -1, 0]), ("2.50", 7)), Numeric("a"))
    np.testing.assert_array_equal(values.data, [7.0, np.nan, 2.5])


def test_a_word_among_numbers_is_an_error_that_names_column_and_word():
    with pytest.raises(TableError, match="Column 'age' holds numbers, but here it has the value 'unknown'"):
        numbers_of_levels(Coded(np.array([0, 1]), ("3", "unknown")), Numeric("age"))


def test_missing_cells_are_those_without_a_number_or_a_level():
    assert Values(np.array([1.0, np.nan, np.inf])).is_missing.tolist() == [False, True, False]
    assert Coded(np.array([0, -1]), ("a",)).is_missing.tolist() == [False, True]


def test_taking_rows_takes_numbers_to_predict_too():
    chunk = Chunk(3, target=Values(np.array([1.0, 2.0, 3.0]), time="moment")).take(np.array([2, 0]))
    assert isinstance(chunk.target, Values)
    assert (chunk.target.data.tolist(), chunk.target.is_time) == ([3.0, 1.0], True)


def test_levels_that_no_row_has_can_be_left_out():
    used = levels_in_use(Coded(np.array([3, -1, 1, 3]), ("a", "b", "c", "d"), declared=True))
    assert (used.levels, used.codes.tolist(), used.declared) == (("b", "d"), [1, -1, 0, 1], False)


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.float64])
def test_integers_are_read_as_the_same_numbers_in_whatever_form_they_are_held(kind):
    low = 0 if kind is np.uint16 else -100
    held = Values(np.array([100, low, 7, 100], dtype=kind), is_integer=True)
    assert held.data.dtype == np.float64
    assert held.data.tolist() == [100.0, low, 7.0, 100.0]
    assert held.known == 4
    assert not held.is_missing.any()
    assert held.take(np.array([2])).stored.dtype == kind
    coded = as_coded(held)
    assert coded.levels == (low, 7, 100)
    assert coded.codes.tolist() == [2, 0, 1, 2]


def test_levels_read_as_missing_leave_the_others_in_order():
    column = without_levels(Coded(np.array([0, 1, 2, 3, -1]), ("a", "?", "b", "NA")), ["?", "NA"])
    assert column.levels == ("a", "b")
    assert column.codes.tolist() == [0, -1, 1, -1, -1]


def test_a_column_without_those_levels_is_left_as_it_is():
    column = Coded(np.array([0, 1]), ("a", "b"))
    assert without_levels(column, ["?"]) is column
