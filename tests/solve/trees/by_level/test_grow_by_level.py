"""A tree that is grown level by level, in passes, is the tree that is grown in memory."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import suffice as sf
from suffice.models.trees.nodes import Nodes
from suffice.solve.trees.by_level.budget import Budget
from suffice.solve.trees.by_level.edges import MeasureValues
from suffice.solve.trees.by_level.learn_by_level import TreeByLevel
from suffice.solve.trees.learn import learn
from suffice.solve.trees.row_facts import MeasureRows
from suffice.sources import Table, gathered

ALL_BY_LEVEL = 2_000  # bytes: not even a few rows fit
SOME_IN_MEMORY = 60_000  # nodes of about a hundred rows do
FIELDS = ("column", "threshold", "first_branch", "branch_count", "missing_branch")
WAYS = [(splits, missing) for splits in ("binary", "multiway") for missing in ("fractional", "direction")]


@cache
def table_of(rows: int, seed: int, gaps: float = 0.1) -> pd.DataFrame:
    """Numbers of few values, levels, a class and a number that depend on them, and whole weights; not to be changed."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.integers(0, 30, (rows, 2)) / 7, columns=["a", "b"])
    frame["few"] = random.integers(0, 5, rows).astype(float)
    frame["color"] = pd.Categorical.from_codes(random.integers(0, 5, rows), list("rgbwk"))
    score = frame["a"] - 2 + frame["b"] * (frame["color"] == "r") - (frame["few"] > 2) + random.normal(size=rows)
    frame.loc[random.random(rows) < gaps, "a"] = np.nan
    frame.loc[random.random(rows) < gaps, "color"] = None
    frame["class"] = np.where(score > 1.5, "high", np.where(score > 0, "middle", "low"))
    frame["number"] = score
    frame["weight"] = random.integers(1, 4, rows).astype(float)
    return frame


def both(tree: Any, frame: pd.DataFrame, memory: int, weight: Any = None, chunk_rows: int = 170) -> tuple[Nodes, Nodes]:
    """The same tree from all rows at once, and in passes over slices."""
    target = "class" if tree._classifies else "number"
    left_out = [name for name in ("class", "number", "weight") if name not in (target, weight)]
    table = tree._opened(frame.drop(columns=left_out), target, weight).table()
    assert isinstance(table, Table)
    options = tree._settings()
    slices = table.in_slices(chunk_rows)
    reading = tree._row_reading(slices.measure, table.schema)
    facts, values = slices.measure(MeasureRows(reading)), slices.measure(MeasureValues(reading))
    by_level = TreeByLevel(slices, reading, options, Budget(memory)).learn(facts, values.edges(table.schema))
    return learn(tree._rows(gathered(table)), options), by_level


