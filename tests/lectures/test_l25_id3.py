"""L25, decks 000, 001 and 004: ID3 on PlayTennis, and all its base cases."""

from __future__ import annotations

from math import floor

import numpy as np
import pandas as pd
import pytest

import suffice as sf

TREE = """\
Outlook = Overcast: Yes (4.0)
Outlook = Rain
|   Wind = Strong: No (2.0)
|   Wind = Weak: Yes (3.0)
Outlook = Sunny
|   Humidity = High: No (3.0)
|   Humidity = Normal: Yes (2.0)"""
SUNNY = 3  # the third branch of the root


@pytest.fixture(scope="module")
def tree() -> sf.DecisionTreeClassifier:
    return sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis")


def truncated(value: float) -> str:
    """Three decimals, cut off as the decks do."""
    return f"{floor(value * 1000) / 1000:.3f}"


def lines_of(tree: sf.DecisionTreeClassifier) -> str:
    return tree.describe().split("\n\n")[1]


def test_the_entropy_of_play_tennis(tree: sf.DecisionTreeClassifier) -> None:
    work = tree.best_splits(sf.datasets.load("play_tennis"), "PlayTennis")
    assert f"{work.impurity:.3f}" == "0.940"


@pytest.mark.parametrize(
    ("column", "gain"), [("Outlook", "0.246"), ("Humidity", "0.151"), ("Wind", "0.048"), ("Temperature", "0.029")]
)
def test_the_gains_at_the_root(tree: sf.DecisionTreeClassifier, column: str, gain: str) -> None:
    work = tree.best_splits(sf.datasets.load("play_tennis"), "PlayTennis")
    assert truncated(work[column].gain) == gain


@pytest.mark.parametrize(("column", "gain"), [("Humidity", "0.970"), ("Temperature", "0.570"), ("Wind", "0.019")])
def test_the_gains_where_it_is_sunny(tree: sf.DecisionTreeClassifier, column: str, gain: str) -> None:
    work = tree.best_splits(sf.datasets.load("play_tennis"), "PlayTennis", SUNNY)
    assert truncated(work[column].gain) == gain
    assert truncated(work.impurity) == "0.970"
    assert work.weight == 5
    assert work.best == "Humidity"


def test_the_root_asks_for_the_outlook_and_the_tree_is_the_decks(tree: sf.DecisionTreeClassifier) -> None:
    assert tree.best_splits(sf.datasets.load("play_tennis"), "PlayTennis").best == "Outlook"
    assert lines_of(tree) == TREE
    assert (tree.leaf_count, tree.node_count, tree.depth) == (5, 8, 2)


def test_every_training_row_is_classified_correctly(tree: sf.DecisionTreeClassifier) -> None:
    assert tree.score(sf.datasets.load("play_tennis"), "PlayTennis") == 1.0


def test_the_hot_windy_saturday_of_the_deck_is_no(tree: sf.DecisionTreeClassifier) -> None:
    day = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Strong"}
    explanation = tree.explain(day)
    assert explanation.prediction == "No"
    assert [step.condition for step in explanation.steps[1:]] == ["Outlook = Sunny", "Humidity = High"]


# Base cases --------------------------------------------------------------------------------------------------------


def test_a_pure_set_of_rows_is_a_leaf() -> None:
    table = pd.DataFrame({"a": ["u", "u", "v", "v"], "b": ["s", "t", "s", "t"], "y": ["no", "no", "yes", "yes"]})
    tree = sf.id3().fit(table, "y")
    assert lines_of(tree) == "a = u: no (2.0)\na = v: yes (2.0)"


def test_without_an_attribute_left_the_majority_answers() -> None:
    table = pd.DataFrame({"a": ["u"] * 3 + ["v"] * 3, "y": ["no", "no", "yes", "yes", "yes", "no"]})
    tree = sf.id3().fit(table, "y")
    assert lines_of(tree) == "a = u: no (3.0/1.0)\na = v: yes (3.0/1.0)"


def test_a_nominal_attribute_is_asked_once_on_a_path() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.choice(list("uvw"), (200, 3)), columns=["a", "b", "c"])
    model = sf.id3().fit(table.assign(y=random.choice(["no", "yes"], 200)), "y").model_
    for leaf in np.flatnonzero(model.nodes.is_leaf):
        asked = [model.tested(node).name for node in model.nodes.path(int(leaf))[:-1]]
        assert len(asked) == len(set(asked))


def test_identical_inputs_are_not_split_and_the_majority_answers() -> None:
    table = pd.DataFrame({"a": ["u"] * 5, "n": [1.5] * 5, "y": ["no", "yes", "yes", "no", "yes"]})
    tree = sf.id3().fit(table, "y")
    assert tree.node_count == 1
    assert tree.predict(table.head(1)).tolist() == ["yes"]


def test_of_equal_majorities_the_first_class_answers() -> None:
    table = pd.DataFrame({"a": ["u"] * 4, "y": ["yes", "no", "yes", "no"]})
    assert sf.id3().fit(table, "y").predict(table.head(1)).tolist() == ["no"]


def test_an_empty_branch_answers_with_the_majority_of_the_node_above_it() -> None:
    table = pd.DataFrame(
        {
            "a": ["u"] * 5 + ["v"] * 12,
            "b": ["r", "r", "s", "s", "s", *"rst" * 4],
            "y": ["no", "no", "yes", "yes", "yes", *["no"] * 12],
        }
    )
    tree = sf.id3().fit(table, "y")
    assert lines_of(tree).splitlines() == [
        "a = u",
        "|   b = r: no (2.0)",
        "|   b = s: yes (3.0)",
        "|   b = t: yes (0.0)",
        "a = v: no (12.0)",
    ]
    assert tree.predict_proba(pd.DataFrame({"a": ["u"], "b": ["t"]})).tolist() == [[0.4, 0.6]]
