"""The small print of C4.5 as J48 reads it: gaps, midpoints, the 10 % rule, the least weights, the raised branch.

That whole trees are J48's is tested in tests/j48, where it is at hand.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SufficeWarning
from suffice.kernels.tree_cut import between
from suffice.solve.trees.close_values import varies_without_gap


def errors(tree: sf.DecisionTreeClassifier, table: pd.DataFrame) -> int:
    return int((tree.predict(table) != table["y"].to_numpy()).sum())


# A cut needs a gap ---------------------------------------------------------------------------------------------------


close = pytest.mark.filterwarnings("ignore:.*no further apart:suffice.errors.SufficeWarning")


@close
def test_values_a_hundred_thousandth_apart_are_not_parted() -> None:
    table = pd.DataFrame({"x": [1, 1, 1.00001, 1.00001], "y": list("aabb")})
    assert sf.c45().fit(table, "y").node_count == 1
    assert sf.c45(prune=None).fit(table.assign(x=table["x"] * 10), "y").node_count == 3


def test_a_column_that_varies_without_a_gap_is_named() -> None:
    table = pd.DataFrame({"metres": np.arange(40) * 1e-6, "z": np.arange(40.0) % 7, "y": list("aabb") * 10})
    with pytest.warns(SufficeWarning, match="'metres' varies.*C4.5 cuts only"):
        sf.c45().fit(table, "y")
    sf.c45().fit(table.assign(metres=table["metres"] * 1e6), "y")
    sf.c45().fit(table.assign(metres=1.5), "y")
    sf.id3().fit(table, "y")


@pytest.mark.parametrize("seed", range(200))
def test_the_quick_look_for_gaps_finds_them_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.integers(0, 30, random.integers(1, 40)) * random.choice([1e-7, 1e-6, 4e-6, 1e-5, 1e-4, 1.0])
    values = np.where(random.random(len(values)) < 0.2, np.nan, values + random.choice([0.0, -3.0, 100.0]))
    known = sorted(values[~np.isnan(values)].tolist())
    pairs = list(pairwise(known))
    expected = any(a < b for a, b in pairs) and not any(a + 1e-5 < b for a, b in pairs)
    assert varies_without_gap(values) == expected


@close
@pytest.mark.parametrize("low", [0.0, 1.0, -1.0, 0.5, 3.7, 1e3, 123.456, -77.7])
def test_the_gap_is_asked_for_in_the_form_that_rounds_as_c45_does(low: float) -> None:
    """low + 1e-5 < high: taken as high − low > 1e-5 it would round differently."""
    for steps in range(-3, 4):
        high = low + 1e-5
        for _ in range(abs(steps)):
            high = float(np.nextafter(high, np.inf if steps > 0 else -np.inf))
        tree = sf.c45(prune=None).fit(pd.DataFrame({"x": [low, low, high, high], "y": list("aabb")}), "y")
        assert tree.node_count == (3 if low + 1e-5 < high else 1)


def test_only_gaps_count_as_cuts() -> None:
    """log2(number of cuts) / rows is taken off the gain: here there is one cut, so nothing is."""
    x = [0, 1e-6, 2e-6, 3e-6, 5, 5.000001, 5.000002, 5.000003]
    table = pd.DataFrame({"x": x, "y": list("aaaabbbb")})
    assert sf.c45(min_leaf=1).fit(table, "y").best_splits(table, "y")["x"].gain == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("criterion", ["information_gain", "gini"])
def test_the_other_criteria_part_neighbours_however_close(criterion: str) -> None:
    table = pd.DataFrame({"x": [1, 1, 1.00001, 1.00001], "y": list("aabb")})
    assert sf.DecisionTreeClassifier(criterion, prune=None).fit(table, "y").node_count == 3


# Subtree raising -----------------------------------------------------------------------------------------------------


def test_of_equally_heavy_branches_the_last_one_may_be_raised() -> None:
    cells = "v1 2 k1; v0 0 k2; v0 3 k2; v1 0 k2; v0 5 k0; v1 5 k0; v0 5 k0; v1 0 k0; v1 5 k1; v0 5 k2"
    table = pd.DataFrame([row.split() for row in cells.split("; ")], columns=["c0", "x1", "y"])
    table["x1"] = table["x1"].astype(float)
    tree = sf.c45().fit(table, "y")
    assert (tree.node_count, errors(tree, table)) == (7, 3)


# Thresholds ----------------------------------------------------------------------------------------------------------


def test_a_value_in_the_middle_is_the_threshold() -> None:
    """(−3 + 1.6) / 2 is −0.7; −3 + (1.6 − −3) / 2 is a little less, and −3 would be the largest value up to there."""
    table = pd.DataFrame(
        {"c": list("aaaaabbbb"), "x": [-3] * 3 + [1.6] * 2 + [-0.7] * 4, "y": ["k0"] * 3 + ["k1"] * 2 + ["k2"] * 4}
    )
    nodes = sf.c45().fit(table, "y").model_.nodes
    assert nodes.threshold[np.isfinite(nodes.threshold)].tolist() == [-0.7]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_midpoint_of_the_largest_numbers_is_between_them(sign: float) -> None:
    low, high = sorted([sign * 1.2e308, sign * 1.7e308])
    assert low < between(low, high) < high
    assert between(-1.7e308, 1.7e308) == 0.0
    assert between(1.0, float(np.nextafter(1.0, 2.0))) == 1.0


# A class that is declared and has no rows ----------------------------------------------------------------------------

X = list(range(41))
Y = ["b"] * 2 + ["a"] * 39


def arff(folder: Path, classes: str) -> Path:
    path = folder / "declared.arff"
    rows = "".join(f"{x},{y}\n" for x, y in zip(X, Y, strict=True))
    path.write_text(f"@relation r\n@attribute x numeric\n@attribute y {{{classes}}}\n@data\n{rows}")
    return path


def categories(classes: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"x": X, "y": pd.Categorical(Y, categories=classes)})


def dictionary(classes: list[str]) -> pa.Table:
    codes = pa.array([classes.index(y) for y in Y], pa.int32())
    return pa.table({"x": X, "y": pa.DictionaryArray.from_arrays(codes, classes)})


def only_threshold(table: Any) -> float:
    tree = sf.c45().fit(table, "y")
    assert tree.classes_.tolist() == ["a", "b"]
    assert tree.node_count == 3
    return float(tree.model_.nodes.threshold[0])


def test_a_class_without_rows_counts_in_the_ten_percent_rule(tmp_path: Path) -> None:
    """0.1 · 41 / 3 is below the minimum of 2; with two classes each side would need 2.05 rows."""
    assert only_threshold(arff(tmp_path, "a,b,c")) == only_threshold(arff(tmp_path, "c,b,a")) == 1
    assert only_threshold(categories(["a", "b", "c"])) == only_threshold(dictionary(["c", "b", "a"])) == 1
    assert only_threshold(arff(tmp_path, "a,b")) == only_threshold(categories(["a", "b"])) == 2


def test_a_declared_class_that_only_rows_without_weight_have_counts_too() -> None:
    table = categories(["a", "b", "c"])
    table = pd.concat([table, pd.DataFrame({"x": [7], "y": pd.Categorical(["c"], categories=list("abc"))})])
    tree = sf.c45().fit(table, "y", sample_weight=[1.0] * 41 + [0.0])
    assert tree.classes_.tolist() == ["a", "b"]
    assert tree.model_.nodes.threshold[0] == 1


def test_a_loaded_tree_knows_the_declared_classes(tmp_path: Path) -> None:
    table = categories(["a", "b", "c"])
    tree = sf.c45().fit(table, "y")
    tree.save(tmp_path / "tree.json")
    work = sf.load(tmp_path / "tree.json").best_splits(table, "y")
    assert work["x"].gain == tree.best_splits(table, "y")["x"].gain
    assert sf.load(tmp_path / "tree.json").model_.schema.declared_class_count == 3


# The least weights ---------------------------------------------------------------------------------------------------


def test_a_minimum_of_one_asks_for_a_weight_of_one_in_a_branch() -> None:
    table = pd.DataFrame({"x": [0.0, 0.0, 2.0], "y": list("aab")})
    assert sf.c45(min_leaf=1, prune=None).fit(table, "y").node_count == 3
    assert sf.c45(min_leaf=1, prune=None).fit(table, "y", sample_weight=[1, 1, 0.9]).node_count == 1
    assert sf.c45(min_leaf=0.9, prune=None).fit(table, "y", sample_weight=[1, 1, 0.9]).node_count == 3


@pytest.mark.parametrize(("lack", "nodes"), [(4e-7, 3), (7.5e-7, 1)])
def test_a_minimum_of_one_asks_for_a_weight_of_two_in_a_node(lack: float, nodes: int) -> None:
    """C4.5 takes for equal what differs by a millionth: a branch may lack 7.5e-7, and two such are too light a node."""
    table = pd.DataFrame({"x": [0.0, 2.0], "y": list("ab")})
    tree = sf.c45(min_leaf=1, prune=None).fit(table, "y", sample_weight=[1 - lack, 1 - lack])
    assert tree.node_count == nodes


def test_a_minimum_of_one_asks_for_it_also_with_missing_values() -> None:
    """Half of the row that lacks c stands with the two of u. By x it could be parted from them, but it is too light."""
    table = pd.DataFrame({"c": ["u", "u", "v", "v", None], "x": [0, 0, 0, 0, 1.0], "y": list("aabbb")})
    nodes = sf.c45(min_leaf=1, prune=None).fit(table, "y").model_.nodes
    assert nodes.statistic.tolist() == [[2, 3], [2, 0.5], [0, 2.5]]


def test_other_criteria_split_any_weight() -> None:
    table = pd.DataFrame({"x": [0.0, 1.0], "y": list("ab")})
    assert sf.id3().fit(table, "y", sample_weight=[0.1, 0.1]).node_count == 3
    assert sf.c45(min_leaf=1, prune=None).fit(table, "y", sample_weight=[0.1, 0.1]).node_count == 1
    assert sf.c45(min_leaf=0, prune=None).fit(table, "y", sample_weight=[0.1, 0.1]).node_count == 3


# What is equal -------------------------------------------------------------------------------------------------------


def test_a_later_column_must_be_better_by_more_than_a_millionth() -> None:
    """Half of one row in a thousand million tells u from v: to C4.5 they gain the same."""
    rows = 1000
    u = np.arange(rows) % 2
    y = np.where(u == 1, "a", "b")
    y[:100] = "a"
    table = pd.DataFrame({"u": u.astype(float), "v": u.astype(float), "y": y})
    table = pd.concat([table, pd.DataFrame({"u": [0.0], "v": [1.0], "y": ["a"]})], ignore_index=True)
    weight = np.append(np.ones(rows), 1e-6)
    assert sf.c45().fit(table, "y", sample_weight=weight).best_splits(table, "y", sample_weight=weight).best == "u"
    weight[-1] = 0.5
    assert sf.c45().fit(table, "y", sample_weight=weight).best_splits(table, "y", sample_weight=weight).best == "v"
