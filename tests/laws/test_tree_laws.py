"""Laws every tree obeys: what weights mean, what pruning may do, and that all its ways to answer agree."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn import tree as theirs

import suffice as sf
from suffice.solve.trees.learn import gain_of_splits
from suffice.sources import gathered, read_as
from suffice.statistics.ties import first_of_equals

Make = Callable[[], Any]
CLASSIFIERS: dict[str, Make] = {
    "id3": sf.id3,
    "c45": sf.c45,
    "c45, not pruned": lambda: sf.c45(prune=None),
    "cart": lambda: sf.cart(prune=None),
    "gini by levels": lambda: sf.DecisionTreeClassifier("gini", "multiway", "direction", None, min_leaf=1),
    "gain, two branches": lambda: sf.DecisionTreeClassifier("information_gain", "binary", "fractional", None),
}
REGRESSORS: dict[str, Make] = {
    "variance": sf.DecisionTreeRegressor,
    "variance by levels": lambda: sf.DecisionTreeRegressor(splits="multiway", missing="fractional"),
    "at least three": lambda: sf.DecisionTreeRegressor(min_leaf=3),
}
PRUNED_BY_FOLDS: dict[str, Make] = {
    "cart": sf.cart,
    "cart with another seed": lambda: sf.cart(random_state=5),
    "held out": lambda: sf.DecisionTreeClassifier(prune="reduced_error"),
    "numbers": lambda: sf.cart(criterion="variance"),
    "numbers, held out": lambda: sf.DecisionTreeRegressor(prune="reduced_error", min_leaf=2),
}
every_classifier = pytest.mark.parametrize("make", CLASSIFIERS.values(), ids=CLASSIFIERS)
every_tree = pytest.mark.parametrize(
    "make", [*CLASSIFIERS.values(), *REGRESSORS.values()], ids=[*CLASSIFIERS, *REGRESSORS]
)
every_regressor = pytest.mark.parametrize("make", REGRESSORS.values(), ids=REGRESSORS)
quickly = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32 - 1)
randoms = seeds.map(np.random.default_rng)
# Laws that draw alike meet the same seeds, so that what they share is made once.
any_table = given(seed=seeds, gaps=st.sampled_from([0.0, 0.2]))


def random_table(random: np.random.Generator, rows: int, gaps: float = 0.0, classes: int = 3) -> pd.DataFrame:
    """Numbers with and without ties, levels, and a class that some of them say something about.

    The first rows have every level, and no gaps, so that two tables have the same levels.
    """
    x, tied = random.normal(size=rows), random.integers(-6, 7, rows) / 4
    letter, colour = random.choice(list("abcdef"), rows), random.choice(["red", "green", "blue"], rows)
    letter[:6] = list("abcdef")
    colour[:3] = ["red", "green", "blue"]
    score = x + 2 * (letter < "c") + tied + random.normal(size=rows)
    labels = np.array([f"class {k}" for k in range(classes)])
    places = np.clip(np.floor(score), 0, classes - 1).astype(int)
    places[:2] = [0, 1]
    is_gap = random.random((rows, 4)) < gaps
    is_gap[:6] = False
    numbers = {"x": np.where(is_gap[:, 0], np.nan, x), "tied": np.where(is_gap[:, 1], np.nan, tied)}
    levels = {"letter": np.where(is_gap[:, 2], None, letter), "colour": np.where(is_gap[:, 3], None, colour)}
    return pd.DataFrame({**numbers, **levels, "y": labels[places]})


def random_numbers(random: np.random.Generator, rows: int, gaps: float = 0.0) -> pd.DataFrame:
    table = random_table(random, rows, gaps)
    is_a = table["letter"].to_numpy() == "a"
    table["y"] = np.nan_to_num(table["x"].to_numpy()) + 2.0 * is_a + random.normal(size=rows)
    return table


def a_table(make: Make, random: np.random.Generator, rows: int, gaps: float = 0.0) -> pd.DataFrame:
    """With a target that such a tree can learn."""
    return (random_table if hasattr(make(), "predict_proba") else random_numbers)(random, rows, gaps)


@cache
def shared_table(is_of_numbers: bool, seed: int, gaps: float) -> tuple[pd.DataFrame, np.ndarray]:
    """100 rows, and whole weights for them."""
    random = np.random.default_rng(seed)
    return (random_numbers if is_of_numbers else random_table)(random, 100, gaps), random.integers(1, 4, 100)


@cache
def learned(make: Make, seed: int, gaps: float, is_weighted: bool) -> tuple[Any, pd.DataFrame, np.ndarray]:
    """The tree of the first 60 of 100 rows, all rows, and the weights of the 60; nobody may change any of them."""
    table, weights = shared_table(not hasattr(make(), "predict_proba"), seed, gaps)
    given_weights = {"sample_weight": weights[:60]} if is_weighted else {}
    return make().fit(table[:60], "y", **given_weights), table, weights[:60] if is_weighted else np.ones(60)


def answers(model: Any, table: pd.DataFrame) -> np.ndarray:
    return model.predict_proba(table) if hasattr(model, "predict_proba") else model.predict(table)


def assert_same_tree(first: Any, second: Any) -> None:
    """The same tests under the same schema and, within rounding, the same answers, so the same to every row."""
    one, other = first.model_.nodes, second.model_.nodes
    np.testing.assert_array_equal(one.column, other.column)
    np.testing.assert_allclose(one.threshold, other.threshold, rtol=1e-12)
    np.testing.assert_array_equal(one.missing_branch, other.missing_branch)
    np.testing.assert_array_equal(one.takes_first, other.takes_first)
    np.testing.assert_array_equal(one.first_branch, other.first_branch)
    np.testing.assert_array_equal(one.branch_count, other.branch_count)
    np.testing.assert_array_equal(one.subset, other.subset)
    np.testing.assert_allclose(one.statistic, other.statistic, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(first.model_.answers, second.model_.answers, rtol=1e-9, atol=1e-12)
    assert first.schema_ == second.schema_


# Weights and rows ---------------------------------------------------------------------------------------------------


@every_tree
@quickly
@any_table
def test_a_weight_is_a_number_of_rows(make: Make, seed: int, gaps: float) -> None:
    model, table, weights = learned(make, seed, gaps, True)
    assert_same_tree(model, make().fit(table.take(np.repeat(np.arange(60), weights)), "y"))


@pytest.mark.parametrize("make", PRUNED_BY_FOLDS.values(), ids=PRUNED_BY_FOLDS)
@quickly
@given(randoms, st.sampled_from([0.0, 0.2]), st.sampled_from([[1.0], [1.0, 2.0, 3.0], [0.5, 1.25]]))
def test_the_order_of_the_rows_changes_nothing_for_folds_either(
    make: Make, random: np.random.Generator, gaps: float, possible: list[float]
) -> None:
    table = a_table(make, random, 40, gaps).take(np.arange(60) % 40)  # some rows are there twice
    weights, order = random.choice(possible, 60), random.permutation(60)
    first = make().fit(table, "y", sample_weight=weights)
    assert_same_tree(first, make().fit(table.take(order), "y", sample_weight=weights[order]))


@every_classifier
@quickly
@any_table
def test_the_order_of_the_rows_changes_nothing(make: Make, seed: int, gaps: float) -> None:
    is_weighted = seed % 2 == 0
    model, table, weights = learned(make, seed, gaps, is_weighted)
    order = np.random.default_rng(seed).permutation(60)
    shuffled_weights = {"sample_weight": weights[order]} if is_weighted else {}
    assert_same_tree(model, make().fit(table.take(order), "y", **shuffled_weights))


@every_tree
@quickly
@any_table
def test_rows_of_weight_zero_change_nothing(make: Make, seed: int, gaps: float) -> None:
    model, table, _ = learned(make, seed, gaps, False)
    order = np.random.default_rng(seed).permutation(100)
    assert_same_tree(model, make().fit(table.take(order), "y", sample_weight=1.0 * (order < 60)))


@every_classifier
def test_the_scale_of_all_weights_changes_no_test(make: Make) -> None:
    """Without limits on the weight of a leaf, without smoothing and C4.5's corrections for small numbers."""
    table = random_table(np.random.default_rng(0), 80)
    free = {"min_leaf": 0, "min_split": 0, "leaf_smoothing": 0}
    if make().criterion == "gain_ratio":
        pytest.skip("C4.5 subtracts log2(number of cuts)/N from the gain, so N matters")
    models = [
        make().set_params(**free).fit(table, "y", sample_weight=np.full(80, w)) for w in (1.0, 0.125, 64.0, 2.0**90)
    ]
    for model in models[1:]:
        np.testing.assert_array_equal(model.model_.nodes.column, models[0].model_.nodes.column)
        np.testing.assert_allclose(model.predict_proba(table), models[0].predict_proba(table), rtol=1e-9)


