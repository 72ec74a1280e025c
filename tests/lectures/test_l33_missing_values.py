"""L33, deck 000: missing attribute values and noisy data, in training and in prediction.

The numbers are those of Quinlan's book (C4.5, 1993, chapter 3): the days of golf, the outlook of one of them unknown.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf

GOLF = pd.DataFrame(
    [
        ("sunny", 75, 70, "true", "Play"),
        ("sunny", 80, 90, "true", "Don't Play"),
        ("sunny", 85, 85, "false", "Don't Play"),
        ("sunny", 72, 95, "false", "Don't Play"),
        ("sunny", 69, 70, "false", "Play"),
        (None, 72, 90, "true", "Play"),
        ("overcast", 83, 78, "false", "Play"),
        ("overcast", 64, 65, "true", "Play"),
        ("overcast", 81, 75, "false", "Play"),
        ("rain", 71, 80, "true", "Don't Play"),
        ("rain", 65, 70, "true", "Don't Play"),
        ("rain", 75, 80, "false", "Play"),
        ("rain", 68, 80, "false", "Play"),
        ("rain", 70, 96, "false", "Play"),
    ],
    columns=["outlook", "temperature", "humidity", "windy", "class"],
)


@pytest.fixture(scope="module")
def tree() -> sf.DecisionTreeClassifier:
    return sf.c45(prune=None, leaf_smoothing=0).fit(GOLF, "class")


def test_the_gain_is_that_of_the_known_times_their_share(tree: sf.DecisionTreeClassifier) -> None:
    work = tree.best_splits(GOLF, "class")["outlook"]
    assert f"{work.gain:.3f}" == "0.199"
    assert f"{work.split_information:.3f}" == "1.809"  # the unknown count as one more branch
    assert work.gain_ratio == pytest.approx(0.199 / 1.809, rel=3e-3)


def test_the_row_of_unknown_outlook_goes_down_every_branch_by_its_share(tree: sf.DecisionTreeClassifier) -> None:
    assert set(tree.describe().split("\n\n")[1].splitlines()) == {
        "outlook = overcast: Play (3.2)",
        "outlook = rain",
        "|   windy = False: Play (3.0)",
        "|   windy = True: Don't Play (2.4/0.4)",
        "outlook = sunny",
        "|   humidity <= 75: Play (2.0)",
        "|   humidity > 75: Don't Play (3.4/0.4)",
    }


def test_a_sunny_day_of_unknown_humidity_is_played_with_44_percent(tree: sf.DecisionTreeClassifier) -> None:
    explanation = tree.explain({"outlook": "sunny", "temperature": 70, "windy": "false"})
    no, play = explanation.posterior
    share = 2 / (5 + 5 / 13)
    assert play == pytest.approx(share + (1 - share) * (5 / 13) / (3 + 5 / 13), rel=1e-12)
    assert f"{play:.0%}" == "44%"
    assert f"{no:.0%}" == "56%"
    assert explanation.prediction == "Don't Play"
    assert sum(leaf.share for leaf in explanation.leaves) == pytest.approx(1.0, rel=1e-12)


def test_the_prediction_of_many_rows_agrees_with_the_explanation(tree: sf.DecisionTreeClassifier) -> None:
    random = np.random.default_rng(0)
    gaps = GOLF.drop(columns="class").astype(object).mask(random.random((14, 4)) < 0.4)
    gaps = gaps.astype({"temperature": float, "humidity": float})
    probabilities = tree.predict_proba(gaps)
    for row in range(14):
        np.testing.assert_allclose(tree.explain(gaps.iloc[row : row + 1]).posterior, probabilities[row], rtol=1e-12)


def test_a_row_of_which_nothing_is_known_mixes_all_leaves_by_their_rows(tree: sf.DecisionTreeClassifier) -> None:
    nothing = pd.DataFrame([[None, np.nan, np.nan, None]], columns=list(GOLF.columns[:4]))
    [found] = tree.predict_proba(nothing)
    weights, answers = tree.model_.weight, tree.model_.answers
    leaves = tree.model_.nodes.is_leaf
    np.testing.assert_allclose(found, weights[leaves] @ answers[leaves] / weights[leaves].sum(), rtol=1e-9)


def test_a_direction_is_learned_for_missing_values_where_that_is_asked() -> None:
    """Of the rows without x all are q, as are those of large x: missing takes that branch."""
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 8.0, 9.0, None, None], "y": list("pppqqqq")})
    tree = sf.cart(prune=None).fit(table, "y")
    assert tree.node_count == 3
    assert tree.predict(pd.DataFrame({"x": [None, 2.5, 8.5]})).tolist() == ["q", "p", "q"]
    mirrored = sf.cart(prune=None).fit(table.assign(y=list("qqqppqq")), "y")
    assert mirrored.predict(pd.DataFrame({"x": [None, 2.5, 8.5]})).tolist() == ["q", "q", "p"]


def test_missing_may_be_a_branch_of_its_own_where_the_direction_is_learned() -> None:
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, None, None, None], "y": list("ppppqqq")})
    tree = sf.cart(prune=None).fit(table, "y")
    assert tree.describe().split("\n\n")[1] == "x is known: p (4.0)\nx is missing: q (3.0)"
    assert tree.predict(pd.DataFrame({"x": [None, 1e9]})).tolist() == ["q", "p"]


@pytest.mark.parametrize("make", [sf.id3, sf.c45, lambda: sf.cart(prune=None)], ids=["id3", "c45", "cart"])
def test_gaps_in_a_third_of_all_cells_leave_most_of_what_can_be_learned(make: object) -> None:
    table = sf.datasets.load("iris").to_pandas()
    random = np.random.default_rng(1)
    gaps = table.mask((random.random(table.shape) < 1 / 3) & (table.columns != "species"))
    tree = make().fit(gaps, "species")  # type: ignore[operator]
    assert tree.score(gaps, "species") > 0.85
    np.testing.assert_allclose(tree.predict_proba(gaps).sum(axis=1), 1.0, rtol=1e-9)


def test_noisy_classes_are_smoothed_by_pruning() -> None:
    """A tenth of the classes is wrong: the pruned tree finds the one test that makes them."""
    random = np.random.default_rng(2)
    x = random.random((600, 4))
    y = (x[:, 0] > 0.5) ^ (random.random(600) < 0.1)
    tree = sf.id3(prune="pessimistic", confidence=0.001).fit(x, y)
    assert tree.leaf_count < sf.id3().fit(x, y).leaf_count / 4
    new = random.random((2000, 4))
    assert np.mean(tree.predict(new) == (new[:, 0] > 0.5)) > 0.95
