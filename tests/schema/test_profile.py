import numpy as np
import pytest

from suffice.errors import TableError
from suffice.schema import (
    Chunk,
    Coded,
    ColumnProfile,
    Nominal,
    Numeric,
    Profile,
    Values,
    column_notes,
    column_profile,
    profile,
)
from suffice.schema.chunk import without_levels
from suffice.schema.profile import target_column

TARGET = Nominal("y", ("a", "b"))


def coded(cells, declared=None):
    levels = tuple(dict.fromkeys(cell for cell in cells if cell is not None)) if declared is None else declared
    codes = np.array([-1 if cell is None else levels.index(cell) for cell in cells], dtype=np.int32)
    return Coded(codes, levels, declared is not None)


def schema_of(column, **settings):
    rows = len(column.data if isinstance(column, Values) else column.codes)
    return Profile.of(Chunk(rows, {"c": column})).schema(TARGET, ["c"], **settings)


def words(distinct, rows):
    return [f"w{min(row, distinct - 1)}" for row in range(rows)]


@pytest.mark.parametrize(
    ("distinct", "rows", "is_left_out"),
    [(19, 19, False), (20, 20, True), (18, 20, True), (17, 20, False), (90, 100, True), (89, 100, False)],
)
def test_a_nominal_column_is_an_identifier_from_twenty_rows_and_a_share_of_nine_tenths(distinct, rows, is_left_out):
    schema = schema_of(coded(words(distinct, rows)))
    if is_left_out:
        assert schema.columns == ()
        assert schema.left_out[0].name == "c"
        assert schema.left_out[0].reason == f"looks like an identifier: {distinct} levels in {rows} rows"
    else:
        assert schema.left_out == ()
        assert len(schema.nominal[0].levels) == distinct


def test_missing_cells_do_not_count_towards_the_twenty_rows():
    assert schema_of(coded(words(19, 19) + [None] * 5)).left_out == ()
    assert schema_of(coded(words(20, 20) + [None] * 5)).left_out


def test_an_identifier_that_is_kept_is_a_nominal_column():
    schema = schema_of(coded(words(30, 30)), keep=["c"])
    assert schema.left_out == ()
    assert len(schema.nominal[0].levels) == 30


def test_whole_numbers_that_look_like_an_identifier_are_only_mentioned():
    schema = schema_of(Values(np.arange(25.0), is_integer=True))
    assert schema.columns == (Numeric("c", is_whole=True),)
    assert schema.notes == ("'c' looks like an identifier (25 values in 25 rows); drop=['c'] leaves it out.",)


@pytest.mark.parametrize("values", [Values(np.arange(25.0) + 0.5), Values(np.arange(19.0), is_integer=True)])
def test_other_numbers_are_not_mentioned(values):
    assert schema_of(values).notes == ()


def test_a_time_is_numeric_with_a_note():
    schema = schema_of(Values(np.arange(3.0), time="moment"))
    assert schema.columns == (Numeric("c", time="moment"),)
    assert schema.notes == ("'c' is a time; it is read as seconds (dates: since 1970).",)


def test_found_levels_are_sorted_and_levels_without_rows_vanish():
    schema = schema_of(Coded(np.array([2, 0, -1, 0]), ("b", "gone", "a")))
    assert schema.columns == (Nominal("c", ("a", "b")),)


@pytest.mark.parametrize("count", [3, 17, 18, 40])
def test_declared_levels_stay_in_their_order_even_without_rows(count):
    levels = tuple(f"w{position}" for position in reversed(range(count)))
    assert schema_of(coded([levels[-1], None] * 12, levels)).columns == (Nominal("c", levels, declared=True),)


@pytest.mark.parametrize(("count", "is_left_out"), [(17, False), (18, True)])
def test_declared_levels_can_be_identifiers_too(count, is_left_out):
    cells = words(count, 20)
    assert bool(schema_of(coded(cells, tuple(dict.fromkeys(cells)))).left_out) is is_left_out


@pytest.mark.parametrize("count", [12, 17, 24])
def test_declared_levels_that_spell_numbers_stay_levels(count):
    levels = tuple(str(position) for position in range(count))
    column = coded(list(levels) * 3, levels)
    assert schema_of(column).columns == (Nominal("c", levels, declared=True),)


def test_numbers_but_for_a_spelling_of_missing_are_numeric():
    column = without_levels(coded(["1", "2", "?", "2.5"]), ["?"])
    assert schema_of(column).columns == (Numeric("c"),)


def test_text_that_spells_numbers_is_numeric_and_levels_where_that_is_asked():
    assert schema_of(coded(["1", "2"])).columns == (Numeric("c", is_whole=True),)
    asked = Profile.of(Chunk(2, {"c": coded(["1", "+2"])}), nominal=["c"]).schema(TARGET, ["c"])
    assert asked.columns == (Nominal("c", (1, 2)),)


def test_a_column_of_nothing_but_spellings_of_missing_is_numeric():
    assert schema_of(without_levels(coded(["?", "?"]), ["?"])).columns == (Numeric("c", is_empty=True),)


def test_a_word_among_ten_numbers_gives_a_hint():
    schema = schema_of(coded([str(number) for number in range(10)] * 3 + ["unknown"]))
    assert schema.notes == (
        "'c' would be numeric but for 'unknown'; if that means missing, say missing_values=['unknown'].",
    )


@pytest.mark.parametrize("cells", [[*"012345678", "x"], [*"0123456789", "p", "q", "r", "s"]])
def test_fewer_numbers_or_more_than_three_words_give_no_hint(cells):
    assert schema_of(coded(cells * 3)).notes == ()