# Pruning ------------------------------------------------------------------------------------------------------------


def pessimistic(weight: float, errors: float, confidence: float) -> float:
    """C4.5's estimate of the errors of a leaf, from its weight and the errors seen."""
    if weight <= 0:
        return 0.0
    if errors < 1e-12:
        return weight * (1 - confidence ** (1 / weight))
    if errors < 1:
        base = pessimistic(weight, 0, confidence)
        return base + errors * (pessimistic(weight, 1, confidence) - base)
    if errors + 0.5 >= weight:
        return errors + max(weight - errors, 0.0)
    z = norm.isf(confidence)
    f = (errors + 0.5) / weight
    root = np.sqrt(f / weight - f * f / weight + z * z / (4 * weight * weight))
    return weight * (f + z * z / (2 * weight) + z * root) / (1 + z * z / weight)


def estimate(model: sf.DecisionTreeClassifier, confidence: float) -> float:
    """The errors to expect of all leaves of a tree."""
    leaves = model.model_.nodes.statistic[model.model_.nodes.is_leaf]
    return sum(pessimistic(leaf.sum(), leaf.sum() - leaf.max(), confidence) for leaf in leaves)


def inner_count(model: Any) -> int:
    return model.node_count - model.leaf_count


@pytest.mark.parametrize("splits", ["multiway", "binary"])
@quickly
@given(randoms, st.sampled_from([0.0, 0.2]), st.sampled_from([0.05, 0.25, 0.5]))
def test_pruning_does_not_raise_the_errors_to_expect(
    splits: str, random: np.random.Generator, gaps: float, confidence: float
) -> None:
    """But for the tenth of an error that C4.5 allows for every test that goes."""
    table = random_table(random, 120, gaps)
    make = {"criterion": "information_gain", "splits": splits, "min_leaf": 1, "confidence": confidence}
    whole = sf.DecisionTreeClassifier(**make, prune=None).fit(table, "y")
    for pruned in (
        sf.DecisionTreeClassifier(**make, prune="pessimistic").fit(table, "y"),
        whole.pruned("pessimistic"),
        whole.pruned("pessimistic", table, "y"),
    ):
        gone = inner_count(whole) - inner_count(pruned)
        assert gone >= 0
        assert estimate(pruned, confidence) <= estimate(whole, confidence) + 0.1 * gone + 1e-6


