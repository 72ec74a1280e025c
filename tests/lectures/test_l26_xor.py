"""L26, deck 001: XOR. Every attribute has zero gain, yet splitting must go on: "Base Case 3" is a bad idea."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf

XOR = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [0, 1, 1, 0]})
words = XOR.assign(a=XOR["a"].map({0: "off", 1: "on"}), b=XOR["b"].map({0: "off", 1: "on"}))


@pytest.mark.parametrize("table", [XOR, words], ids=["numbers", "words"])
@pytest.mark.parametrize("make", [sf.id3, lambda: sf.cart(prune=None)], ids=["id3", "cart"])
def test_every_gain_is_zero_and_yet_the_tree_is_right(make: object, table: pd.DataFrame) -> None:
    tree = make().fit(table, "y")  # type: ignore[operator]
    work = tree.best_splits(table, "y")
    np.testing.assert_allclose([work["a"].gain, work["b"].gain], 0.0, atol=1e-15)
    assert work.best == "a"
    assert tree.score(table, "y") == 1.0
    assert (tree.leaf_count, tree.node_count, tree.depth) == (4, 7, 2)


@pytest.mark.parametrize("table", [XOR, words], ids=["numbers", "words"])
def test_base_case_three_would_stop_at_the_root(table: pd.DataFrame) -> None:
    """C4.5 admits no split without gain: it is right on half of the rows."""
    tree = sf.c45(min_leaf=1, prune=None).fit(table, "y")
    assert tree.node_count == 1
    assert tree.score(table, "y") == 0.5


@pytest.mark.parametrize("width", [3, 5])
def test_parity_of_more_attributes_needs_as_many_tests(width: int) -> None:
    cells = np.array(np.meshgrid(*[[0, 1]] * width)).reshape(width, -1).T
    table = pd.DataFrame(cells, columns=[f"x{j}" for j in range(width)])
    y = cells.sum(axis=1) % 2
    tree = sf.id3().fit(table, y)
    assert tree.score(table, y) == 1.0
    assert (tree.leaf_count, tree.depth) == (2**width, width)


def test_a_number_to_predict_is_split_on_without_gain_too() -> None:
    tree = sf.DecisionTreeRegressor().fit(XOR[["a", "b"]], XOR["y"].to_numpy(float))
    np.testing.assert_allclose(tree.predict(XOR[["a", "b"]]), XOR["y"], atol=1e-12)
    assert tree.leaf_count == 4
