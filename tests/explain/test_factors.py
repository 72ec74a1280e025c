"""Explanations: a derivation that adds up, as text and as HTML, with notes on what is unusual about the row."""

import numpy as np
import pandas as pd
import pytest
from cells import Cells

import suffice as sf
from suffice.explain.factors import Explanation, explain
from suffice.models.factor import Factor
from suffice.schema import Batch

ODD = "<b>&\"odd'</b>"
MODELS = [sf.NaiveBayes(), sf.NaiveBayes(likelihoods="kde"), sf.LDA(), sf.QDA(), sf.JointBayes(smoothing=1.0)]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)


def table(rows=80, town="town", kiel="Kiel", label="b"):
    random = np.random.default_rng(0)
    y = np.where(np.arange(rows) % 2, "a", label)
    return pd.DataFrame(
        {
            "height": random.normal(170 + 9 * (y == "a"), 9),
            town: random.choice(["Ulm", kiel], rows),
            "flat": 1.0,
            "y": y,
        }
    )


def by_hand():
    logs = np.log([[0.5, 0.5], [0.2, 0.6]])
    factors = (Factor("prior", "", logs[0], ("0.5", "0.5")), Factor("wind", "Weak", logs[1], ("1/5", "3/5")))
    return Explanation(("No", "Yes"), factors, logs.sum(axis=0), np.array([0.25, 0.75]), ("a note",))


def test_a_derivation_reads_factor_by_factor_down_to_the_prediction():
    assert str(by_hand()).splitlines() == [
        "                        No        Yes",
        "---------  ----  ---------  ---------",
        "prior                  0.5        0.5",
        "wind       Weak  1/5 = 0.2  3/5 = 0.6",
        "---------  ----  ---------  ---------",
        "= joint                0.1        0.3",
        "posterior           0.2500     0.7500",
        "",
        "prediction: Yes",
        "note: a note",
    ]


def test_the_prediction_is_the_class_with_the_largest_posterior():
    assert by_hand().prediction == "Yes"


def test_the_html_holds_the_same_cells_as_the_text():
    found = Cells(by_hand()._repr_html_())
    cells = [cell for row in by_hand().rows() for cell in row if cell]
    assert found.texts == ["No", "Yes", *cells, "prediction: ", "Yes", "a note"]
    assert found.tags.count("tr") == 5


def test_odd_names_are_escaped_in_html_and_plain_in_text():
    model = sf.NaiveBayes().fit(table(town=ODD, kiel="<i>", label="<script>"), "y")
    explanation = model.explain({"height": 150.0, ODD: "<i>", "flat": 1.0})
    page = explanation._repr_html_()
    found = Cells(page)
    assert set(found.tags) == {"table", "thead", "tr", "th", "tbody", "td", "p", "b"}
    assert {ODD, "<i>", "<script>"} <= set(found.texts)
    assert ODD in str(explanation)
    assert "prediction: <script>" in str(explanation)


def test_odd_names_are_escaped_in_notes_too():
    model = sf.NaiveBayes().fit(table(town=ODD), "y")
    page = model.explain({"height": 150.0, "flat": 1.0, ODD: None})._repr_html_()
    assert f"missing, so left out: {ODD}" in Cells(page).texts
    assert "<b>&" not in page


@every_model
def test_the_factors_add_up_to_the_posterior_of_the_prediction(model):
    rows = table()
    model.fit(rows, "y")
    for i in range(5):
        row = rows.iloc[i].drop("y").to_dict()
        explanation = model.explain(row)
        assert explanation.factors[0].name == "prior"
        np.testing.assert_allclose(sum(factor.log for factor in explanation.factors), explanation.log_joint)
        np.testing.assert_allclose(explanation.log_joint, model.predict_log_joint(rows.iloc[[i]])[0], rtol=1e-9)
        np.testing.assert_allclose(explanation.posterior, model.predict_proba(rows.iloc[[i]])[0], rtol=1e-9)
        assert explanation.prediction == model.predict(rows.iloc[[i]])[0]
        assert explanation.notes == ()


@pytest.mark.parametrize("model", [sf.NaiveBayes(), sf.LDA()], ids=repr)
def test_missing_values_are_named_but_not_those_of_columns_without_evidence(model):
    explanation = model.fit(table(), "y").explain({"height": None, "town": None, "flat": None})
    assert explanation.notes == ("missing, so left out: height, town",)
    assert [factor.name for factor in explanation.factors] == ["prior"]


def test_a_level_never_seen_is_named_as_such_and_not_as_missing():
    explanation = sf.NaiveBayes().fit(table(), "y").explain({"height": 170.0, "town": "Rome", "flat": 1.0})
    assert explanation.notes == ("level never seen in training, read as missing: town",)
    assert str(explanation).endswith("note: level never seen in training, read as missing: town")


def test_a_row_that_is_impossible_in_every_class_says_so_and_gets_the_priors():
    rows = pd.DataFrame({"wind": ["w", "w", "s"], "sky": ["c", "c", "r"], "y": ["a", "a", "b"]})
    explanation = sf.NaiveBayes(smoothing=0).fit(rows, "y").explain({"wind": "w", "sky": "r"})
    assert explanation.notes == ("the row is impossible in every class; the class priors are used",)
    np.testing.assert_allclose(explanation.posterior, [2 / 3, 1 / 3])


@pytest.mark.parametrize(
    ("smoothing", "note"),
    [
        (0.0, "no training row has this combination; the class priors are used"),
        (1.0, "no training row has this combination"),
    ],
)
def test_a_combination_never_seen_says_so(smoothing, note):
    rows = pd.DataFrame({"wind": ["w", "w", "s"], "sky": ["c", "c", "r"], "y": ["a", "a", "b"]})
    assert sf.JointBayes(smoothing=smoothing).fit(rows, "y").explain({"wind": "w", "sky": "r"}).notes == (note,)


def test_only_the_first_row_of_a_batch_is_explained():
    model = sf.NaiveBayes().fit(table(), "y").model_
    batch = Batch(model.schema, np.array([[180.0, 1.0], [150.0, 1.0]]), np.array([[0, 1]], dtype=np.int32))
    both, first = explain(model, batch), explain(model, batch.take(slice(1)))
    np.testing.assert_array_equal(both.posterior, first.posterior)
    assert str(both) == str(first)