@quickly
@given(randoms, st.sampled_from([0.0, 0.2]))
def test_pruning_a_finished_tree_with_its_rows_is_pruning_it_as_it_is_learned(
    random: np.random.Generator, gaps: float
) -> None:
    table = random_table(random, 100, gaps)
    afterwards = sf.c45(prune=None).fit(table, "y").pruned("pessimistic", table, "y")
    assert_same_tree(afterwards, sf.c45().fit(table, "y"))


@every_tree
def test_a_tree_has_at_most_max_leaves(make: Make) -> None:
    table = a_table(make, np.random.default_rng(1), 200)
    whole = make().fit(table, "y")
    for most in (1, 2, 3, 5, 9, 1000):
        limited = make().set_params(max_leaves=most).fit(table, "y")
        assert limited.leaf_count <= min(most, whole.leaf_count)
        text = limited.describe()
        assert whole.pruned(max_leaves=most).describe() == text
        if most >= whole.leaf_count:
            assert text == whole.describe()


def test_a_binary_tree_has_as_many_leaves_as_it_may() -> None:
    table = random_table(np.random.default_rng(2), 300)
    for most in (2, 7, 20):
        assert sf.cart(prune=None, max_leaves=most).fit(table, "y").leaf_count == most


def inner_paths(model: Any) -> set[tuple[str, ...]]:
    """Every test of a tree, as the conditions that lead to it."""
    tree, found = model.model_, set()
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while waiting:
        node, conditions = waiting.pop()
        if not tree.nodes.is_leaf[node]:
            found.add((*conditions, tree.tested(node).name))
            for branch, child in enumerate(tree.nodes.children(node)):
                waiting.append((child, (*conditions, tree.condition(node, branch))))
    return found


