"""Trees that judge how far to prune serve several folds of a cross-validation, and none sees what it is judged by."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.solve.folds import Folds, KeyRows
from suffice.solve.trees import learn as learning
from suffice.solve.trees.learn import TreeSettings, grown, grown_from_each, grown_without_folds, learn_without_folds
from suffice.solve.trees.pruning.cost_complexity import chosen_alpha, critical_alphas, subtree
from suffice.solve.trees.pruning.shared_trees import left_out_together, pruned_without_folds
from suffice.solve.trees.training_rows import TrainingRows
from suffice.sources import gathered, read_table

ROWS, FOLDS = 240, 6


def table(rows: int = ROWS) -> pd.DataFrame:
    random = np.random.default_rng(3)
    age, city = random.normal(40, 10, rows), random.choice(["Rome", "Oslo", "Bonn"], rows)
    pay = age + 10 * (city == "Rome") + random.normal(0, 10, rows)
    frame = pd.DataFrame({"age": age, "city": city, "shoe": random.integers(36, 46, rows).astype(float)})
    frame.loc[random.random(rows) < 0.1, "city"] = None
    return frame.assign(target=np.where(pay > 42, "high", "low"), pay=pay)


def training_rows(classifies: bool, weight: np.ndarray | None = None) -> TrainingRows:
    frame, target = table(), "target" if classifies else "pay"
    estimator = sf.cart(criterion="gini" if classifies else "variance")
    frame = frame.drop(columns="pay" if classifies else "target")
    rows = estimator._rows(gathered(read_table(frame, target, None, estimator._reading())))
    return rows if weight is None else TrainingRows(rows.batch, rows.outcome, weight)


def settings_of(classifies: bool) -> TreeSettings:
    return TreeSettings("gini" if classifies else "variance", "binary", "direction", "cost_complexity")


def parts_of(nodes) -> list[np.ndarray]:
    return [nodes.column, nodes.threshold, nodes.first_branch, nodes.statistic]


@pytest.mark.parametrize("folds", range(3, 13))
@pytest.mark.parametrize("most", [2, 3, 4])
def test_any_two_folds_are_left_out_together_once(folds, most):
    sets = left_out_together(folds, most)
    assert max(map(len, sets)) == min(most, folds)
    assert sorted(pair for chosen in sets for pair in combinations(chosen, 2)) == list(combinations(range(folds), 2))


def test_ten_folds_and_five_parts_take_21_trees_instead_of_50():
    sets = left_out_together(10, 3)
    assert len(sets) == 21
    assert min(sum(fold in chosen for chosen in sets) for fold in range(10)) == 5


@pytest.mark.parametrize("classifies", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_folds_left_out_one_by_one_are_the_folds_of_a_pruning_without_sharing(classifies, weighted):
    random = np.random.default_rng(0)
    rows = training_rows(classifies, random.integers(1, 4, ROWS).astype(float) if weighted else None)
    settings, fold = settings_of(classifies), random.integers(0, FOLDS, ROWS).astype(np.int32)
    shared = pruned_without_folds(rows, fold, FOLDS, partial(grown_from_each, settings=settings), classifies)
    for k, nodes in enumerate(shared):
        others = np.flatnonzero(fold != k)
        rest, inner = rows.take(others), fold[others] - (fold[others] > k)
        whole = grown(rest, settings)
        critical = critical_alphas(whole, rest.total_weight, classifies)
        grow = partial(grown_without_folds, settings=settings)
        expected = subtree(whole, critical, chosen_alpha(rest, inner.astype(np.int32), critical, grow, classifies))
        for found, known in zip(parts_of(nodes), parts_of(expected), strict=True):
            np.testing.assert_allclose(found, known)


@pytest.mark.parametrize("parts", [2, 3, FOLDS])
@pytest.mark.parametrize("k", [0, FOLDS - 1])
def test_no_tree_depends_on_the_outcomes_of_the_fold_it_will_be_judged_by(parts, k):
    random = np.random.default_rng(1)
    rows, fold = training_rows(True), random.integers(0, FOLDS, ROWS).astype(np.int32)
    other = TrainingRows(rows.batch, np.where(fold == k, 1.0 - rows.outcome, rows.outcome), rows.weight)
    grow = partial(grown_from_each, settings=settings_of(True))
    one, two = (list(pruned_without_folds(given, fold, parts, grow, True)) for given in (rows, other))
    for found, known in zip(parts_of(one[k]), parts_of(two[k]), strict=True):
        np.testing.assert_array_equal(found, known)
    assert not any(np.array_equal(one[j].statistic, two[j].statistic) for j in range(FOLDS) if j != k)


def test_a_cross_validation_of_many_rows_shares_trees(monkeypatch):
    monkeypatch.setattr(learning, "FEW_ROWS", 100)
    frame = table().drop(columns="pay")
    result = sf.cross_validate(sf.cart(), frame, "target", folds=5, random_state=4)
    batch = gathered(read_table(frame, "target", None, sf.cart()._reading()))
    fold = Folds.deal([KeyRows(4)(batch)], 5, 4).of(batch)
    expected = learn_without_folds(sf.cart()._rows(batch), fold, 5, settings_of(True))
    for k, nodes in enumerate(expected):
        model = sf.cart()._model(batch.schema, nodes)
        np.testing.assert_array_equal(result.posterior[fold == k], model.posterior(batch.take(fold == k)))


def test_trees_that_cannot_share_are_learned_one_by_one(monkeypatch):
    rows, fold = training_rows(True), np.arange(ROWS, dtype=np.int32) % 4
    assert learn_without_folds(rows, fold, 4, settings_of(True)) is None  # few rows
    monkeypatch.setattr(learning, "FEW_ROWS", 100)
    assert learn_without_folds(rows, fold, 4, settings_of(True)) is not None
    assert learn_without_folds(rows, fold, 5, settings_of(True)) is None  # the last fold is empty
    weightless = TrainingRows(rows.batch, rows.outcome, (fold > 0).astype(float))
    assert learn_without_folds(weightless, fold, 4, settings_of(True)) is None
    unpruned = TreeSettings("gini", "binary", "direction", None)
    assert learn_without_folds(rows, fold, 4, unpruned) is None


def test_balanced_classes_are_weighed_by_each_folds_own_rows(monkeypatch):
    monkeypatch.setattr(learning, "FEW_ROWS", 100)
    frame = table().drop(columns="pay")
    estimator = sf.cart(class_weight="balanced")
    batch = gathered(read_table(frame, "target", None, estimator._reading()))
    assert estimator._models_without_folds(batch, np.arange(ROWS, dtype=np.int32) % 4, 4) is None
