"""L30, deck 004: C4.5's threshold is the largest value in the whole training set that does not exceed the midpoint."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf


def test_the_threshold_is_a_value_of_the_training_set() -> None:
    table = pd.DataFrame({"weight": [10.0, 17.0, 35.0, 60.0], "y": ["p", "p", "q", "q"]})
    assert sf.id3().fit(table, "y").model_.nodes.threshold[0] == 26.0
    assert sf.c45(min_leaf=1, prune=None).fit(table, "y").model_.nodes.threshold[0] == 17.0


def nested() -> pd.DataFrame:
    """Below `group = a`, x is cut between 10 and 20; rows of group b have 13, 15 (the midpoint) and 18."""
    return pd.DataFrame(
        {
            "group": ["a"] * 12 + ["b"] * 6,
            "x": [9.0, 10.0] * 3 + [20.0, 21.0] * 3 + [13.0, 15.0, 18.0] * 2,
            "y": ["p"] * 6 + ["q"] * 6 + ["r"] * 6,
        }
    )


def test_the_whole_training_set_counts_not_only_the_rows_of_the_node() -> None:
    tree = sf.c45(prune=None).fit(nested()[["group", "x", "y"]], "y")
    nodes = tree.model_.nodes
    inner = np.flatnonzero((nodes.column == 1) & ~nodes.is_leaf)
    assert len(inner) == 1
    assert inner[0] != 0
    assert nodes.threshold[inner[0]] == 15.0  # a value equal to the midpoint does not exceed it
    without = nested()[nested()["x"] != 15.0]
    nodes = sf.c45(prune=None).fit(without, "y").model_.nodes
    assert 13.0 in nodes.threshold.tolist()


def test_the_work_at_the_node_shows_the_same_threshold() -> None:
    tree = sf.c45(prune=None).fit(nested(), "y")
    node = int(np.flatnonzero(tree.model_.nodes.column == 1)[0])
    assert tree.best_splits(nested(), "y", node)["x"].threshold == 15.0


@pytest.mark.parametrize("make", [sf.c45, lambda: sf.c45(prune=None)], ids=["pruned", "not pruned"])
def test_every_threshold_of_iris_occurs_in_iris(make: object) -> None:
    table = sf.datasets.load("iris").to_pandas()
    model = make().fit(table, "species").model_  # type: ignore[operator]
    inner = np.flatnonzero(~model.nodes.is_leaf)
    assert len(inner) >= 4
    for node in inner:
        assert float(model.nodes.threshold[node]) in set(table[model.tested(int(node)).name])


def test_the_rows_of_the_training_set_part_as_they_would_at_the_midpoint() -> None:
    tree = sf.c45(min_leaf=1, prune=None).fit(nested(), "y")
    assert tree.score(nested(), "y") == 1.0
    assert "|   x <= 15: p (6.0)" in tree.describe().splitlines()
