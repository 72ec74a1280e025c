import pytest

from suffice.schema import Nominal, Numeric
from suffice.schema.columns import sorted_levels, united_levels


def test_numbers_stand_by_value_and_before_text():
    assert sorted_levels(["b", 10, "a", 9, 2.5, "10"]) == (2.5, 9, 10, "10", "a", "b")


def test_truth_values_stand_false_before_true():
    assert sorted_levels([True, False]) == (False, True)


def test_the_order_does_not_depend_on_the_order_of_arrival():
    assert sorted_levels({"x", "y", 1}) == sorted_levels([1, "y", "x"]) == sorted_levels(("y", "x", 1))


def test_found_levels_are_sorted_when_they_unite():
    united = united_levels(Nominal("wind", ("Weak", "mild")), Nominal("wind", ("Gale", "Weak")))
    assert united == Nominal("wind", ("Gale", "Weak", "mild"))


def test_declared_orders_are_kept_and_new_levels_come_last():
    first, second = Nominal("size", ("small", "large"), True), Nominal("size", ("large", "huge", "big"), True)
    assert united_levels(first, second) == Nominal("size", ("small", "large", "huge", "big"), True)


@pytest.mark.parametrize("declared", [(True, False), (False, True)])
def test_different_levels_are_declared_only_where_both_sides_declare_them(declared):
    first, second = Nominal("size", ("small", "large"), declared[0]), Nominal("size", ("huge",), declared[1])
    assert united_levels(first, second) == Nominal("size", ("huge", "large", "small"), False)


def test_the_same_levels_keep_their_order_and_one_declaration_is_enough():
    found, declared = Nominal("size", ("small", "large")), Nominal("size", ("small", "large"), True)
    assert united_levels(found, declared) == declared
    assert united_levels(declared, found) == declared
    assert united_levels(found, found) == found


def test_uniting_with_no_levels_changes_nothing():
    column = Nominal("wind", ("Strong", "Weak"))
    assert united_levels(column, Nominal("wind", ())) == column
    assert united_levels(Nominal("wind", ()), column) == column


def test_means_and_spreads_of_times_are_times_and_of_others_numbers_as_asked():
    age, when = Numeric("age"), Numeric("when", "moment")
    assert [age.shown_mean(2.0), age.shown_mean(2 / 3), age.shown_spread(2 / 3)] == ["2", "0.666667", "0.666667"]
    assert age.shown_mean(2 / 3, "{:.1f}".format) == age.shown_spread(2 / 3, "{:.1f}".format) == "0.7"
    assert when.shown_mean(86400.4, "{:.1f}".format) == "1970-01-02"
    assert when.shown_spread(129600.0, "{:.1f}".format) == "1.5 days"
    assert when.shown_mean(float("nan")) == when.shown(float("nan"))
