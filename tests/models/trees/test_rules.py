"""If-then rules: a tree read path by path, which predicts as the tree does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from mixed_rows import mixed_rows
from suffice.errors import SettingError
from suffice.estimators.trees.rules import Rules
from suffice.models.trees.conditions import Levels
from suffice.models.trees.nodes import ALL_BRANCHES, Nodes
from suffice.models.trees.rules import Rule, RuleList, path_rules
from suffice.models.trees.tree import ClassificationTree
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.sources import gathered

TENNIS = sf.datasets.load("play_tennis")
HOURS = sf.datasets.load("hours_played")
WIND = Nominal("Wind", ("Strong", "Weak"))
CLASSIFIERS = [sf.id3(), sf.c45(), sf.c45(prune=None), sf.cart(), sf.cart(prune=None)]
REGRESSORS = [sf.DecisionTreeRegressor(), sf.DecisionTreeRegressor(splits="multiway", missing="fractional")]


def table(seed, rows=80, gaps=0.0, numeric_target=False):
    return mixed_rows(np.random.default_rng(seed), rows, gaps, numeric_target)


def batch_of(model, frame):
    return gathered(model._table(frame.drop(columns="y"), None, None))


def chain(levels):
    """x <= 0, x <= 1, ...: every first branch is a leaf."""
    count = 2 * levels + 1
    is_inner = (np.arange(count) % 2 == 0) & (np.arange(count) < count - 1)
    none = np.full(count, ALL_BRANCHES, dtype=np.int32)
    nodes = Nodes(
        np.where(is_inner, 0, -1).astype(np.int32),
        np.where(is_inner, np.arange(count) / 2, np.nan),
        np.where(is_inner, np.arange(count) + 1, -1).astype(np.int32),
        np.where(is_inner, 2, 0).astype(np.int32),
        none,
        none,
        np.empty(0, dtype=np.bool_),
        np.stack([np.arange(count) % 4 < 2, np.arange(count) % 4 >= 2], axis=1) * 1.0,
    )
    return ClassificationTree(Schema((Numeric("x"),), Nominal("y", ("a", "b"))), nodes)


# How they read ------------------------------------------------------------------------------------------------------


def test_the_tree_of_the_deck_as_rules():
    rules = sf.id3().fit(TENNIS, "PlayTennis").rules()
    assert str(rules).splitlines() == [
        "IF Outlook = Overcast THEN Yes  (4.0 rows, 100 %)",
        "IF Outlook = Rain AND Wind = Strong THEN No  (2.0 rows, 100 %)",
        "IF Outlook = Rain AND Wind = Weak THEN Yes  (3.0 rows, 100 %)",
        "IF Outlook = Sunny AND Humidity = High THEN No  (3.0 rows, 100 %)",
        "IF Outlook = Sunny AND Humidity = Normal THEN Yes  (2.0 rows, 100 %)",
        "OTHERWISE Yes",
    ]


def test_a_class_as_a_disjunction_of_conjunctions():
    rules = sf.id3().fit(TENNIS, "PlayTennis").rules()
    assert rules.formula("Yes") == (
        "Outlook = Overcast ∨ (Outlook = Rain ∧ Wind = Weak) ∨ (Outlook = Sunny ∧ Humidity = Normal)"
    )
    assert rules.formula("No") == "(Outlook = Rain ∧ Wind = Strong) ∨ (Outlook = Sunny ∧ Humidity = High)"


def test_the_formula_of_a_class_without_rules_and_of_a_tree_without_tests():
    rules = sf.id3(max_depth=0).fit(TENNIS, "PlayTennis").rules()
    assert str(rules) == "ALWAYS Yes  (14.0 rows, 64 %)\nOTHERWISE Yes"
    assert rules.formula("Yes") == "true"
    assert rules.formula("No") == "false"


def test_a_class_that_is_not_there_is_an_error_that_helps():
    rules = sf.id3().fit(TENNIS, "PlayTennis").rules()
    with pytest.raises(SettingError, match=r"no class 'yes'\. Did you mean 'Yes'\? The classes are 'No', 'Yes'"):
        rules.formula("yes")


def test_text_names_the_class_of_a_formula_that_is_a_number():
    rules = sf.cart().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]).rules()
    assert rules.formula("1") == rules.formula(1) == "x0 > 2.5"


def test_rules_of_numbers_say_mean_and_deviation_and_have_no_formula():
    settings = {"criterion": "standard_deviation", "splits": "multiway", "max_depth": 1}
    rules = path_rules(sf.DecisionTreeRegressor(**settings).fit(HOURS, "Hours Played").model_)
    assert str(rules).splitlines() == [
        "IF Outlook = Overcast THEN 49.25  (4.0 rows, sd 7.59523)",
        "IF Outlook = Rainy THEN 35.6  (5.0 rows, sd 7.52596)",
        "IF Outlook = Sunny THEN 41.8  (5.0 rows, sd 13.8333)",
        "OTHERWISE 41.7143",
    ]
    with pytest.raises(SettingError, match="is a number; only classes have a formula"):
        rules.formula(49.25)


def test_tests_of_the_same_column_become_one_condition():
    rules = sf.c45(prune=None).fit(sf.datasets.load("iris"), "species").rules()
    for rule in rules:
        names = [condition.column.name for condition in rule.conditions]
        assert len(names) == len(set(names))
    assert any(" < petal_width <= " in str(rule) for rule in rules)
    assert "Outlook in {Overcast, Sunny}" not in str(sf.cart(prune=None).fit(TENNIS, "PlayTennis").rules())


def test_the_share_that_is_right_is_never_rounded_to_all():
    conditions = (Levels(WIND, (0,)),)
    assert Rule(conditions, "Yes", 8.0, 2.0).confidence == 0.75
    assert str(Rule(conditions, "Yes", 1000.0, 1.0)) == "IF Wind = Strong THEN Yes  (1000.0 rows, 99.9 %)"
    assert np.isnan(Rule(conditions, "Yes", 0.0, 0.0).confidence)


def test_html_is_escaped():
    schema = Schema((Nominal("<b>", ("<i>", "w")),), Nominal("y", ("<script>", "b")))
    rules = Rules(schema, (Rule((Levels(schema.nominal[0], (0,)),), "<script>", 3.0, 0.0),), "b")
    page = rules._repr_html_()
    assert "&lt;b&gt; = &lt;i&gt;" in page
    assert "<script>" not in page
    assert page.count("<tr>") == 3


# What they predict --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_the_paths_predict_as_the_tree_where_no_value_is_missing(model, seed):
    frame = table(seed)
    tree = model.fit(frame, "y").model_
    rules = path_rules(tree)
    batch = batch_of(model, frame)
    np.testing.assert_array_equal(rules.answers(batch), tree.posterior(batch).argmax(axis=1))
    new = batch_of(model, table(seed + 100, rows=300))
    has_rows = tree.weight[tree.leaves(new)] > 0
    np.testing.assert_array_equal(rules.answers(new)[has_rows], tree.posterior(new).argmax(axis=1)[has_rows])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_the_paths_of_a_tree_grown_with_gaps_predict_complete_rows_as_the_tree(model, seed):
    tree = model.fit(table(seed, gaps=0.3), "y").model_
    new = batch_of(model, table(seed + 100, rows=300))
    has_rows = tree.weight[tree.leaves(new)] > 0
    expected = tree.posterior(new).argmax(axis=1)[has_rows]
    np.testing.assert_array_equal(path_rules(tree).answers(new)[has_rows], expected)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", REGRESSORS, ids=repr)
def test_the_paths_predict_numbers_as_the_tree(model, seed):
    frame = table(seed, numeric_target=True)
    tree = model.fit(frame, "y").model_
    batch = batch_of(model, frame)
    np.testing.assert_array_equal(path_rules(tree).answers(batch), tree.output(batch))


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_there_is_a_rule_for_every_leaf_with_rows_and_together_they_cover_all(model, gaps):
    tree = model.fit(table(5, gaps=gaps), "y").model_
    rules = path_rules(tree)
    leaves = tree.nodes.is_leaf & (tree.weight > 0)
    assert len(rules) == np.count_nonzero(leaves)
    assert sum(rule.covered for rule in rules) == pytest.approx(80)
    assert sum(rule.errors for rule in rules) == pytest.approx(tree.errors[leaves].sum())


def test_the_default_answers_where_no_rule_fires():
    rules = sf.id3().fit(TENNIS, "PlayTennis").rules()
    missing = Batch(rules.schema, np.empty((2, 0)), np.full((4, 2), -1, dtype=np.int32))
    assert rules.answers(missing).tolist() == [1, 1]
    assert replace(rules, default="No").answers(missing).tolist() == [0, 0]


def test_the_first_rule_that_fires_answers():
    schema = Schema((WIND,), Nominal("y", ("No", "Yes")))
    first, second = Rule((Levels(WIND, (0,)),), "Yes", 1.0, 0.0), Rule((Levels(WIND, (0, 1)),), "No", 1.0, 0.0)
    batch = Batch(schema, np.empty((3, 0)), np.array([[0, 1, -1]], dtype=np.int32))
    assert RuleList(schema, (first, second), "Yes").answers(batch).tolist() == [1, 0, 1]
    assert RuleList(schema, (second, first), "Yes").answers(batch).tolist() == [0, 0, 1]
    assert RuleList(schema, (), "Yes").answers(batch).tolist() == [1, 1, 1]


@pytest.mark.parametrize("is_nominal", [True, False])
def test_a_path_of_missing_values_asks_for_them(is_nominal):
    values = ["u", "v", "u", "v", None, None] if is_nominal else [1.0, 2.0, 1.0, 2.0, None, None]
    frame = pd.DataFrame({"a": values, "y": ["No", "No", "No", "No", "Yes", "Yes"]})
    model = sf.cart(prune=None).fit(frame, "y")
    assert "IF a is missing THEN Yes  (2.0 rows, 100 %)" in str(model.rules())
    assert model.rules().answers(batch_of(model, frame)).tolist() == [0, 0, 0, 0, 1, 1]


def test_a_chain_of_thousands_of_levels_has_short_rules():
    rules = path_rules(chain(3000))
    assert len(rules) == 3001
    assert str(rules[0]) == "IF x <= 0 THEN a  (1.0 rows, 100 %)"
    assert str(rules[2000]) == "IF 1999 < x <= 2000 THEN a  (1.0 rows, 100 %)"
    batch = Batch(rules.schema, np.arange(-1.0, 3100.0, 0.5)[:, None], np.empty((0, 6202), dtype=np.int32))
    tree = chain(3000)
    np.testing.assert_array_equal(rules.answers(batch), tree.posterior(batch).argmax(axis=1))
