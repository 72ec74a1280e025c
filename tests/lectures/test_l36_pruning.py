"""L36, decks 001 and 004: small trees generalise better; a tree's leaves as a density estimate P(y|x)."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf

NOISE = 0.25
Rows = tuple[np.ndarray, np.ndarray]


def noisy(seed: int, rows: int) -> Rows:
    """x0 and x1 say what y is, but a quarter of the classes is wrong; x2 to x5 say nothing."""
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, 6))
    y = (x[:, 0] > 0.3) | (x[:, 1] > 0.5)
    return x, (y ^ (random.random(rows) < NOISE)).astype(int)


PRUNED = {
    "pessimistic": lambda: sf.id3(prune="pessimistic", confidence=0.05),
    "reduced error": lambda: sf.DecisionTreeClassifier("gini", "binary", "direction", "reduced_error", min_leaf=1),
    "cost complexity": sf.cart,
    "few leaves": lambda: sf.cart(prune=None, max_leaves=4),
}


@pytest.mark.parametrize("name", PRUNED)
def test_a_pruned_tree_does_better_on_rows_it_has_not_seen(name: str) -> None:
    whole, pruned = [], []
    for seed in range(6):
        x, y = noisy(seed, 600)
        new_x, new_y = noisy(1000 + seed, 3000)
        unpruned = sf.cart(prune=None).fit(x, y)
        assert unpruned.score(x, y) == 1.0  # it knows all rows by heart
        tree = PRUNED[name]().fit(x, y)
        assert tree.leaf_count < unpruned.leaf_count / 2
        assert tree.score(x, y) < 1.0
        whole.append(unpruned.score(new_x, new_y))
        pruned.append(tree.score(new_x, new_y))
    assert np.mean(pruned) > np.mean(whole) + 0.03
    assert sum(better > worse for better, worse in zip(pruned, whole, strict=True)) >= 5


@pytest.mark.parametrize("kind", ["pessimistic", "reduced_error", "cost_complexity"])
def test_a_finished_tree_can_be_pruned_afterwards_and_stays_as_it_was(kind: str) -> None:
    x, y = noisy(7, 900)
    tree = sf.cart(prune=None).fit(x[:600], y[:600])
    before = tree.leaf_count
    rows = (x[600:], y[600:]) if kind == "reduced_error" else (x[:600], y[:600])
    smaller = tree.pruned(kind, *rows)
    assert smaller.leaf_count < before
    assert tree.leaf_count == before
    new_x, new_y = noisy(77, 3000)
    assert smaller.score(new_x, new_y) > tree.score(new_x, new_y)


def test_lower_confidence_prunes_more() -> None:
    x, y = noisy(8, 1500)
    levels = (0.5, 0.25, 0.1, 0.01, 0.0001)
    counts = [sf.id3(prune="pessimistic", confidence=confidence).fit(x, y).leaf_count for confidence in levels]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 3 * counts[-1]


def test_the_leaves_estimate_the_probability_of_each_class() -> None:
    """P(y|x) in a leaf is the share of its training rows; a small tree's is close to the truth."""
    x, y = noisy(9, 20_000)
    tree = sf.cart(prune=None, max_leaves=3).fit(x, y)
    leaves, probabilities = tree.apply(x), tree.predict_proba(x)
    assert tree.leaf_count == 3
    for leaf in np.unique(leaves):
        share = np.bincount(y[leaves == leaf], minlength=2) / np.sum(leaves == leaf)
        np.testing.assert_allclose(probabilities[leaves == leaf], [share] * np.sum(leaves == leaf), rtol=1e-12)
    new, _ = noisy(99, 5000)
    truth = np.where((new[:, 0] > 0.3) | (new[:, 1] > 0.5), 1 - NOISE, NOISE)
    assert np.abs(tree.predict_proba(new)[:, 1] - truth).mean() < 0.03


def test_pruning_gives_better_probabilities_as_well() -> None:
    x, y = noisy(10, 800)
    new_x, new_y = noisy(100, 3000)
    own = np.arange(len(new_y)), new_y
    whole = sf.id3().fit(x, y).predict_proba(new_x)[own]
    pruned = sf.id3(prune="pessimistic").fit(x, y).predict_proba(new_x)[own]
    assert ((1 - pruned) ** 2).mean() < ((1 - whole) ** 2).mean()


def test_leaves_of_a_regression_tree_estimate_the_mean_given_the_row() -> None:
    random = np.random.default_rng(11)
    x = random.uniform(0, 1, (2000, 3))
    y = np.where(x[:, 0] > 0.5, 3.0, 1.0) + random.normal(0, 1.0, 2000)
    whole, pruned = sf.cart(criterion="variance", prune=None).fit(x, y), sf.cart(criterion="variance").fit(x, y)
    new = random.uniform(0, 1, (2000, 3))
    truth = np.where(new[:, 0] > 0.5, 3.0, 1.0)
    assert pruned.leaf_count < 30
    assert ((pruned.predict(new) - truth) ** 2).mean() < 0.1 < ((whole.predict(new) - truth) ** 2).mean()