def test_an_identifier_that_is_numbers_but_for_a_word_says_so():
    schema = schema_of(coded([str(number) for number in range(29)] + ["x"]))
    assert schema.left_out[0].reason == (
        "looks like an identifier: 30 levels in 30 rows (numbers but for 'x': missing_values=['x'] makes it numeric)"
    )


@pytest.mark.parametrize("cut", [0, 1, 7, 30])
def test_merging_the_profiles_of_two_parts_gives_the_profile_of_the_whole(cut):
    numbers = np.where(np.arange(30) % 7 == 0, np.nan, np.arange(30.0))
    chunk = Chunk(
        30,
        {
            "id": coded(words(30, 30)),
            "few": coded(["a", "b", None] * 10),
            "declared": coded(["a", "b", None] * 10, ("b", "a", "z")),
            "whole": Values(numbers, is_integer=True),
            "time": Values(numbers, time="moment"),
        },
    )
    merged = Profile.of(chunk.take(slice(cut))).merge(Profile.of(chunk.take(slice(cut, None))))
    assert merged == Profile.of(chunk)


def test_a_column_of_numbers_in_one_part_and_words_in_the_other_is_nominal():
    merged = ColumnProfile.of(Values(np.array([1.0, 2.0]), is_integer=True)).merge(ColumnProfile.of(coded(["x"])))
    assert not merged.is_numeric
    assert merged.sorted_levels() == ("1", "2", "x")


def test_declared_levels_unite_in_order_and_are_declared_only_where_both_parts_declare_them():
    first, second = ColumnProfile.of(coded(["a"], ("b", "a"))), ColumnProfile.of(coded(["c"], ("c", "a")))
    assert first.merge(second).declared == ("b", "a", "c")
    assert first.merge(ColumnProfile.of(coded(["c"]))).declared is None


def test_columns_named_nominal_are_read_as_levels():
    chunk = Chunk(3, {"door": Values(np.array([2.0, 4.0, 2.0]))}, np.array([[1.0], [2.0], [2.0]]), ("floor",))
    schema = Profile.of(chunk, nominal=["door", "floor"]).schema(TARGET, ["floor", "door"])
    assert schema.columns == (Nominal("floor", (1, 2)), Nominal("door", (2, 4)))


@pytest.fixture
def at_most_five_levels(monkeypatch):
    for module in (column_profile, column_notes, profile):
        monkeypatch.setattr(module, "MOST_LEVELS", 5)


@pytest.mark.usefixtures("at_most_five_levels")
def test_past_the_most_levels_a_column_is_left_out_as_an_identifier():
    schema = schema_of(coded(words(6, 300)))
    assert schema.left_out[0].reason == "looks like an identifier: more than 5 levels in 300 rows"
    assert schema_of(coded(words(5, 300))).left_out == ()


@pytest.mark.usefixtures("at_most_five_levels")
def test_past_the_most_levels_a_column_cannot_be_kept():
    with pytest.raises(TableError, match="Column 'c' has more than 5 levels, too many to keep"):
        schema_of(coded(words(6, 300)), keep=["c"])


@pytest.mark.usefixtures("at_most_five_levels")
def test_the_most_levels_hold_for_merged_parts_and_a_later_part_does_not_bring_them_back():
    parts = [ColumnProfile.of(coded(cells)) for cells in (["a", "b", "c"], ["d", "e", "f"], ["a"])]
    merged = parts[0].merge(parts[1])
    assert merged.levels is None
    assert merged.merge(parts[2]).levels is None
    assert parts[2].merge(merged).is_identifier


@pytest.mark.usefixtures("at_most_five_levels")
def test_past_the_most_levels_whole_numbers_stay_numeric():
    assert schema_of(Values(np.arange(30.0), is_integer=True)).columns == (Numeric("c", is_whole=True),)


@pytest.mark.usefixtures("at_most_five_levels")
def test_past_the_most_levels_a_target_is_an_error_that_names_it():
    with pytest.raises(TableError, match="The target 'y' has more than 5 classes"):
        target_column(ColumnProfile.of(coded(words(6, 6))), "y")


def test_the_classes_are_the_sorted_levels_that_rows_have():
    assert target_column(ColumnProfile.of(Coded(np.array([2, 0]), ("b", "gone", "a"))), "y") == TARGET


@pytest.mark.parametrize("is_time", [True, False])
def test_a_target_of_numbers_is_numeric(is_time):
    profile = ColumnProfile.of(Values(np.array([1.0, 2.5]), time="moment" if is_time else ""))
    assert target_column(profile.merge(profile), "price") == Numeric("price", "moment" if is_time else "")


def test_a_target_that_is_a_time_is_noted():
    found = Profile.of(Chunk(1, {"c": coded(["a"])}))
    assert found.schema(Numeric("when", time="moment"), ["c"]).notes == (
        "'when' is a time; it is read as seconds (dates: since 1970).",
    )
    assert found.schema(Numeric("price"), ["c"]).notes == ()


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@pytest.mark.parametrize("distinct", [10, 700, 890, 900, 1000])
def test_whole_numbers_of_a_whole_table_are_listed_only_where_they_may_be_identifiers(distinct, kind):
    late = np.maximum(np.arange(1000) - (1000 - distinct), 0).astype(kind)  # the different values come last
    for numbers in (late, late[::-1].copy()):
        found = ColumnProfile.of(Values(numbers, is_integer=True), is_whole=True)
        assert found.is_identifier == (distinct >= 900)
        assert len(found.levels) == (distinct if distinct >= 900 else 0)
