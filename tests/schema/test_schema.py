import pytest

from suffice.errors import MergeError
from suffice.schema import LeftOut, Nominal, Numeric, Schema

AGE, SEX, PAID, TOWN = Numeric("age"), Nominal("sex", ("f", "m")), Numeric("paid"), Nominal("town", ("B", "C", "U"))
SCHEMA = Schema((AGE, SEX, PAID, TOWN), Nominal("survived", (0, 1)))


def test_numeric_and_nominal_columns_keep_their_order():
    assert SCHEMA.numeric == (AGE, PAID)
    assert SCHEMA.nominal == (SEX, TOWN)
    assert SCHEMA.names == ("age", "sex", "paid", "town")


def test_positions_say_where_a_column_stands_in_a_batch():
    assert SCHEMA.numeric_position == {"age": 0, "paid": 1}
    assert SCHEMA.nominal_position == {"sex": 0, "town": 1}


def test_level_offsets_stack_the_levels_of_all_columns():
    assert SCHEMA.level_offsets == (0, 2, 5)
    assert Schema((AGE,), SCHEMA.target).level_offsets == (0,)


def test_the_classes_are_the_levels_of_the_target():
    assert SCHEMA.classes == (0, 1)
    assert SCHEMA.class_count == 2


def test_another_target_or_other_columns_leave_the_rest_as_it_is():
    noted = Schema(SCHEMA.columns, SCHEMA.target, (LeftOut("id", "looks like an identifier"),), ("a note",))
    other = noted.with_target(Nominal("y", ("a",))).with_columns(iter([SEX]))
    assert (other.columns, other.classes) == ((SEX,), ("a",))
    assert (other.left_out, other.notes) == (noted.left_out, noted.notes)
    assert other.nominal_position == {"sex": 0}


def test_uniting_with_itself_is_the_same_schema():
    assert SCHEMA.unite(SCHEMA) is SCHEMA


def test_uniting_joins_levels_and_classes_by_name_in_the_first_ones_order():
    other = Schema((Nominal("town", ("A", "U")), PAID, SEX, AGE), Nominal("survived", (2,)))
    united = SCHEMA.unite(other)
    assert united.names == SCHEMA.names
    assert united.nominal == (SEX, Nominal("town", ("A", "B", "C", "U")))
    assert united.classes == (0, 1, 2)


def test_uniting_other_columns_is_an_error_that_names_them():
    with pytest.raises(MergeError, match="'paid', 'weight' is in one only"):
        Schema((AGE, PAID), SCHEMA.target).unite(Schema((AGE, Numeric("weight")), SCHEMA.target))


def test_uniting_a_numeric_with_a_nominal_column_is_an_error_that_names_both_kinds():
    with pytest.raises(MergeError, match="Column 'age' is numeric in one and nominal in the other"):
        Schema((AGE,), SCHEMA.target).unite(Schema((Nominal("age", (1, 2)),), SCHEMA.target))


PRICED = Schema((AGE, SEX), Numeric("price"))


def test_a_numeric_target_has_no_classes():
    assert (PRICED.classes, PRICED.class_count) == ((), 0)
    assert SCHEMA.with_target(PRICED.target).target is PRICED.target


def test_only_a_nominal_target_can_be_asked_for_its_classes():
    assert SCHEMA.nominal_target is SCHEMA.target
    with pytest.raises(TypeError, match="the target 'price' is a number"):
        _ = PRICED.nominal_target


def test_uniting_keeps_a_numeric_target():
    united = PRICED.unite(Schema((AGE, Nominal("sex", ("x",))), Numeric("cost")))
    assert united.target == Numeric("price")
    assert united.nominal[0].levels == ("f", "m", "x")


def test_uniting_classes_with_numbers_is_an_error():
    with pytest.raises(MergeError, match="The target 'price' is numeric in one and nominal in the other"):
        PRICED.unite(PRICED.with_target(SCHEMA.target))


def test_levels_are_called_as_another_schema_calls_them_but_what_a_column_tells_apart_stays_apart():
    numbers = Schema((Nominal("ward", (1, 2)),), Nominal("y", (0, 1)))
    texts = Schema((Nominal("ward", ("2", "3", "x")),), Nominal("y", ("0", "1")))
    spelled = texts.spelled_like(numbers)
    assert spelled.nominal[0].levels == (2, "3", "x")
    assert (spelled.classes, numbers.spelled_like(texts).classes) == ((0, 1), ("0", "1"))
    both = Schema((), Nominal("y", (1, "1")))
    assert both.spelled_like(numbers).classes == (1, "1")


def test_a_class_that_was_only_declared_is_called_as_there_too():
    declared = Schema((), Nominal("y", (0, 1), absent=(2,)))
    assert Schema((), Nominal("y", ("1", "2"))).spelled_like(declared).classes == (1, 2)


def test_times_and_numbers_do_not_unite_but_a_duration_may_look_like_a_time_of_day():
    number, moment, clock, duration = (
        Schema((Numeric("when", kind),), SCHEMA.target) for kind in ("", "moment", "clock", "duration")
    )
    with pytest.raises(MergeError, match=r"Column 'when' holds numbers here and times \(such as 2024-01-31"):
        number.unite(moment)
    assert clock.unite(duration) == duration.unite(clock) == duration
