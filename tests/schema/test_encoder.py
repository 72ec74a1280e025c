import numpy as np
import pytest

from suffice.errors import TableError
from suffice.schema import Chunk, Coded, Encoder, Nominal, Numeric, Schema, Values, encoder

WIND = Nominal("wind", ("Gale", "Strong", "Weak"))
SCHEMA = Schema((Numeric("heat"), WIND, Numeric("rain")), Nominal("play", ("No", "Yes")))


def chunk_of(wind, heat=None, rain=None, target=None):
    rows = len(wind.codes) if isinstance(wind, Coded) else len(wind.data)
    columns = {"wind": wind, "heat": heat or Values(np.zeros(rows)), "rain": rain or Values(np.ones(rows))}
    return Chunk(rows, columns, target=target)


def test_levels_are_translated_to_the_codes_of_the_schema():
    batch = Encoder(SCHEMA).encode(chunk_of(Coded(np.array([0, 1, -1, 0]), ("Weak", "Gale"))))
    assert batch.codes.tolist() == [[2, 0, -1, 2]]
    assert batch.codes.dtype == np.int32
    assert batch.unknown.levels == {}


def test_the_same_levels_need_no_translation():
    batch = Encoder(SCHEMA).encode(chunk_of(Coded(np.array([2, -1, 0]), ("Gale", "Strong", "Weak"))))
    assert batch.codes.tolist() == [[2, -1, 0]]


def test_unknown_levels_are_counted_and_read_as_missing():
    batch = Encoder(SCHEMA).encode(chunk_of(Coded(np.array([1, 0, 1, -1, 2]), ("Weak", "Calm", "Breeze"))))
    assert batch.codes.tolist() == [[-1, 2, -1, -1, -1]]
    assert batch.unknown.levels == {"wind": 3}


def test_an_unknown_level_that_no_row_has_is_not_counted():
    assert Encoder(SCHEMA).encode(chunk_of(Coded(np.array([0, -1]), ("Weak", "Calm")))).unknown.levels == {}


def test_a_column_without_any_level_is_missing_throughout():
    batch = Encoder(SCHEMA).encode(chunk_of(Coded(np.array([-1, -1]), ())))
    assert batch.codes.tolist() == [[-1, -1]]
    assert batch.unknown.levels == {}


def test_numbers_in_a_nominal_column_are_read_as_levels():
    schema = Schema((Nominal("door", (1, 2)),), SCHEMA.target)
    batch = Encoder(schema).encode(Chunk(4, {"door": Values(np.array([2.0, np.nan, 1.0, 3.0]))}))
    assert batch.codes.tolist() == [[1, -1, 0, -1]]
    assert batch.unknown.levels == {"door": 1}


def test_numbers_stand_in_the_order_of_the_schema():
    chunk = chunk_of(
        Coded(np.array([0, 0]), WIND.levels), Values(np.array([1.0, np.nan])), Values(np.array([3.0, 4.0]))
    )
    np.testing.assert_array_equal(Encoder(SCHEMA).encode(chunk).numeric, [[1.0, 3.0], [np.nan, 4.0]])


def test_a_numeric_column_may_come_as_text():
    heat = Coded(np.array([1, 0, -1]), ("-2", "1.5e1"))
    batch = Encoder(SCHEMA).encode(chunk_of(Coded(np.zeros(3, dtype=int), WIND.levels), heat))
    np.testing.assert_array_equal(batch.numeric[:, 0], [15.0, -2.0, np.nan])


def test_a_word_in_a_numeric_column_is_an_error_that_names_both():
    with pytest.raises(TableError, match="Column 'heat' holds numbers, but here it has the value 'hot'"):
        Encoder(SCHEMA).encode(chunk_of(Coded(np.array([0]), WIND.levels), Coded(np.array([0]), ("hot",))))


@pytest.mark.parametrize("names", [("heat", "rain"), ("rain", "heat"), ("rain", "fog", "heat")])
def test_a_matrix_is_read_by_name_whatever_its_order(names):
    matrix = np.arange(2 * len(names), dtype=np.float32).reshape(2, len(names))
    chunk = Chunk(2, {"wind": Coded(np.array([0, 1]), WIND.levels)}, matrix, names)
    numeric = Encoder(SCHEMA).encode(chunk).numeric
    np.testing.assert_array_equal(numeric, matrix[:, [names.index("heat"), names.index("rain")]])
    assert numeric.dtype == np.float64
    assert numeric.flags.c_contiguous


def test_a_column_that_is_not_there_is_an_error_that_names_it():
    with pytest.raises(TableError, match="no column 'heat'"):
        Encoder(SCHEMA).encode(Chunk(1, {"wind": Coded(np.array([0]), WIND.levels), "rain": Values(np.zeros(1))}))


def test_classes_are_translated_and_weights_handed_on():
    weights = np.array([1.0, 2.0])
    target = Coded(np.array([0, 1]), ("Yes", "No"))
    chunk = Chunk(2, target=target, weights=weights)
    batch = Encoder(Schema((), SCHEMA.target)).encode(chunk)
    assert batch.class_codes().tolist() == [1, 0]
    assert batch.weights is weights


