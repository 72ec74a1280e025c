import numpy as np

from suffice.schema import Alignment, Nominal, Numeric, Schema, picked, positions

OLD = Schema((Nominal("wind", ("Strong", "Weak")), Numeric("heat")), Nominal("play", ("No", "Yes")))
NEW = Schema((Numeric("heat"), Nominal("wind", ("Gale", "Weak", "Strong"))), Nominal("play", ("Yes", "Maybe", "No")))


def test_levels_are_found_by_label_and_new_ones_are_at_minus_one():
    assert positions(("a", "b", "c"), ("c", "d", "a")).tolist() == [2, -1, 0]


def test_the_same_levels_stay_where_they_are():
    assert positions(("a", "b"), ("a", "b")).tolist() == [0, 1]
    assert positions((), ()).tolist() == []


def test_a_whole_number_and_its_float_are_the_same_level():
    assert positions((1, 2), (2.0, 1.0)).tolist() == [1, 0]


def test_the_text_of_a_number_is_another_level():
    assert positions((1, 2), ("1", 2)).tolist() == [-1, 1]


def test_an_alignment_matches_classes_by_label_and_columns_by_name():
    alignment = Alignment.between(OLD, NEW)
    assert alignment.schema is NEW
    assert alignment.classes.tolist() == [1, -1, 0]
    assert [levels.tolist() for levels in alignment.levels] == [[-1, 1, 0]]


def test_choosing_classes_leaves_every_level_in_place():
    alignment = Alignment.of_classes([2, -1], NEW)
    assert alignment.classes.tolist() == [2, -1]
    assert [levels.tolist() for levels in alignment.levels] == [[0, 1, 2]]


def test_picking_takes_positions_along_an_axis_and_zeros_elsewhere():
    table = np.arange(1.0, 7.0).reshape(2, 3)
    assert picked(table, np.array([1, -1, 0])).tolist() == [[4, 5, 6], [0, 0, 0], [1, 2, 3]]
    assert picked(table, np.array([2, -1]), axis=1).tolist() == [[3, 0], [6, 0]]


def test_picking_leaves_the_original_untouched():
    table = np.ones((2, 2))
    picked(table, np.array([0, -1]))
    picked(table, np.array([0, 1]))[:] = 5.0
    assert table.tolist() == [[1, 1], [1, 1]]


def test_picking_from_nothing_gives_zeros():
    assert picked(np.empty((0, 2)), np.array([-1, -1])).tolist() == [[0, 0], [0, 0]]
    assert picked(np.empty((3, 0)), np.array([-1]), axis=1).shape == (3, 1)


def test_picking_nothing_gives_nothing():
    assert picked(np.ones((2, 3)), np.array([], dtype=np.int32)).shape == (0, 3)


def test_picking_works_along_the_inner_axes_of_a_cube():
    cube = np.arange(8.0).reshape(2, 2, 2)
    found = picked(picked(cube, np.array([1, -1, 0]), axis=1), np.array([1, -1, 0]), axis=2)
    assert found.shape == (2, 3, 3)
    assert found[1].tolist() == [[7, 0, 6], [0, 0, 0], [5, 0, 4]]
