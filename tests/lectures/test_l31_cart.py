"""L31, deck 004: CART. Binary splits on discrete features as well (subsets of values), by gini."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import suffice as sf

COLUMNS = ("Outlook", "Temperature", "Humidity", "Wind")


def gini(labels: np.ndarray) -> float:
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(1 - (shares**2).sum())


def best_decrease(x: np.ndarray, y: np.ndarray) -> float:
    """The best over all subsets of the values."""
    levels = np.unique(x)
    found = []
    for size in range(1, len(levels)):
        for subset in combinations(levels, size):
            first = np.isin(x, subset)
            found.append(gini(y) - first.mean() * gini(y[first]) - (~first).mean() * gini(y[~first]))
    return max(found)


@pytest.fixture(scope="module")
def tennis() -> pd.DataFrame:
    return sf.datasets.load("play_tennis").to_pandas()


def test_the_gini_of_play_tennis(tennis: pd.DataFrame) -> None:
    work = sf.cart(prune=None).fit(tennis, "PlayTennis").best_splits(tennis, "PlayTennis")
    assert work.impurity == pytest.approx(1 - (9 / 14) ** 2 - (5 / 14) ** 2, rel=1e-12)


@pytest.mark.parametrize("column", COLUMNS)
def test_a_discrete_column_is_parted_by_the_best_subset_of_its_values(tennis: pd.DataFrame, column: str) -> None:
    work = sf.cart(prune=None).fit(tennis, "PlayTennis").best_splits(tennis, "PlayTennis")
    expected = best_decrease(tennis[column].to_numpy(), tennis["PlayTennis"].to_numpy())
    assert work[column].gain == pytest.approx(expected, rel=1e-12)


def test_the_root_parts_overcast_from_the_rest(tennis: pd.DataFrame) -> None:
    tree = sf.cart(prune=None).fit(tennis, "PlayTennis")
    lines = tree.describe().split("\n\n")[1].splitlines()
    assert lines[0] == "Outlook = Overcast: Yes (4.0)"
    assert lines[1] == "Outlook in {Rain, Sunny}"
    assert tree.score(tennis, "PlayTennis") == 1.0


def test_every_test_of_cart_has_two_branches(tennis: pd.DataFrame) -> None:
    nodes = sf.cart(prune=None).fit(tennis, "PlayTennis").model_.nodes
    assert set(nodes.branch_count[~nodes.is_leaf].tolist()) == {2}
    assert nodes.leaf_count == (nodes.count + 1) // 2


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_subset_is_found_for_any_number_of_classes(classes: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    x, y = random.choice(list("abcdefg"), 80), random.integers(0, classes, 80)
    table = pd.DataFrame({"x": x})
    work = sf.cart(prune=None, max_depth=1).fit(table, y).best_splits(table, y)
    assert work["x"].gain == pytest.approx(best_decrease(x, y), rel=1e-9)


def test_a_discrete_column_may_be_asked_again_further_down() -> None:
    table = pd.DataFrame({"x": list("aabbccdd"), "y": list("ppqqrrss")})
    tree = sf.cart(prune=None).fit(table, "y")
    assert tree.score(table, "y") == 1.0
    assert (tree.leaf_count, tree.node_count) == (4, 7)
