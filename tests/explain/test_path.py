"""Explanations of trees: the tests on a row's way, where missing values went, and leaves that add up to the answer."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest
from cells import Cells

import suffice as sf
from mixed_rows import mixed_rows
from suffice.errors import TableError
from suffice.explain.path import explain_path
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.tree import ClassificationTree
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.schema.unread import NOTHING, Unknown

ODD = "<b>&\"odd'</b>"
TENNIS = sf.datasets.load("play_tennis")
MODELS = [
    sf.id3(),
    sf.c45(prune=None),
    sf.cart(prune=None),
    sf.id3(missing="direction"),
    sf.DecisionTreeRegressor(),
    sf.DecisionTreeRegressor(splits="multiway", missing="fractional"),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)


@functools.cache
def table(seed=0, rows=80, gaps=0.25, numeric_target=False):
    return mixed_rows(np.random.default_rng(seed), rows, gaps, numeric_target)


def fitted(model, frame):
    return model.fit(frame, "y")


def two_levels(threshold=np.nan, missing_branch=-1, column=None):
    """A single test with two leaves: No 3, Yes 1 and No 0, Yes 4."""
    column = Nominal("wind", ("Strong", "Weak")) if column is None else column
    minus = np.full(3, -1, dtype=np.int32)
    nodes = Nodes(
        np.array([0, -1, -1], dtype=np.int32),
        np.array([threshold, np.nan, np.nan]),
        np.array([1, -1, -1], dtype=np.int32),
        np.array([2, 0, 0], dtype=np.int32),
        np.array([missing_branch, -1, -1], dtype=np.int32),
        minus,
        np.empty(0, dtype=np.bool_),
        np.array([[3.0, 5.0], [3.0, 1.0], [0.0, 4.0]]),
    )
    return ClassificationTree(Schema((column,), Nominal("play", ("No", "Yes"))), nodes)


def row_of(model, value, unknown=NOTHING):
    if model.schema.numeric:
        return Batch(model.schema, np.array([[value]]), np.empty((0, 1), dtype=np.int32))
    return Batch(model.schema, np.empty((1, 0)), np.array([[value]], dtype=np.int32), unknown=unknown)


# How it reads -------------------------------------------------------------------------------------------------------


def test_a_path_reads_test_by_test_down_to_the_prediction():
    model = sf.id3().fit(TENNIS, "PlayTennis")
    assert str(model.explain({"Outlook": "Sunny", "Humidity": "High"})).splitlines() == [
        "                       No     Yes",
        "-----------------  ------  ------",
        "all training rows       5       9",
        "Outlook = Sunny         3       2",
        "Humidity = High       3/3     0/3",
        "-----------------  ------  ------",
        "posterior          1.0000  0.0000",
        "",
        "prediction: No",
    ]


def test_a_missing_value_shows_every_branch_with_its_share():
    model = sf.id3().fit(TENNIS, "PlayTennis")
    explanation = model.explain({"Humidity": "High", "Wind": "Weak"})
    assert explanation.rows() == [
        ["all training rows", "1.0000", "5", "9"],
        ["|   if Outlook = Overcast", "0.2857", "0/4", "4/4"],
        ["|   if Outlook = Rain", "0.3571", "2", "3"],
        ["|   |   Wind = Weak", "0.3571", "0/3", "3/3"],
        ["|   if Outlook = Sunny", "0.3571", "3", "2"],
        ["|   |   Humidity = High", "0.3571", "3/3", "0/3"],
        ["posterior", "", "0.3571", "0.6429"],
    ]
    assert explanation.notes == ("missing, so in every branch by its share of the training rows: Outlook",)


def test_a_path_to_a_number_shows_rows_mean_and_deviation():
    settings = {"criterion": "standard_deviation", "splits": "multiway", "max_depth": 1}
    model = sf.DecisionTreeRegressor(**settings).fit(sf.datasets.load("hours_played"), "Hours Played")
    explanation = model.explain({"Outlook": "Overcast"})
    assert explanation.rows() == [
        ["all training rows", "14", "41.7143", "11.6031"],
        ["Outlook = Overcast", "4", "49.25", "7.59523"],
        ["prediction", "", "49.25", ""],
    ]
    assert explanation.value == explanation.prediction == 49.25
    assert str(explanation).endswith("prediction: 49.25")


@pytest.mark.parametrize(
    ("value", "condition"),
    [
        (37.0, "age = 37 <= 40"),
        (40.0, "age = 40 <= 40"),
        (40.00001, "age = 40.00001 > 40.0"),
        (62.5, "age = 62.5 > 40"),
    ],
)
def test_a_numeric_test_shows_the_row_s_own_value(value, condition):
    model = two_levels(threshold=40.0, column=Numeric("age"))
    assert explain_path(model, row_of(model, value)).steps[1].condition == condition


@pytest.mark.parametrize(("value", "condition"), [(3.0, "age = 3, age is known"), (np.nan, "age is missing")])
def test_a_test_for_a_missing_value_needs_no_note(value, condition):
    model = two_levels(threshold=np.inf, missing_branch=1, column=Numeric("age"))
    explanation = explain_path(model, row_of(model, value))
    assert explanation.steps[1].condition == condition
    assert explanation.notes == ()


def test_a_test_for_a_missing_level_needs_no_note():
    frame = pd.DataFrame({"a": ["u", "v", "u", "v", None, None], "y": ["No", "No", "No", "No", "Yes", "Yes"]})
    explanation = sf.cart(prune=None).fit(frame, "y").explain({"a": None})
    assert explanation.steps[1].condition == "a is missing"
    assert explanation.prediction == "Yes"
    assert explanation.notes == ()


def test_a_level_among_several_shows_them_all():
    model = sf.cart(prune=None).fit(TENNIS, "PlayTennis")
    explanation = model.explain({"Outlook": "Sunny", "Humidity": "High"})
    assert [step.condition for step in explanation.steps[1:3]] == [
        "Outlook = Sunny in {Rain, Sunny}",
        "Humidity = High",
    ]


def test_a_missing_value_that_takes_one_branch_says_which():
    model = two_levels(missing_branch=1)
    explanation = explain_path(model, row_of(model, -1))
    assert explanation.steps[1].condition == "wind missing, as if wind = Weak"
    assert explanation.notes == ("missing, so in the branch that missing values take: wind",)
    assert explanation.prediction == "Yes"


@pytest.mark.parametrize(("branch", "steps"), [(1, 2), (-1, 3)])
def test_a_level_never_seen_is_named_as_such_and_not_as_missing(branch, steps):
    model = two_levels(missing_branch=branch)
    explanation = explain_path(model, row_of(model, -1, Unknown({model.schema.names[0]: 1})))
    assert explanation.notes == ("level never seen in training, read as missing: wind",)
    assert len(explanation.steps) == steps
    if branch == 1:
        assert explanation.steps[1].condition == "wind new, as if wind = Weak"


def test_an_empty_leaf_answers_as_the_node_above_and_says_so():
    frame = pd.DataFrame({"a": pd.Categorical(["u", "u", "w"], ["u", "v", "w"]), "y": ["No", "No", "Yes"]})
    explanation = sf.id3().fit(frame, "y").explain({"a": "v"})
    assert explanation.rows()[-2:] == [["a = v", "2/3", "1/3"], ["posterior", "0.6667", "0.3333"]]
    assert explanation.notes == ("no training row came to this leaf; it answers as the node above it",)


def test_a_single_leaf_has_a_path_of_one_step():
    explanation = sf.id3(max_depth=0).fit(TENNIS, "PlayTennis").explain({"Outlook": "Sunny"})
    assert explanation.rows() == [["all training rows", "5/14", "9/14"], ["posterior", "0.3571", "0.6429"]]


def test_only_what_fits_the_target_can_be_asked():
    model = two_levels()
    with pytest.raises(TypeError, match="has classes; see `posterior`"):
        _ = explain_path(model, row_of(model, 0)).value
    frame = table(numeric_target=True)
    explanation = fitted(sf.DecisionTreeRegressor(), frame).explain({})
    with pytest.raises(TypeError, match="is a number, it has no classes; see `value`"):
        _ = explanation.posterior


def test_infinite_numbers_are_refused():
    model = two_levels(threshold=40.0, column=Numeric("age"))
    with pytest.raises(TableError):
        explain_path(model, row_of(model, np.inf))


# HTML ---------------------------------------------------------------------------------------------------------------


def test_the_html_holds_the_same_cells_as_the_text():
    explanation = sf.id3().fit(TENNIS, "PlayTennis").explain({"Wind": "Weak"})
    found = Cells(explanation._repr_html_())
    cells = [cell for row in explanation.rows() for cell in row if cell]
    assert found.texts == ["share", "No", "Yes", *cells, "prediction: ", "Yes", *explanation.notes]
    assert found.tags.count("tr") == len(explanation.rows()) + 1


def test_odd_names_are_escaped_in_html_and_plain_in_text():
    frame = table(gaps=0.0).rename(columns={"town": ODD}).replace({"Ulm": "<i>", "low": "<script>"})
    model = fitted(sf.id3(max_depth=2), frame[[ODD, "y"]])
    explanation = model.explain({ODD: "<i>"})
    found = Cells(explanation._repr_html_())
    assert set(found.tags) == {"table", "thead", "tr", "th", "tbody", "td", "p", "b"}
    assert {f"{ODD} = <i>", "<script>"} <= set(found.texts)
    assert f"{ODD} = <i>" in str(explanation)
    assert ODD not in model.explain({ODD: None})._repr_html_()


# Laws ---------------------------------------------------------------------------------------------------------------


@every_model
@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_the_leaves_add_up_to_the_answer_of_the_model(model, gaps):
    frame = table(gaps=gaps, numeric_target=isinstance(model, sf.DecisionTreeRegressor))
    tree = fitted(model, frame).model_
    for seed in range(12):
        values = table(seed + 50, rows=1, gaps=gaps).drop(columns="y")
        batch = model._one_row(values)
        explanation = explain_path(tree, batch)
        total = sum(step.share * step.answer for step in explanation.leaves)
        np.testing.assert_allclose(total, tree.answer(batch)[0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(explanation.answer, tree.answer(batch)[0], rtol=0, atol=1e-12)
        assert sum(step.share for step in explanation.leaves) == pytest.approx(1.0, abs=1e-12)
        leaves, shares = tree.leaf_shares(batch)
        assert [step.node for step in explanation.leaves] == leaves.tolist()
        np.testing.assert_allclose([step.share for step in explanation.leaves], shares, rtol=0, atol=1e-12)
        assert explanation.prediction == model.predict(values)[0]
        assert str(explanation)
        assert explanation._repr_html_()


@every_model
def test_each_step_is_a_branch_of_a_step_before_it(model):
    frame = table(numeric_target=isinstance(model, sf.DecisionTreeRegressor))
    tree = fitted(model, frame).model_
    steps = model.explain({}).steps
    seen = {0}
    for step in steps[1:]:
        assert int(tree.nodes.parent[step.node]) in seen
        seen.add(step.node)


def test_only_the_first_row_of_a_batch_is_explained():
    model = two_levels()
    batch = Batch(model.schema, np.empty((2, 0)), np.array([[0, 1]], dtype=np.int32))
    assert str(explain_path(model, batch)) == str(explain_path(model, row_of(model, 0)))