def test_an_unknown_class_is_an_error_that_names_it_and_the_known_ones():
    chunk = Chunk(2, target=Coded(np.array([0, 1]), ("Yes", "Maybe")))
    with pytest.raises(TableError, match=r"the class 'Maybe', which the model does not know \(it knows 'No', 'Yes'\)"):
        Encoder(Schema((), SCHEMA.target)).encode(chunk)


def test_of_many_classes_and_many_unknown_ones_an_error_names_a_few():
    many, unknown = tuple(f"class {k}" for k in range(1000)), tuple(f"other {k}" for k in range(50))
    with pytest.raises(TableError, match=r"'other 4' and 45 more, which the model .* \(1,000 in all\)") as caught:
        Encoder(Schema((), Nominal("play", many))).encode(Chunk(50, target=Coded(np.arange(50), unknown)))
    assert len(str(caught.value)) < 600


def test_an_unknown_class_that_no_row_has_is_no_error():
    chunk = Chunk(2, target=Coded(np.array([0, 0]), ("Yes", "Maybe")))
    assert Encoder(Schema((), SCHEMA.target)).encode(chunk).class_codes().tolist() == [1, 1]


def test_a_columns_translation_is_worked_out_once_for_one_dictionary(monkeypatch):
    worked_out = []
    original = encoder._places
    monkeypatch.setattr(encoder, "_places", lambda old, new: worked_out.append(new) or original(old, new))
    weak, calm = ("Weak", "Gale"), ("Calm", "Strong")
    own = Encoder(SCHEMA)
    found = [
        own.encode(chunk_of(Coded(np.array([0, 1]), levels))).codes.tolist() for levels in (weak, weak, calm, weak)
    ]
    assert worked_out == [weak, calm, weak]
    assert found == [[[2, 0]], [[2, 0]], [[-1, 1]], [[2, 0]]]


def test_each_column_has_a_translation_of_its_own():
    schema = Schema((Nominal("first", ("a", "b")), Nominal("second", ("b", "c"))), SCHEMA.target)
    levels = ("b", "c", "a")
    column = Coded(np.array([0, 1, 2]), levels)
    own = Encoder(schema)
    for _ in range(2):
        batch = own.encode(Chunk(3, {"first": column, "second": column}))
        assert batch.codes.tolist() == [[1, -1, 0], [0, 1, -1]]
        assert batch.unknown.levels == {"first": 1, "second": 1}


def test_numbers_to_predict_are_handed_on_without_classes():
    numbers = np.array([[2.5, 0.0], [-1.0, 0.0]])[:, 0]
    batch = Encoder(Schema((), Numeric("price"))).encode(Chunk(2, target=Values(numbers)))
    assert batch.responses().tolist() == [2.5, -1.0]
    assert batch.response.flags.c_contiguous
    assert batch.classes is None


def test_classes_come_without_numbers_to_predict():
    batch = Encoder(Schema((), SCHEMA.target)).encode(Chunk(1, target=Coded(np.array([0]), ("Yes",))))
    assert batch.response is None


def test_rows_without_a_target_have_neither_classes_nor_numbers_to_predict():
    for target in (SCHEMA.target, Numeric("price")):
        batch = Encoder(Schema((), target)).encode(Chunk(1))
        assert batch.classes is batch.response is None


@pytest.mark.parametrize(
    ("held", "comes", "said"),
    [
        ("", "moment", "holds numbers, but here it holds times .*: the first is 1970-01-02"),
        ("moment", "", "holds times .*, but here it holds numbers: the first is 86400"),
        ("clock", "moment", "holds times .of day.*, but here it holds times .*: the first is 1970-01-02"),
    ],
)
def test_times_among_numbers_or_numbers_among_times_are_an_error(held, comes, said):
    schema = Schema((Numeric("when", held),), Nominal("play", ("No", "Yes")))
    chunk = Chunk(2, {"when": Values(np.array([np.nan, 86400.0]), time=comes)})
    with pytest.raises(TableError, match=f"Column 'when' {said}"):
        Encoder(schema).encode(chunk)


def test_numbers_that_stand_side_by_side_are_no_times_either():
    schema = Schema((Numeric("when", "moment"), Numeric("x")), Nominal("play", ("No", "Yes")))
    chunk = Chunk(1, matrix=np.array([[86400.0, 1.0]]), matrix_names=("when", "x"))
    with pytest.raises(TableError, match=r"Column 'when' holds times .*, but here it holds numbers"):
        Encoder(schema).encode(chunk)


def test_a_column_without_values_may_be_of_any_kind():
    schema = Schema((Numeric("when"),), Nominal("play", ("No", "Yes")))
    batch = Encoder(schema).encode(Chunk(1, {"when": Values(np.array([np.nan]), time="moment")}))
    assert np.isnan(batch.numeric).all()
