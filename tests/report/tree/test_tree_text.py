"""Trees as text: the deck's own form, which can be read back, and the description around it."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from mixed_rows import mixed_rows
from suffice.models.trees.nodes import ALL_BRANCHES, Nodes
from suffice.models.trees.tree import ClassificationTree, RegressionTree
from suffice.report.describe import describe
from suffice.report.extent import BRIEF
from suffice.report.tree.text import tree_lines
from suffice.schema import LeftOut, Nominal, Numeric, Schema


def chain(levels: int) -> ClassificationTree:
    """x <= levels, x <= levels − 1, ...: every second branch is a leaf."""
    count = 2 * levels + 1
    is_inner = np.arange(count) % 2 == 0
    is_inner[-1] = False
    first = np.where(is_inner, np.arange(count) + 1, -1)  # 0 → 1, 2; 2 → 3, 4; ...
    threshold = np.where(is_inner, np.arange(count) / 2, np.nan)
    none = np.full(count, ALL_BRANCHES, dtype=np.int32)
    weights = np.ones((count, 2)) * [[1.0, 2.0]]
    nodes = Nodes(
        np.where(is_inner, 0, -1).astype(np.int32),
        threshold,
        first.astype(np.int32),
        np.where(is_inner, 2, 0).astype(np.int32),
        none,
        none,
        np.empty(0, dtype=np.bool_),
        weights,
    )
    return ClassificationTree(Schema((Numeric("x"),), Nominal("y", ("a", "b"))), nodes)


def leaf(statistic: list[float], target: Nominal | Numeric) -> ClassificationTree | RegressionTree:
    none, nothing = np.full(1, -1, dtype=np.int32), np.zeros(1, dtype=np.int32)
    nodes = Nodes(none, np.full(1, np.nan), none, nothing, none, none, np.empty(0, bool), np.array([statistic]))
    kind = ClassificationTree if isinstance(target, Nominal) else RegressionTree
    return kind(Schema((Numeric("x"),), target), nodes)


def tree_text(model: ClassificationTree | RegressionTree) -> str:
    return "\n".join(tree_lines(model))


def table(seed: int, rows: int = 60, gaps: float = 0.0) -> pd.DataFrame:
    return mixed_rows(np.random.default_rng(seed), rows, gaps)


def test_every_branch_has_a_line_and_what_is_below_it_is_indented():
    model = sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis")
    assert tree_text(model.model_).splitlines() == [
        "Outlook = Overcast: Yes (4.0)",
        "Outlook = Rain",
        "|   Wind = Strong: No (2.0)",
        "|   Wind = Weak: Yes (3.0)",
        "Outlook = Sunny",
        "|   Humidity = High: No (3.0)",
        "|   Humidity = Normal: Yes (2.0)",
    ]


def test_a_leaf_of_numbers_says_their_mean_and_standard_deviation():
    settings = {"criterion": "standard_deviation", "splits": "multiway", "max_depth": 1}
    model = sf.DecisionTreeRegressor(**settings).fit(sf.datasets.load("hours_played"), "Hours Played")
    assert tree_text(model.model_).splitlines() == [
        "Outlook = Overcast: 49.25 (4.0, sd 7.60)",
        "Outlook = Rainy: 35.6 (5.0, sd 7.53)",
        "Outlook = Sunny: 41.8 (5.0, sd 13.83)",
    ]


# Odd trees ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statistic", "line"),
    [
        ([4208.0, 0.0], ": e (4208.0)"),
        ([4208.0, 3916.0], ": e (8124.0/3916.0)"),
        ([7.0, 0.04], ": e (7.0)"),
        ([7.0, 0.06], ": e (7.1/0.1)"),
    ],
)
def test_a_root_that_is_a_leaf_has_a_line_without_a_condition_and_errors_only_if_any_show(statistic, line):
    assert tree_text(leaf(statistic, Nominal("class", ("e", "p")))) == line


def test_a_single_leaf_of_numbers():
    assert tree_text(leaf([4.0, 2.5, 16.0], Numeric("hours"))) == ": 2.5 (4.0, sd 2.00)"
    assert tree_text(leaf([4.0, 2.5, 1e-4], Numeric("hours"))) == ": 2.5 (4.0, sd 0.005)"


def test_a_chain_of_thousands_of_levels_is_written_without_recursion():
    lines = list(tree_lines(chain(3000)))
    assert len(lines) == 6000
    assert lines[0] == "x <= 0: b (3.0/1.0)"
    assert lines[-1] == "|   " * 2999 + "x > 2999: b (3.0/1.0)"


# Reading it back ----------------------------------------------------------------------------------------------------


def fulfils(row: dict[str, object], condition: str) -> bool:
    if found := re.fullmatch(r"(\w+) in \{(.*)\}", condition):
        return row[found[1]] in found[2].split(", ")
    name, sign, value = condition.split(" ")
    if sign == "=":
        return row[name] == value
    return row[name] <= float(value) if sign == "<=" else row[name] > float(value)


def answer(text: str, row: dict[str, object]) -> str:
    """Follow the lines of a tree: at each level the first condition that holds, then only lines below it."""
    level = 0
    for line in text.splitlines():
        bars = line.count("|   ")
        condition, _, rest = line[4 * bars :].partition(": ")
        if bars == level and fulfils(row, condition):
            if rest:
                return rest.split(" ")[0]
            level += 1
    raise AssertionError("no leaf")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("make", [sf.id3, sf.c45, sf.cart])
def test_the_text_read_back_predicts_as_the_tree(make, seed):
    rows = table(seed)
    model = make(prune=None).fit(rows, "y")
    text = tree_text(model.model_)
    new = table(seed + 100).drop(columns="y")
    assert [answer(text, row) for row in new.to_dict("records")] == model.predict(new).tolist()


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("make", [sf.id3, sf.cart])
def test_the_weights_of_the_leaves_add_up_to_the_rows(make, gaps):
    text = tree_text(make(prune=None).fit(table(1, gaps=gaps), "y").model_)
    weights = [float(weight) for weight in re.findall(r"\((\d+\.\d)", text)]
    assert sum(weights) == pytest.approx(60, abs=0.05 * len(weights) + 1e-9)


# The description around it ------------------------------------------------------------------------------------------


def test_the_description_says_what_is_predicted_from_what_and_how_large_the_tree_is():
    model = sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis").model_
    heading, text = describe(model, "ID3").split("\n\n")
    assert heading == "ID3: PlayTennis with 2 classes, 0 numeric and 4 nominal columns, 5 leaves, 8 nodes, depth 2"
    assert text == tree_text(model)


def test_the_description_of_a_single_leaf_of_numbers():
    description = describe(leaf([4.0, 2.5, 16.0], Numeric("hours")), "Tree")
    assert description == (
        "Tree: hours, 1 numeric and 0 nominal columns, 1 leaf, 1 node, depth 0\n\n: 2.5 (4.0, sd 2.00)"
    )


def test_the_description_names_columns_left_out_and_notes():
    schema = Schema((Numeric("x"),), Nominal("y", ("a", "b")), (LeftOut("name", "an identifier"),), ("mind the gap",))
    description = describe(ClassificationTree(schema, chain(1).nodes), "Tree")
    assert description.endswith("left out: name (an identifier)\n\nnote: mind the gap")


def test_the_description_of_a_large_tree_is_its_beginning():
    description = describe(chain(2000), "Tree").splitlines()
    assert len(description) == 2 + BRIEF.lines + 1
    assert description[-1] == "… 3,000 more"
