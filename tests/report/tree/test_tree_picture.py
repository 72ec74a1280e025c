from __future__ import annotations

import inspect
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.errors import SettingError
from suffice.models.trees.nodes import ALL_BRANCHES, Nodes
from suffice.models.trees.tree import ClassificationTree, RegressionTree, TreeModel
from suffice.report.tree.boxes import MOST_BESIDE, MOST_BOXES, Kind, branches_of, tree_boxes
from suffice.report.tree.layout import tidy_centres
from suffice.report.tree.picture import TreePicture, tree_picture
from suffice.schema import Level, Nominal, Numeric, Schema

SVG = "{http://www.w3.org/2000/svg}"
LETTERS = tuple("abcdefghijklmnopqrst")
COLUMNS = (
    Numeric("length"),
    Nominal("letter", LETTERS),
    Nominal("colour of the third stripe from the left", ("red", "green", "blue")),
)


def tree(
    columns: list[int],
    branch_counts: list[int],
    statistic: np.ndarray,
    schema: Schema,
    takes_first: list[list[bool]] | None = None,
) -> TreeModel:
    """A tree from its nodes, level by level: the column each tests (-1: a leaf) and how many branches it has."""
    count = len(columns)
    counts = np.array(branch_counts, dtype=np.int32)
    is_numeric = [column >= 0 and isinstance(schema.columns[column], Numeric) for column in columns]
    subset = np.full(count, -1, dtype=np.int32)
    subsets = takes_first or []
    binary = [
        node
        for node in range(count)
        if columns[node] >= 0
        and not is_numeric[node]
        and counts[node] == 2
        and len(getattr(schema.columns[columns[node]], "levels", ())) > 2
    ]
    for node, begin in zip(binary, np.cumsum([0, *map(len, subsets)]), strict=False):
        subset[node] = begin
    first = np.where(counts > 0, 1 + np.cumsum(counts) - counts, -1).astype(np.int32)
    nodes = Nodes(
        np.array(columns, dtype=np.int32),
        np.where(is_numeric, 2.45, np.nan),
        first,
        counts,
        np.full(count, ALL_BRANCHES, dtype=np.int32),
        subset,
        np.array([takes for one in subsets for takes in one], dtype=np.bool_),
        np.asarray(statistic, dtype=float),
    )
    kind = ClassificationTree if isinstance(schema.target, Nominal) else RegressionTree
    return kind(schema, nodes)


def random_tree(seed: int, questions: int, gives_numbers: bool) -> TreeModel:
    random = np.random.default_rng(seed)
    columns, counts, waiting = [], [], 1
    while waiting:
        waiting -= 1
        asks = len([column for column in columns if column >= 0])
        is_question = asks < questions and (waiting == 0 or random.random() < 0.6)
        column = int(random.integers(len(COLUMNS))) if is_question else -1
        columns.append(column)
        counts.append((2, len(LETTERS), 3)[column] if is_question else 0)
        waiting += counts[-1]
    classes = 3
    if gives_numbers:
        rows = random.integers(0, 4, len(columns)).astype(float)
        statistic = np.stack([rows, random.normal(size=len(columns)), rows * random.random(len(columns))], axis=1)
    else:
        statistic = random.integers(0, 3, (len(columns), classes)).astype(float)
    inner = [column >= 0 for column in columns]
    statistic[inner] += 1.0
    statistic[0] += 100.0
    target = Numeric("hours") if gives_numbers else Nominal("kind", ("first", "second", "third"))
    return tree(columns, counts, statistic, Schema(COLUMNS, target))


def chain(levels: int) -> TreeModel:
    """A tree in which every question has one leaf and one more question."""
    columns = [0, *([-1, 0] * (levels - 1)), -1, -1]
    counts = [2, *([0, 2] * (levels - 1)), 0, 0]
    statistic = np.ones((len(columns), 2))
    return tree(columns, counts, statistic, Schema((Numeric("x"),), Nominal("y", ("no", "yes"))))