@pytest.mark.parametrize("numbers", [False, True], ids=["classes", "numbers"])
@quickly
@given(random=randoms, gaps=st.sampled_from([0.0, 0.2]))
def test_trees_pruned_for_growing_alpha_are_nested(numbers: bool, random: np.random.Generator, gaps: float) -> None:
    table = random_numbers(random, 80, gaps) if numbers else random_table(random, 80, gaps)
    whole = sf.cart(prune=None, **({"criterion": "variance"} if numbers else {})).fit(table, "y")
    before = inner_paths(whole)
    for alpha in (0.0, 1e-4, 1e-3, 0.003, 0.01, 0.02, 0.05, 0.1, 0.3, 1.0, 1e9):
        pruned = whole.pruned("cost_complexity", alpha=alpha)
        paths = inner_paths(pruned)
        assert paths <= before
        before = paths
    assert not before


@quickly
@given(random=randoms, gaps=st.sampled_from([0.0, 0.2]))
def test_alpha_weighs_errors_per_row_against_leaves(random: np.random.Generator, gaps: float) -> None:
    """No tree of the family has a lower cost at its own α than the one chosen for it."""
    table = random_table(random, 80, gaps)
    whole = sf.cart(prune=None).fit(table, "y")
    alphas = (0.0, 0.004, 0.013, 0.03, 0.11)
    family = [whole, *(whole.pruned("cost_complexity", alpha=alpha) for alpha in alphas)]

    def cost(model: Any, alpha: float) -> float:
        leaves = model.model_.nodes.statistic[model.model_.nodes.is_leaf]
        return (leaves.sum() - leaves.max(axis=1).sum()) / len(table) + alpha * model.leaf_count

    for alpha, chosen in zip(alphas, family[1:], strict=True):
        assert cost(chosen, alpha) <= min(cost(other, alpha) for other in family) + 1e-9


@pytest.mark.parametrize("splits", ["multiway", "binary"])
@quickly
@given(random=randoms, gaps=st.sampled_from([0.0, 0.2]))
def test_reduced_error_pruning_makes_no_more_errors_on_the_held_out_rows(
    splits: str, random: np.random.Generator, gaps: float
) -> None:
    table, held_out = random_table(random, 90, gaps), random_table(random, 60, gaps)
    whole = sf.DecisionTreeClassifier("gini", splits, "direction", None, min_leaf=1).fit(table, "y")
    pruned = whole.pruned("reduced_error", held_out, "y")
    assert pruned.leaf_count <= whole.leaf_count
    assert pruned.score(held_out, "y") >= whole.score(held_out, "y") - 1e-12
    assert inner_paths(pruned) <= inner_paths(whole)


@quickly
@given(random=randoms, gaps=st.sampled_from([0.0, 0.2]))
def test_reduced_error_pruning_of_numbers_makes_no_larger_errors_on_the_held_out_rows(
    random: np.random.Generator, gaps: float
) -> None:
    table, held_out = random_numbers(random, 90, gaps), random_numbers(random, 60, gaps)
    whole = sf.DecisionTreeRegressor().fit(table, "y")
    pruned = whole.pruned("reduced_error", held_out, "y")
    truth = held_out["y"].to_numpy()
    before, after = (((model.predict(held_out) - truth) ** 2).sum() for model in (whole, pruned))
    assert after <= before * (1 + 1e-9)


# All ways to answer agree -------------------------------------------------------------------------------------------

LINE = re.compile(r"(?P<bars>(?:\|   )*)(?P<condition>.*?)(?:: (?P<answer>[^:]+) \((?P<weight>[\d.]+).*\))?$")


def holds(condition: str, row: dict[str, Any]) -> bool:
    """Whether a row fulfils a condition as the text has it."""
    name, sign, value = condition.split(" ", 2)
    cell = row[name]
    if sign in ("<=", ">"):
        return (cell <= float(value)) == (sign == "<=")
    return cell in value.strip("{}").split(", ") if sign == "in" else cell == value