def assert_same(here: Nodes, there: Nodes, levels: int = 5) -> None:
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(here, name), getattr(there, name), err_msg=name)
    np.testing.assert_array_equal(here.subset >= 0, there.subset >= 0)
    for mine, theirs in zip(here.subset[here.subset >= 0], there.subset[there.subset >= 0], strict=True):
        mine_first, theirs_first = here.takes_first[mine : mine + levels], there.takes_first[theirs : theirs + levels]
        np.testing.assert_array_equal(mine_first, theirs_first)
    np.testing.assert_allclose(here.statistic, there.statistic, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize(("splits", "missing"), WAYS)
@pytest.mark.parametrize("criterion", ["gini", "information_gain", "gain_ratio"])
def test_a_tree_of_classes_is_the_one_in_memory(
    criterion: str, splits: str, missing: str, gaps: float, weight: Any
) -> None:
    tree = sf.DecisionTreeClassifier(criterion, splits, missing, None, min_leaf=4)
    here, there = both(tree, table_of(600, 1, gaps), SOME_IN_MEMORY, weight)
    assert here.count > 30
    assert_same(here, there)


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize(("splits", "missing"), WAYS)
@pytest.mark.parametrize("criterion", ["variance", "standard_deviation"])
def test_a_tree_of_numbers_is_the_one_in_memory(
    criterion: str, splits: str, missing: str, gaps: float, weight: Any
) -> None:
    tree = sf.DecisionTreeRegressor(criterion, splits, missing, min_leaf=4)
    assert_same(*both(tree, table_of(600, 2, gaps), SOME_IN_MEMORY, weight))


@pytest.mark.parametrize(
    "make", [sf.id3, sf.c45, lambda **more: sf.cart(prune=None, **more)], ids=["id3", "c45", "cart"]
)
def test_every_level_down_to_the_leaves_may_be_counted(make: Any) -> None:
    assert_same(*both(make(max_depth=4), table_of(400, 3), ALL_BY_LEVEL))


@pytest.mark.parametrize("class_weight", ["balanced", {"high": 3.0, "low": 0.5}, {"low": 0.0}])
def test_classes_may_count_for_more_or_for_nothing(class_weight: Any) -> None:
    tree = sf.DecisionTreeClassifier(class_weight=class_weight)
    assert_same(*both(tree, table_of(500, 4), SOME_IN_MEMORY))


@pytest.mark.parametrize(
    "settings", [{"max_leaves": 7}, {"min_weight_fraction_leaf": 0.05}, {"min_split": 60}], ids=str
)
def test_limits_on_size_are_kept(settings: dict[str, Any]) -> None:
    assert_same(*both(sf.DecisionTreeClassifier("gini", **settings, prune=None), table_of(500, 5), SOME_IN_MEMORY))


@pytest.mark.parametrize("memory", [20_000, SOME_IN_MEMORY])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "settings",
    [
        ("gain_ratio", "multiway", "fractional"),
        ("gain_ratio", "binary", "fractional"),
        ("gini", "binary", "direction"),
        ("information_gain", "multiway", "direction"),
    ],
    ids=" ".join,
)
def test_pessimistic_pruning_raises_the_same_subtrees(settings: tuple[str, str, str], seed: int, memory: int) -> None:
    tree = sf.DecisionTreeClassifier(*settings, "pessimistic", min_leaf=2)
    assert_same(*both(tree, table_of(500, seed, 0.15 * (seed % 2)), memory))


@pytest.mark.parametrize(
    "tree",
    [
        sf.cart(),
        sf.cart(criterion="variance"),
        sf.c45(prune="reduced_error"),
        sf.DecisionTreeRegressor(prune="reduced_error"),
    ],
    ids=lambda tree: f"{type(tree).__name__} {tree.prune}",
)
def test_pruning_by_folds_leaves_a_tree_that_is_whole_and_smaller(tree: Any) -> None:
    frame = table_of(500, 6)
    here, there = both(tree, frame, SOME_IN_MEMORY)
    full = both(type(tree)(**{**tree.get_params(), "prune": None}), frame, SOME_IN_MEMORY)[1]
    assert 1 < there.count < full.count
    assert there.count < 4 * here.count
    if tree.prune == "cost_complexity":  # all rows are in the tree
        np.testing.assert_allclose(there.statistic[0], full.statistic[0])


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(5, 200),
    gaps=st.sampled_from([0.0, 0.3]),
    memory=st.sampled_from([5_000, 20_000, SOME_IN_MEMORY]),
    chunk_rows=st.integers(3, 90),
    criterion=st.sampled_from(["gini", "gain_ratio", "variance"]),
)
def test_small_tables_in_any_slices_give_the_same_tree(
    seed: int, rows: int, gaps: float, memory: int, chunk_rows: int, criterion: str
) -> None:
    frame = table_of(rows, seed, gaps).copy()
    codes, first = frame["color"].cat.codes.to_numpy().copy(), np.arange(rows) < 5
    codes[first] = np.arange(5)  # every level and every class occurs
    frame["color"] = pd.Categorical.from_codes(codes, list("rgbwk"))
    frame.loc[first, "class"] = ["high", "low", "middle", "low", "high"]
    tree = sf.DecisionTreeRegressor() if criterion == "variance" else sf.DecisionTreeClassifier(criterion, min_leaf=1)
    assert_same(*both(tree, frame, memory, chunk_rows=chunk_rows))
