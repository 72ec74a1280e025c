"""L27, decks 000 and 004: the tree as if-then rules, and as a disjunction of conjunctions."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf
from suffice.sources import gathered, read_as

RULES = [
    "IF Outlook = Overcast THEN Yes  (4.0 rows, 100 %)",
    "IF Outlook = Rain AND Wind = Strong THEN No  (2.0 rows, 100 %)",
    "IF Outlook = Rain AND Wind = Weak THEN Yes  (3.0 rows, 100 %)",
    "IF Outlook = Sunny AND Humidity = High THEN No  (3.0 rows, 100 %)",
    "IF Outlook = Sunny AND Humidity = Normal THEN Yes  (2.0 rows, 100 %)",
]


@pytest.fixture(scope="module")
def tree() -> sf.DecisionTreeClassifier:
    return sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis")


def disjunction(formula: str) -> set[frozenset[str]]:
    """A formula as the set of its conjunctions."""
    return {frozenset(part.strip("()").split(" ∧ ")) for part in formula.split(" ∨ ")}


def test_yes_is_the_disjunction_of_the_deck(tree: sf.DecisionTreeClassifier) -> None:
    """(Sunny ∧ Normal) ∨ Overcast ∨ (Rain ∧ Weak)"""
    assert disjunction(tree.rules().formula("Yes")) == {
        frozenset({"Outlook = Sunny", "Humidity = Normal"}),
        frozenset({"Outlook = Overcast"}),
        frozenset({"Outlook = Rain", "Wind = Weak"}),
    }


def test_no_is_what_is_left(tree: sf.DecisionTreeClassifier) -> None:
    assert disjunction(tree.rules().formula("No")) == {
        frozenset({"Outlook = Sunny", "Humidity = High"}),
        frozenset({"Outlook = Rain", "Wind = Strong"}),
    }


def test_every_path_is_a_rule(tree: sf.DecisionTreeClassifier) -> None:
    rules = tree.rules()
    assert [str(rule) for rule in rules] == RULES
    assert str(rules).splitlines() == [*RULES, "OTHERWISE Yes"]
    assert len(rules) == tree.leaf_count
    assert sum(rule.covered for rule in rules) == 14


def test_the_rules_predict_what_the_tree_predicts(tree: sf.DecisionTreeClassifier) -> None:
    table = sf.datasets.load("play_tennis")
    np.testing.assert_array_equal(tree.rules().predict(table), tree.predict(table))


def test_simplified_rules_still_classify_every_day(tree: sf.DecisionTreeClassifier) -> None:
    table = sf.datasets.load("play_tennis")
    rules = tree.rules(table, "PlayTennis")
    assert len(rules) <= tree.leaf_count
    batch = gathered(read_as(tree.schema_, table))
    np.testing.assert_array_equal(tree.classes_[rules.answers(batch)], table["PlayTennis"].to_pylist())