def answer_of_text(text: str, row: dict[str, Any]) -> str:
    """Follow the lines of a description: go in where a condition holds, past all that is deeper where it does not."""
    level = 0
    for line in text.splitlines():
        found = LINE.fullmatch(line)
        assert found
        if len(found["bars"]) // 4 == level and holds(found["condition"], row):
            if found["answer"]:
                return found["answer"]
            level += 1
    raise AssertionError(f"no line of the tree holds for {row}")


def rounded(table: pd.DataFrame) -> pd.DataFrame:
    """Numbers that a description prints in full, also halfway between two of them."""
    return table.assign(x=(8 * table["x"]).round() / 8)


@every_classifier
@quickly
@given(randoms)
def test_the_text_of_a_tree_predicts_what_the_tree_predicts(make: Make, random: np.random.Generator) -> None:
    table, new = rounded(random_table(random, 60)), rounded(random_table(random, 30)).drop(columns="y")
    model = make().fit(table, "y")
    if model.node_count == 1:
        return
    text = model.describe().split("\n\n")[1]
    found = [answer_of_text(text, row) for row in new.to_dict("records")]
    assert found == model.predict(new).tolist()


@every_classifier
@quickly
@any_table
def test_rules_predict_what_the_tree_predicts(make: Make, seed: int, gaps: float) -> None:
    """But for rows that come to a leaf without training rows: they fulfil no rule."""
    model, _, _ = learned(make, seed, gaps, False)
    new = shared_table(False, seed, 0.0)[0][60:]
    by_rules = model.classes_[model.rules().answers(gathered(read_as(model.schema_, new)))]
    has_rows = model.model_.weight[model.apply(new)] > 0
    assert has_rows.any()
    np.testing.assert_array_equal(by_rules[has_rows], model.predict(new)[has_rows])


@every_regressor
@quickly
@any_table
def test_rules_of_numbers_predict_what_the_tree_predicts(make: Make, seed: int, gaps: float) -> None:
    model, _, _ = learned(make, seed, gaps, False)
    new = shared_table(True, seed, 0.0)[0][60:]
    by_rules = model.rules().predict(new)
    has_rows = model.model_.weight[model.apply(new)] > 0
    assert has_rows.any()
    np.testing.assert_allclose(by_rules[has_rows], model.predict(new)[has_rows], rtol=1e-12)


@every_tree
@quickly
@any_table
def test_explanations_paths_and_leaves_agree_with_the_prediction(make: Make, seed: int, gaps: float) -> None:
    model, table, _ = learned(make, seed, gaps, False)
    new = table[60:70].drop(columns="y")
    found, leaves, paths = answers(model, new), model.apply(new), model.decision_path(new)
    assert paths.shape == (10, model.node_count)
    of_nodes, explained, mixed, sums = model.model_.answers, [], [], []
    for i, row in enumerate(new.to_dict("records")):
        explanation = model.explain(row)
        shares = {leaf.node: leaf.share for leaf in explanation.leaves}
        explained.append(explanation.answer)
        mixed.append(sum(share * of_nodes[node] for node, share in shares.items()))
        sums.append(sum(leaf.share for leaf in explanation.leaves))
        on_the_way = paths.indices[paths.indptr[i] : paths.indptr[i + 1]]
        assert set(on_the_way.tolist()) == {step.node for step in explanation.steps}
        assert shares[int(leaves[i])] >= max(shares.values()) - 1e-12
    np.testing.assert_allclose(explained, found.reshape(10, -1), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mixed, found.reshape(10, -1), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(sums, 1.0, rtol=1e-9)


@every_classifier
@quickly
@any_table
def test_the_class_is_the_most_probable_one(make: Make, seed: int, gaps: float) -> None:
    model, table, _ = learned(make, seed, gaps, False)
    new = table[60:]
    probabilities = model.predict_proba(new)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-9)
    np.testing.assert_array_equal(model.predict(new), model.classes_[first_of_equals(probabilities)])
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(model.predict_log_proba(new), np.log(probabilities), rtol=1e-9)


@every_tree
@pytest.mark.parametrize("gaps", [0.0, 0.25])
def test_the_counts_of_the_leaves_are_the_training_rows(make: Make, gaps: float) -> None:
    model = make().fit(a_table(make, np.random.default_rng(5), 90, gaps), "y").model_
    assert model.weight[model.nodes.is_leaf].sum() == pytest.approx(90, rel=1e-9)
    inner = np.flatnonzero(~model.nodes.is_leaf)
    for node in inner:
        below = sum(model.weight[child] for child in model.nodes.children(int(node)))
        assert below == pytest.approx(model.weight[node], rel=1e-9)


