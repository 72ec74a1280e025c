"""The tree that is grown level by level, from merged histograms, is the one that is grown in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError
from suffice.estimators import DecisionTree
from suffice.models.trees.nodes import Nodes
from suffice.solve.trees.counted.intervals import sampled_edges
from suffice.solve.trees.grow import grow
from suffice.solve.trees.level_wise import grow_level_wise
from suffice.sources import Table, gathered
from suffice.sources.local import in_chunks


def _frame(rows: int, seed: int, with_missing: bool = True) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.normal(size=(rows, 3)), columns=list("abc"))
    frame["few"] = random.integers(0, 6, rows).astype(float)
    frame["color"] = pd.Categorical.from_codes(random.integers(0, 5, rows), list("rgbwk"))
    score = frame["a"] + frame["b"] * (frame["color"] == "r") + 0.3 * frame["few"] + random.normal(size=rows)
    if with_missing:
        frame.loc[random.random(rows) < 0.1, "a"] = np.nan
        frame.loc[random.random(rows) < 0.1, "color"] = None
    frame["class"] = np.where(score > 1.5, "high", np.where(score > 0, "middle", "low"))
    frame["number"] = score
    return frame


def _both(tree: DecisionTree, frame: pd.DataFrame, target: str, chunk_rows: int, weight: Any = None) -> list[Nodes]:
    table = tree._training_table(frame, target, weight)
    rows = tree._rows(gathered(table))
    rule = tree._settings().rule(rows)
    centre = 0.0 if rule.classifies else float(rows.outcome.mean())
    slices = replace(table, engine=in_chunks(table.engine, chunk_rows))
    assert isinstance(slices, Table)
    streamed = grow_level_wise(slices.measure, table.schema, rule, sampled_edges(rows.batch), centre)
    return [grow(rows, rule), streamed]


def _same(first: Nodes, second: Nodes) -> None:
    for name in ("column", "first_branch", "branch_count", "missing_branch", "subset", "takes_first"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
    np.testing.assert_array_equal(first.threshold, second.threshold)
    np.testing.assert_allclose(first.statistic, second.statistic, rtol=1e-9, atol=1e-7)


@pytest.mark.parametrize("rows", [300, 6000])
@pytest.mark.parametrize("criterion", ["information_gain", "gini", "variance", "standard_deviation"])
def test_the_tree_from_merged_slices_is_the_tree_in_memory(criterion: str, rows: int) -> None:
    tree = sf.cart(criterion=criterion, prune=None, max_depth=7, min_leaf=3)
    left_out = "number" if criterion in ("information_gain", "gini") else "class"
    target = "class" if left_out == "number" else "number"
    _same(*_both(tree, _frame(rows, 1).drop(columns=left_out), target, chunk_rows=rows // 7))


def test_branches_for_every_level_and_weights_work_level_by_level() -> None:
    frame = _frame(4000, 2, with_missing=False).drop(columns="number")
    frame["weight"] = np.random.default_rng(0).integers(1, 4, len(frame))
    tree = sf.id3(missing="direction", max_depth=5, min_leaf=5)
    _same(*_both(tree, frame, "class", 999, weight="weight"))


def test_gain_ratio_and_fractional_instances_are_refused_with_a_reason() -> None:
    for tree in (sf.c45(), sf.id3()):
        with pytest.raises(SettingError, match="need the rows in memory"):
            _both(tree, _frame(100, 3).drop(columns="number"), "class", 50)