def wide_tree(weights: list[tuple[float, float]], levels: tuple[Level, ...]) -> TreeModel:
    """One nominal question."""
    statistic = np.array([np.sum(weights, axis=0), *weights])
    columns, counts = [0, *[-1] * len(levels)], [len(levels), *[0] * len(levels)]
    return tree(columns, counts, statistic, Schema((Nominal("letter", levels),), Nominal("y", ("no", "yes"))))


def parsed(picture: TreePicture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg)


def groups(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [group for group in root.iter(f"{SVG}g") if kind in group.get("class", "").split()]


def written(picture: TreePicture, kind: str = "node") -> list[list[str]]:
    return [[text.text or "" for text in group.iter(f"{SVG}text")] for group in groups(parsed(picture), kind)]


def extent(group: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of everything in a group."""
    sides = [
        [float(shape.get(name, 0)) for name in ("x", "y", "width", "height")] for shape in group.iter(f"{SVG}rect")
    ]
    left, top = min(x for x, *_ in sides), min(y for _, y, *_ in sides)
    return left, top, max(x + width for x, _, width, _ in sides), max(y + height for _, y, _, height in sides)


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    slack = 0.2  # coordinates are rounded
    return (
        one[0] < other[2] - slack
        and other[0] < one[2] - slack
        and one[1] < other[3] - slack
        and other[1] < one[3] - slack
    )


# Where boxes stand ----------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    questions=st.integers(0, 12),
    gives_numbers=st.booleans(),
    depth=st.none() | st.integers(0, 6),
)
def test_no_boxes_and_no_labels_overlap_or_leave_the_picture(
    seed: int, questions: int, gives_numbers: bool, depth: int | None
) -> None:
    root = parsed(tree_picture(random_tree(seed, questions, gives_numbers), depth))
    places = [extent(group) for kind in ("node", "condition") for group in groups(root, kind)]
    assert not any(overlap(one, other) for one, other in combinations(places, 2))
    (drawn,) = [group for group in root if len(groups(group, "node"))]
    right, down = (float(part) for part in re.findall(r"[\d.]+", drawn.get("transform", "")))
    _, _, width, height = (float(part) for part in root.get("viewBox", "").split())
    assert min(left for left, *_ in places) + right >= 0
    assert max(place[2] for place in places) + right <= width
    assert max(place[3] for place in places) + down <= height


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), questions=st.integers(1, 30))
def test_parents_stand_in_the_middle_of_their_branches_and_branches_in_order(seed: int, questions: int) -> None:
    boxes = tree_boxes(random_tree(seed, questions, False), 99)
    widths = np.random.default_rng(seed).uniform(10, 90, len(boxes)).tolist()
    branches = branches_of(boxes)
    centres = tidy_centres(branches, widths, gap=5)
    for box, below in enumerate(branches):
        if below:
            assert centres[box] == pytest.approx((centres[below[0]] + centres[below[-1]]) / 2)
    by_level: dict[int, list[int]] = {}
    for position, box in enumerate(boxes):
        by_level.setdefault(box.level, []).append(position)
    for beside in by_level.values():
        for one, other in pairwise(beside):
            assert centres[other] - centres[one] >= (widths[one] + widths[other]) / 2 + 5 - 1e-6


def test_a_tree_and_its_mirror_image_are_drawn_alike() -> None:
    branches = [[1, 2, 3], [4, 5, 6], [], [7], [], [], [], []]
    mirrored = [[1, 2, 3], [4], [], [5, 6, 7], [], [], [], []]
    centres = tidy_centres(branches, [10.0] * 8, gap=2)
    others = tidy_centres(mirrored, [10.0] * 8, gap=2)
    width = max(centres) + 5
    assert [width - centre for centre in centres] == pytest.approx([others[k] for k in (0, 3, 2, 1, 7, 6, 5, 4)])


def test_a_tree_of_more_levels_than_python_s_calls_may_have_is_drawn() -> None:
    usual, few = sys.getrecursionlimit(), len(inspect.stack(0)) + 150
    levels = few + 100
    model = chain(levels)
    sys.setrecursionlimit(few)  # so that a small tree is deep
    try:
        part, whole = (parsed(tree_picture(model, depth)) for depth in (None, levels))
    finally:
        sys.setrecursionlimit(usual)
    assert len(groups(part, "node")) <= MOST_BOXES
    assert len(groups(whole, "node")) == 2 * levels + 1


# What boxes stand for -------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), questions=st.integers(0, 40), depth=st.none() | st.integers(0, 5))
def test_every_leaf_is_in_one_box_or_below_one(seed: int, questions: int, depth: int | None) -> None:
    model = random_tree(seed, questions, gives_numbers=bool(seed % 2))
    boxes = tree_boxes(model, depth)
    ends = [node for box in boxes if box.kind is not Kind.QUESTION for node in box.nodes]
    assert len(ends) == len(set(ends))
    for leaf in np.flatnonzero(model.nodes.is_leaf):
        above = {*model.nodes.path(int(leaf))}
        assert len(above & set(ends)) == 1
    assert sum(box.leaves for box in boxes if box.kind is not Kind.QUESTION) == model.nodes.leaf_count
    assert len(written(tree_picture(model, depth))) == len(boxes)


def test_a_folded_subtree_says_how_many_leaves_it_has() -> None:
    picture = tree_picture(chain(10), depth=2)
    assert written(picture, "folded") == [["9 leaves below", "n = 2"]]
    assert "2 of 10 levels drawn" in picture.svg


def test_a_tree_of_one_leaf_is_one_box() -> None:
    model = tree([-1], [0], np.array([[5.0, 3.0]]), Schema((Numeric("x"),), Nominal("y", ("no", "yes"))))
    assert written(tree_picture(model)) == [["no", "n = 8, 62 %"]]


def test_branches_without_rows_share_a_box() -> None:
    model = wide_tree([(3, 0), (0, 0), (0, 2), (0, 0)], ("a", "b", "c", "d"))
    picture = tree_picture(model)
    assert written(picture, "no-rows") == [["others: no rows"]]
    assert written(picture, "condition") == [["= a"], ["= c"], ["∈ {b, d}"]]
    alone = tree_picture(wide_tree([(3, 0), (0, 0), (0, 2)], ("a", "b", "c")))
    assert written(alone, "no-rows") == [["no rows"]]


def test_leaves_of_one_class_share_a_box_where_there_are_many_branches() -> None:
    picture = tree_picture(wide_tree([(2, 0), (0, 1)] * 4, LETTERS[:8]))
    assert written(picture, "leaf") == [["no", "n = 8"], ["yes", "n = 4"]]
    assert written(picture, "condition") == [["∈ {a, c, e, g}"], ["∈ {b, d, f, h}"]]
    few = tree_picture(wide_tree([(2, 0), (0, 1)] * 3, LETTERS[:6]))
    assert len(written(few, "leaf")) == 6


def test_the_lightest_leaves_share_a_box_where_there_are_very_many() -> None:
    weights = np.arange(1.0, 21.0)
    statistic = np.stack([np.append(weights.sum(), weights), np.arange(21.0), np.zeros(21)], axis=1)
    columns, counts = [1, *[-1] * 20], [20, *[0] * 20]
    model = tree(columns, counts, statistic, Schema(COLUMNS, Numeric("hours")))
    boxes = tree_boxes(model, None)
    assert len(boxes) == 1 + MOST_BESIDE
    assert boxes[-1].nodes == tuple(range(1, 12))
    mean = np.average(np.arange(1.0, 12.0), weights=weights[:11])
    (folded,) = written(tree_picture(model), "folded")
    assert folded[0] == "11 leaves"
    assert folded[1].startswith(f"mean {mean:.4g}")


def test_conditions_read_without_the_columns_name() -> None:
    schema = Schema(COLUMNS, Nominal("y", ("no", "yes")))
    numeric = tree([0, -1, -1], [2, 0, 0], np.ones((3, 2)), schema)
    assert written(tree_picture(numeric), "condition") == [["≤ 2.45"], ["> 2.45"]]
    parts = [[True, False, False]]
    nominal = tree([2, -1, -1], [2, 0, 0], np.ones((3, 2)), schema, parts)
    assert written(tree_picture(nominal), "condition") == [["= red"], ["∈ {green, blue}"]]
    known = tree([2, -1, -1], [2, 0, 0], np.ones((3, 2)), schema, [[True, True, True]])
    assert written(tree_picture(known), "condition") == [["known"], ["missing"]]
    many = tree([1, -1, -1], [2, 0, 0], np.ones((3, 2)), schema, [[True, *[False] * 19]])
    assert written(tree_picture(many), "condition")[1][0].endswith(", …}")


# What is written ------------------------------------------------------------------------------------------------


def test_names_levels_and_classes_may_hold_anything() -> None:
    odd = '<b> & "c" \x00\n\ud800 ]]>'
    columns = (Nominal(odd, (odd, "<&", "'\"")),)
    model = tree([0, -1, -1, -1], [3, 0, 0, 0], np.ones((4, 2)), Schema(columns, Nominal(odd, (odd, "&amp;"))))
    picture = tree_picture(model)
    assert written(picture)[0][0] == '<b> & "c" \ufffd \ufffd ]]>'
    assert ["= <&"] in written(picture, "condition")
    assert "&amp;amp;" in picture.svg
    picture.svg.encode("utf-8")


def test_long_names_are_shortened_and_whole_in_the_tooltip() -> None:
    name = "average consumption of electricity per household and month"
    schema = Schema((Numeric(name),), Nominal("y", ("no", "yes")))
    picture = tree_picture(tree([0, -1, -1], [2, 0, 0], np.ones((3, 2)), schema))
    (heading, _), *_ = written(picture)
    assert "…" in heading
    assert heading.endswith("month")
    root = parsed(picture)
    assert any(name in (title.text or "") for title in groups(root, "question")[0].iter(f"{SVG}title"))


def test_a_legend_of_many_classes_ends_early() -> None:
    schema = Schema((Numeric("x"),), Nominal("y", tuple(range(30))))
    picture = tree_picture(tree([0, -1, -1], [2, 0, 0], np.ones((3, 30)), schema))
    assert "… and 18 more" in picture.svg


def test_regression_shows_mean_deviation_and_rows() -> None:
    statistic = np.array([[4.0, 2.5, 5.0], [2.0, 1.5, 0.5], [2.0, 3.5, 0.5]])
    model = tree([0, -1, -1], [2, 0, 0], statistic, Schema(COLUMNS, Numeric("hours")))
    picture = tree_picture(model)
    assert written(picture) == [
        ["length", "mean 2.5, sd 1.12", "n = 4"],
        ["1.5", "sd 0.5", "n = 2"],
        ["3.5", "sd 0.5", "n = 2"],
    ]


def test_all_text_is_large_enough_to_read() -> None:
    sizes = [float(text.get("font-size", 0)) for text in parsed(tree_picture(chain(5), 3)).iter(f"{SVG}text")]
    assert min(sizes) >= 11


# What can be done with it ---------------------------------------------------------------------------------------


def test_a_picture_shows_itself_in_notebooks() -> None:
    picture = tree_picture(chain(2))
    assert picture._repr_svg_() == str(picture) == picture.svg
    assert picture.svg in picture._repr_html_()
    assert len(repr(picture)) < 100


def test_save_writes_a_whole_file_and_nothing_else(tmp_path: object) -> None:
    picture = tree_picture(chain(2))
    path = os.path.join(str(tmp_path), "tree.svg")
    for _ in range(2):  # the second replaces the first
        picture.save(path)
        with open(path, encoding="utf-8") as file:
            assert file.read() == picture.svg
    assert os.listdir(str(tmp_path)) == ["tree.svg"]


@pytest.mark.parametrize("name", ["tree.png", "tree", "no/such/folder/tree.svg"])
def test_save_refuses_what_it_cannot_write(tmp_path: object, name: str) -> None:
    with pytest.raises(SettingError, match=r"Save it as \.svg|Make it first"):
        tree_picture(chain(2)).save(os.path.join(str(tmp_path), name))
    assert os.listdir(str(tmp_path)) == []


@pytest.mark.parametrize("depth", [-1, 2.0, True, "3"])
def test_depth_is_a_whole_number(depth: object) -> None:
    with pytest.raises(SettingError, match="whole number"):
        tree_picture(chain(2), depth)  # type: ignore[arg-type]