@every_tree
@pytest.mark.parametrize("gaps", [0.0, 0.25])
def test_a_saved_tree_predicts_the_same(make: Make, gaps: float, tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    table, new = a_table(make, random, 150, gaps), a_table(make, random, 60, gaps).drop(columns="y")
    model = make().fit(table, "y")
    model.save(tmp_path / "tree.json")
    loaded = sf.load(tmp_path / "tree.json")
    assert type(loaded) is type(model)
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(answers(loaded, new), answers(model, new))
    np.testing.assert_array_equal(loaded.apply(new), model.apply(new))
    np.testing.assert_array_equal(loaded.feature_importances_, model.feature_importances_)
    assert loaded.describe() == model.describe()
    assert str(loaded.rules()) == str(model.rules())
    assert loaded.plot().svg == model.plot().svg


def test_importances_add_up_to_one_and_leave_idle_columns_out() -> None:
    random = np.random.default_rng(7)
    table = random_table(random, 200).assign(flat=1.0)
    for make in CLASSIFIERS.values():
        model = make().fit(table, "y")
        importances = dict(zip(model.feature_names_in_, model.feature_importances_, strict=True))
        assert sum(importances.values()) == pytest.approx(1.0, rel=1e-9)
        assert importances["flat"] == 0.0
        assert min(importances.values()) >= 0.0


# scikit-learn -------------------------------------------------------------------------------------------------------


def assert_same_tests(mine: Any, other: Any) -> None:
    """Walk both trees; where the tests differ, they must gain the same, and what is below is left alone."""
    nodes, their_nodes = mine.model_.nodes, other.tree_
    gains = gain_of_splits(nodes, mine.criterion)
    waiting, walked, differing = [(0, 0)], 0, 0
    while waiting:
        node, their = waiting.pop()
        walked += 1
        np.testing.assert_allclose(mine.model_.weight[node], their_nodes.weighted_n_node_samples[their])
        assert bool(nodes.is_leaf[node]) == (their_nodes.feature[their] < 0)
        if nodes.is_leaf[node]:
            continue
        branches = [their_nodes.children_left[their], their_nodes.children_right[their]]
        threshold = their_nodes.threshold[their]
        is_same_cut = np.isclose(nodes.threshold[node], threshold, rtol=1e-6, atol=1e-7)
        if nodes.column[node] == their_nodes.feature[their] and is_same_cut:
            waiting += zip(nodes.children(node), branches, strict=True)
            continue
        differing += 1
        impurity = their_nodes.impurity * their_nodes.weighted_n_node_samples
        assert gains[node] == pytest.approx(impurity[their] - impurity[branches].sum(), rel=1e-6)
    assert differing <= walked / 20
    if not differing:
        assert mine.leaf_count == other.get_n_leaves()
        assert mine.depth == other.get_depth()


def numbers_without_ties(rows: int, columns: int, seed: int) -> np.ndarray:
    """Every value once, and exact in float32."""
    random = np.random.default_rng(seed)
    return np.stack([random.permutation(rows) for _ in range(columns)], axis=1) / np.float32(64.0)


CRITERIA = {"entropy": "information_gain", "gini": "gini"}


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("depth", [1, 2, 3, 5])
@pytest.mark.parametrize("classes", [2, 4])
def test_the_same_tree_as_scikit_learns(criterion: str, depth: int, classes: int) -> None:
    x = numbers_without_ties(3000, 6, seed=depth)
    random = np.random.default_rng(8)
    score = (x / x.max(axis=0)) @ [2.0, -1.0, 0.5, 0, 0, 0] + random.normal(0, 0.5, 3000)
    y = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)
    mine = sf.cart(prune=None, criterion=CRITERIA[criterion], max_depth=depth).fit(x, y)
    other = theirs.DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0).fit(x, y)
    assert_same_tests(mine, other)
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(x), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mine.feature_importances_, other.feature_importances_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("depth", [1, 2, 4, 6])
def test_the_same_tree_of_numbers_as_scikit_learns(depth: int) -> None:
    x = numbers_without_ties(3000, 6, seed=depth)
    random = np.random.default_rng(9)
    y = np.sin(x[:, 0] / 8) + (x[:, 1] > 20) + random.normal(0, 0.3, 3000)
    mine = sf.cart(prune=None, criterion="variance", max_depth=depth).fit(x, y)
    other = theirs.DecisionTreeRegressor(max_depth=depth, random_state=0).fit(x, y)
    assert_same_tests(mine, other)
    np.testing.assert_allclose(mine.predict(x), other.predict(x), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_same_tree_as_scikit_learns_with_limits_and_weights(criterion: str) -> None:
    x = numbers_without_ties(2000, 4, seed=3)
    random = np.random.default_rng(10)
    y = (x[:, 0] + 4 * random.normal(size=2000) > 15).astype(int)
    weights = random.integers(1, 4, 2000).astype(float)
    settings_ = {"max_depth": 4}
    mine = sf.cart(prune=None, criterion=CRITERIA[criterion], **settings_).fit(x, y, sample_weight=weights)
    other = theirs.DecisionTreeClassifier(criterion=criterion, random_state=0, **settings_)
    assert_same_tests(mine, other.fit(x, y, sample_weight=weights))
    mine = sf.cart(prune=None, criterion=CRITERIA[criterion], min_leaf=40, min_split=100, max_depth=6).fit(x, y)
    other = theirs.DecisionTreeClassifier(
        criterion=criterion, min_samples_leaf=40, min_samples_split=100, max_depth=6, random_state=0
    )
    assert_same_tests(mine, other.fit(x, y))


@pytest.mark.parametrize("depth", [3, 8])
@pytest.mark.parametrize("criterion", [*CRITERIA, "variance"])
def test_the_same_tree_as_scikit_learns_of_twenty_thousand_rows(criterion: str, depth: int) -> None:
    x = numbers_without_ties(20_000, 10, seed=depth)
    random = np.random.default_rng(11)
    score = (x / x.max(axis=0)) @ [2.0, -1.0, 0.5, *[0.1] * 7] + random.normal(0, 0.7, 20_000)
    if criterion == "variance":
        mine = sf.cart(prune=None, criterion="variance", max_depth=depth).fit(x, score)
        other = theirs.DecisionTreeRegressor(max_depth=depth, random_state=0).fit(x, score)
    else:
        y = np.searchsorted(np.quantile(score, [0.3, 0.6]), score)
        mine = sf.cart(prune=None, criterion=CRITERIA[criterion], max_depth=depth).fit(x, y)
        other = theirs.DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0).fit(x, y)
    assert_same_tests(mine, other)


