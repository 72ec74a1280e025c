"""Smoothed leaves: rows spread evenly over the classes join a leaf when it says how probable each class is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError

TENNIS = sf.datasets.load("play_tennis")


def gappy_table(rows: int = 200) -> pd.DataFrame:
    """Three classes, numbers and levels with gaps."""
    random = np.random.default_rng(3)
    y = random.integers(0, 3, rows)
    size = y + random.normal(0, 1.0, rows)
    size[random.random(rows) < 0.2] = np.nan
    shape = np.where(random.random(rows) < 0.6, y, random.integers(0, 3, rows))
    return pd.DataFrame({"size": size, "shape": [f"s{code}" for code in shape], "y": [f"c{code}" for code in y]})


def test_a_leaf_is_joined_by_two_rows_spread_over_the_classes() -> None:
    tree = sf.c45().fit(TENNIS, "PlayTennis")
    derived = tree.explain({"Outlook": "Sunny", "Humidity": "High"})
    np.testing.assert_allclose(derived.posterior, [4 / 5, 1 / 5], rtol=1e-12)  # 3 rows say No


def test_without_smoothing_a_leaf_is_its_counts() -> None:
    table = gappy_table()
    tree = sf.c45(leaf_smoothing=0).fit(table, "y")
    leaves = tree.model_.nodes.statistic[tree.model_.source]
    np.testing.assert_array_equal(tree.model_.answers, leaves / leaves.sum(axis=1, keepdims=True))


def test_smoothing_changes_neither_the_tree_nor_its_predictions_nor_what_is_printed() -> None:
    table = gappy_table()
    plain, smoothed = sf.c45(leaf_smoothing=0).fit(table, "y"), sf.c45().fit(table, "y")
    assert plain.describe() == smoothed.describe()
    known = table.dropna()
    np.testing.assert_array_equal(plain.predict(known), smoothed.predict(known))
    assert smoothed.predict_proba(known).min() > 0


def test_rows_that_weigh_nothing_beside_those_of_smoothing_still_decide_for_their_leaf() -> None:
    table = gappy_table()
    tree = sf.c45(leaf_smoothing=1e30).fit(table, "y")
    known = table.dropna()
    predicted = tree.predict(known)
    np.testing.assert_array_equal(predicted, sf.c45(leaf_smoothing=0).fit(table, "y").predict(known))
    assert [tree.explain(known.iloc[[row]]).prediction for row in range(20)] == predicted[:20].tolist()
    np.testing.assert_array_equal(tree.predict(table)[table["size"].notna()], predicted)


def test_the_derivation_adds_up_to_the_smoothed_posterior() -> None:
    table = gappy_table()
    tree = sf.c45(leaf_smoothing=3).fit(table, "y")
    probabilities = tree.predict_proba(table)
    for row in range(40):
        derived = tree.explain(table.iloc[row : row + 1])
        parts = [leaf.share * (leaf.source + 1.0) / (leaf.source.sum() + 3.0) for leaf in derived.leaves]
        np.testing.assert_allclose(np.sum(parts, axis=0), probabilities[row], rtol=1e-12)
        np.testing.assert_allclose(derived.posterior, probabilities[row], rtol=1e-12)


def test_the_derivation_shows_the_rows_that_were_added() -> None:
    derived = sf.c45().fit(TENNIS, "PlayTennis").explain({"Outlook": "Sunny", "Humidity": "High"})
    assert "(3+1)/(3+2)" in str(derived)


def test_a_saved_tree_keeps_its_smoothing(tmp_path: Path) -> None:
    tree = sf.c45(leaf_smoothing=1.5).fit(TENNIS, "PlayTennis")
    tree.save(tmp_path / "tree.json")
    loaded = sf.load(tmp_path / "tree.json")
    assert (loaded.leaf_smoothing, loaded.model_.leaf_smoothing) == (1.5, 1.5)
    np.testing.assert_array_equal(loaded.predict_proba(TENNIS), tree.predict_proba(TENNIS))


def test_the_leaves_of_an_old_file_are_not_smoothed() -> None:
    loaded = sf.load(Path(__file__).parents[2] / "persist" / "version_1" / "c45.json")
    assert (loaded.leaf_smoothing, loaded.model_.leaf_smoothing) == (0.0, 0.0)


@pytest.mark.parametrize("smoothing", [-1, float("nan"), float("inf"), "2", None, True])
def test_smoothing_is_a_number_of_at_least_zero(smoothing: object) -> None:
    with pytest.raises(SettingError, match="leaf_smoothing must be a number of at least 0"):
        sf.c45(leaf_smoothing=smoothing).fit(TENNIS, "PlayTennis")
