"""Trees grown side by side are the trees grown one by one; parts of rows are not parted for ever."""

from __future__ import annotations

import cProfile
import pstats

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import suffice as sf
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.trees.grow import grow, grow_each
from suffice.solve.trees.learn import TreeSettings
from suffice.solve.trees.training_rows import TrainingRows

ROWS = 120
MOST_CALLS = 9_000  # of functions, to prune iris by ten folds; one tree after the other takes 19,000


def _rows(random: np.random.Generator, classifies: bool, gaps: float, is_weighted: bool) -> TrainingRows:
    numeric = random.normal(size=(ROWS, 3)).round(1)
    outcome = numeric[:, 0] + random.normal(size=ROWS)
    numeric[random.random(numeric.shape) < gaps] = np.nan
    codes = random.integers(-1 if gaps else 0, 4, (1, ROWS)).astype(np.int32)
    columns = (Numeric("a"), Numeric("b"), Numeric("c"), Nominal("word", ("k", "l", "m", "n")))
    schema = Schema(columns, Nominal("y", (0, 1, 2)) if classifies else Numeric("y"))
    outcome = np.digitize(outcome, [-0.5, 0.8]).astype(float) if classifies else outcome
    weight = random.integers(1, 4, ROWS).astype(float) if is_weighted else np.empty(0)
    return TrainingRows(Batch(schema, numeric, codes), outcome, weight)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("missing", ["direction", "fractional"])
@pytest.mark.parametrize("criterion", ["gini", "information_gain", "variance"])
def test_trees_of_some_of_the_rows_are_the_same_at_once(criterion: str, missing: str, gaps: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = _rows(random, criterion != "variance", gaps, is_weighted=seed % 2 == 1)
    settings = TreeSettings(criterion, "binary", missing, None)
    is_in = random.random((5, ROWS)) < 0.8
    is_in[3] = rows.outcome == rows.outcome[0]  # nothing to split
    rule = settings.rule(rows)
    trees = grow_each(rows, rule, is_in)
    assert trees.root[:5].tolist() == [0, 1, 2, 3, 4]
    for root, own in enumerate(is_in):
        nodes = trees.renumbered(root)
        assert np.count_nonzero(trees.root == root) == nodes.count
        alone = grow(rows.take(np.flatnonzero(own)), rule)
        np.testing.assert_array_equal(nodes.column, alone.column)
        np.testing.assert_array_equal(nodes.threshold, alone.threshold)
        np.testing.assert_array_equal(nodes.first_branch, alone.first_branch)
        np.testing.assert_array_equal(nodes.missing_branch, alone.missing_branch)
        np.testing.assert_array_equal(nodes.takes_first, alone.takes_first)
        np.testing.assert_allclose(nodes.statistic, alone.statistic, rtol=1e-9, atol=1e-9)


def test_pruning_by_folds_takes_few_calls() -> None:
    x, y = load_iris(return_X_y=True)
    sf.cart().fit(x, y)
    profile = cProfile.Profile()
    profile.enable()
    sf.cart().fit(x, y)
    profile.disable()
    assert pstats.Stats(profile).total_calls < MOST_CALLS  # type: ignore[attr-defined]


@pytest.mark.parametrize("criterion", ["information_gain", "standard_deviation"])
def test_a_tree_has_no_more_leaves_than_rows_however_much_is_missing(criterion: str) -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(1500, 6)), columns=list("abcdef"))
    table["word"] = random.choice(["k", "l", "m", "n"], 1500)
    table = table.mask(random.random(table.shape) < 0.2)
    table["y"] = random.normal(size=1500) if criterion == "standard_deviation" else random.choice(["p", "q"], 1500)
    assert sf.id3(criterion=criterion).fit(table, "y").leaf_count < 2 * 1500


def test_the_scale_of_the_weights_does_not_part_rows_otherwise() -> None:
    random = np.random.default_rng(1)
    table = pd.DataFrame(random.normal(size=(60, 3)), columns=list("abc"))
    table = table.mask(random.random(table.shape) < 0.2).assign(y=random.choice(["p", "q"], 60))
    whole = sf.id3().fit(table, "y")
    light = sf.id3().fit(table, "y", sample_weight=np.full(60, 0.125))
    np.testing.assert_array_equal(light.model_.nodes.column, whole.model_.nodes.column)