@pytest.mark.parametrize("criterion", [*CRITERIA, "variance"])
@pytest.mark.parametrize("target", ["product", "noise"])
def test_the_same_tree_as_scikit_learns_where_no_column_helps_alone(criterion: str, target: str) -> None:
    """Then bounds are hardly below what is found, and many intervals are opened."""
    x = numbers_without_ties(20_000, 6, seed=13)
    noise = np.random.default_rng(14).normal(size=20_000)
    away = x - x.mean(axis=0)
    score = noise + (away[:, 0] * away[:, 1] / away.std() ** 2 if target == "product" else 0.0)
    if criterion == "variance":
        mine = sf.cart(prune=None, criterion="variance", max_depth=5).fit(x, score)
        other = theirs.DecisionTreeRegressor(max_depth=5, random_state=0).fit(x, score)
    else:
        y = (score > 0).astype(int)
        mine = sf.cart(prune=None, criterion=CRITERIA[criterion], max_depth=5).fit(x, y)
        other = theirs.DecisionTreeClassifier(criterion=criterion, max_depth=5, random_state=0).fit(x, y)
    assert_same_tests(mine, other)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_whole_tree_knows_twenty_thousand_rows_by_heart(criterion: str) -> None:
    x = numbers_without_ties(20_000, 4, seed=0)
    y = np.random.default_rng(12).integers(0, 3, 20_000)
    mine = sf.cart(prune=None, criterion=CRITERIA[criterion]).fit(x, y)
    other = theirs.DecisionTreeClassifier(criterion=criterion, random_state=0).fit(x, y)
    assert mine.score(x, y) == 1.0
    assert mine.leaf_count == pytest.approx(other.get_n_leaves(), rel=0.01)  # ties further down may be broken otherwise
