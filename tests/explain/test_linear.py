"""The derivation of a linear prediction: contributions that add up, to the last digit, to the scores that decide."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import log_softmax

import suffice as sf
from suffice.errors import SufficeWarning, TableError


@functools.cache
def mixed(rows: int = 160, classes: int = 3, gaps: float = 0.1, seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    table = pd.DataFrame(
        {
            "height": random.normal(170 + 3 * y, 6.0),
            "visits": random.poisson(2.0 + y, rows).astype(float),
            "city": np.where(random.random(rows) < 0.25 + 0.2 * y, "Oslo", random.choice(["Bonn", "Rome"], rows)),
            "diet": random.choice(["meat", "fish"], rows),
        }
    )
    for column in table.columns:
        table.loc[random.random(rows) < gaps, column] = None
    return table.assign(y=np.array(["no", "yes", "maybe"])[y])


SETTINGS: list[dict[str, Any]] = [
    {},
    {"l2": 0.0},
    {"degree": 2},
    {"standardize": False},
    {"degree": 2, "standardize": False},
    {"reference": "no"},
]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_contributions_add_up_exactly_to_the_log_odds_and_the_posterior(
    classes: int, settings: dict[str, Any], gaps: float
) -> None:
    table = mixed(classes=classes, gaps=gaps)
    model = sf.LogisticRegression(**settings).fit(table, "y")
    rows = pd.concat([table.head(12), mixed(6, classes=classes, gaps=0.6, seed=5)])  # some lack what none lacked before
    logs, predicted = model.predict_log_proba(rows), model.predict(rows)
    reference = model.classes_.tolist().index(model.logistic_weights().reference)
    for i, row in enumerate(rows.to_dict("records")):
        explanation = model.explain(rows.iloc[i : i + 1] if i == 0 else row)
        total = np.sum([part.added for part in explanation.contributions], axis=0)
        np.testing.assert_array_equal(explanation.total, total)
        found = log_softmax(np.insert(total, reference, 0.0))
        np.testing.assert_allclose(found, logs[i], rtol=0, atol=1e-12)
        np.testing.assert_allclose(explanation.posterior, np.exp(logs[i]), rtol=0, atol=1e-12)
        assert explanation.prediction == predicted[i]


@pytest.mark.parametrize("classes", [2, 3])
def test_contributions_add_up_to_the_perceptrons_score(classes: int) -> None:
    random = np.random.default_rng(0)
    y = np.arange(60) % classes
    table = pd.DataFrame({"a": random.normal(size=60) + 30 * y, "city": random.choice(["Oslo", "Rome"], 60)})
    table["b"] = 30.0 * (y == 1) + random.normal(size=60)
    model = sf.Perceptron().fit(table.assign(y=y), "y")
    scores = np.atleast_2d(model.decision_function(table).T).T
    for i in range(8):
        explanation = model.explain(table.iloc[i : i + 1])
        total = np.sum([part.added for part in explanation.contributions], axis=0)
        np.testing.assert_allclose(total, scores[i], rtol=0, atol=1e-12 * (1 + np.abs(scores[i]).max()))
        assert explanation.prediction == y[i]
        assert explanation.posterior is None
        assert "θ·x" in str(explanation)
        assert "P(" not in str(explanation)


def test_a_column_has_one_line_and_its_value() -> None:
    table = mixed(gaps=0.0, classes=2)
    explanation = (
        sf.LogisticRegression()
        .fit(table, "y")
        .explain({"height": 171.5, "visits": 3.0, "city": "Oslo", "diet": "fish"})
    )
    lines = {part.name: part.value for part in explanation.contributions}
    assert lines == {"intercept": "", "height": "171.5", "visits": "3", "city": "Oslo", "diet": "fish"}
    text = str(explanation)
    assert "ln P(yes)/P(no)" in text
    assert f"prediction: {explanation.prediction}" in text
    assert repr(explanation) == text
    assert "Oslo" in explanation._repr_html_()


def test_products_have_lines_of_their_own() -> None:
    explanation = (
        sf.LogisticRegression(degree=2)
        .fit(mixed(gaps=0.0), "y")
        .explain({"height": 171.5, "visits": 3.0, "city": "Oslo", "diet": "fish"})
    )
    lines = {part.name: part.value for part in explanation.contributions}
    assert lines["height × city"] == "171.5 × Oslo"
    assert lines["height × visits"] == "171.5 × 3"
    assert lines["city × diet"] == "Oslo × fish"
    assert lines["height"] == "171.5"


def test_numbers_contribute_by_how_far_they_are_from_their_mean() -> None:
    table = mixed(gaps=0.0)
    explanation = (
        sf.LogisticRegression()
        .fit(table, "y")
        .explain({"height": table["height"].mean(), "visits": table["visits"].mean(), "city": "Oslo", "diet": "meat"})
    )
    for part in explanation.contributions:
        if part.name in ("height", "visits"):
            np.testing.assert_allclose(part.added, 0.0, atol=1e-12)


def test_missing_values_are_named_in_a_note() -> None:
    model = sf.LogisticRegression().fit(mixed(gaps=0.0), "y")
    explanation = model.explain({"height": 170.0, "diet": "fish"})
    assert "missing: visits, city" in str(explanation)
    lines = {part.name: part.value for part in explanation.contributions}
    assert lines["visits"] == lines["city"] == "missing"


def test_a_level_never_seen_is_named_in_a_note() -> None:
    model = sf.LogisticRegression().fit(mixed(gaps=0.0), "y")
    row = {"height": 170.0, "visits": 2.0, "city": "Lima", "diet": "fish"}
    explanation = model.explain(row)
    assert any("city" in note for note in explanation.notes)
    with pytest.warns(SufficeWarning, match="never seen"):
        expected = model.predict_proba(pd.DataFrame([row]))
    np.testing.assert_allclose(explanation.posterior, expected[0], rtol=0, atol=1e-12)


def test_a_column_without_evidence_adds_nothing() -> None:
    model = sf.LogisticRegression().fit(mixed(gaps=0.0).assign(same=7.0, word="x", gone=np.nan), "y")
    names = [part.name for part in model.explain({"height": 170.0, "same": 3.0}).contributions]
    assert not {"same", "word", "gone"} & set(names)


def test_an_infinite_value_is_an_error() -> None:
    model = sf.LogisticRegression().fit(mixed(), "y")
    with pytest.raises(TableError, match="Column 'height' contains infinity"):
        model.explain({"height": np.inf})


def test_exactly_one_row_is_explained() -> None:
    table = mixed()
    model = sf.LogisticRegression().fit(table, "y")
    with pytest.raises(TableError, match="exactly one row"):
        model.explain(table.head(2))


def test_scores_as_large_as_can_be_have_a_posterior() -> None:
    model = sf.LogisticRegression().fit(mixed(gaps=0.0), "y")
    explanation = model.explain({"height": 1e9, "visits": 2.0, "city": "Oslo", "diet": "meat"})
    assert np.isfinite(explanation.posterior).all()
    assert explanation.posterior.sum() == pytest.approx(1.0, rel=1e-12)


FAR = [[1e308] * 4, [-1e308] * 4, [1.7e308, -1.7e308, 1.0, 2.0], [1e200] * 4, [1e160, 1.0, np.nan, 1e-3]]


@pytest.mark.filterwarnings("ignore::suffice.errors.ConvergenceWarning")
@pytest.mark.parametrize("row", FAR)
@pytest.mark.parametrize(
    "model", [sf.LogisticRegression(l2=1.0), sf.LogisticRegression(l2=1.0, degree=2), sf.Perceptron()]
)
def test_rows_so_far_out_that_scores_overflow_are_explained_as_they_are_predicted(model, row):
    iris = sf.datasets.load("iris").to_pandas()
    model.fit(iris, "species")
    far = pd.DataFrame([row, row], columns=iris.columns[:4])
    found = model.explain(far[:1])
    assert list(model.predict(far)) == [found.prediction] * 2
    assert np.isfinite(found.total).all()
    np.testing.assert_allclose(np.sum([part.added for part in found.contributions], axis=0), found.total)
    if found.posterior is not None:
        np.testing.assert_array_equal(model.predict_proba(far), [found.posterior] * 2)
        assert found.posterior.max() == 1.0


@pytest.mark.filterwarnings("ignore::suffice.errors.ConvergenceWarning")
def test_scores_that_overflow_keep_their_proportion():
    iris = sf.datasets.load("iris").to_pandas()
    for model in (sf.LogisticRegression(l2=1.0), sf.Perceptron()):
        model.fit(iris, "species")
        near, far = (
            model.explain(pd.DataFrame([[size] * 4], columns=iris.columns[:4])).total for size in (1e200, 1e308)
        )
        np.testing.assert_allclose(far / far[0], near / near[0], rtol=1e-12)


def test_a_far_number_beside_levels_and_gaps_is_explained_as_it_is_predicted():
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {"x": random.normal(size=90), "z": random.normal(size=90), "town": ["Bonn", "Kiel", "Ulm"] * 30}
    )
    table.loc[::9, "z"] = np.nan
    y = np.where(table["x"] + (table["town"] == "Kiel") + random.normal(size=90) > 0, "up", "low")
    model = sf.LogisticRegression(l2=1.0, degree=2).fit(table, y)
    for x, z, town in [(1e300, np.nan, None), (-1e200, 1e200, "Kiel"), (1e155, 1.0, None)]:
        row = pd.DataFrame({"x": [x], "z": [z], "town": pd.Series([town], dtype=object)})
        np.testing.assert_array_equal(model.predict_proba(row)[0], model.explain(row).posterior)
