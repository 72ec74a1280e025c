"""The summary as a reader sees it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SeparationWarning, SufficeWarning

COLUMNS = ["coefficient", "std. error", "z", "p", "95% from", "to", "odds ratio"]


def table_of(rows: int = 200, classes: int = 2) -> pd.DataFrame:
    random = np.random.default_rng(0)
    y = random.integers(0, classes, rows)
    return pd.DataFrame(
        {
            "age": random.normal(40 + 4 * y, 10),
            "sex": random.choice(["female", "male"], rows),
            "y": np.array(["no", "yes", "maybe"])[y],
        }
    )


def test_under_maximum_likelihood_everything_is_tested() -> None:
    summary = sf.LogisticRegression(l2=0).fit(table_of(), "y").summary()
    text = str(summary)
    assert text.startswith("LogisticRegression: y, maximum likelihood")
    for name in (*COLUMNS, "AIC", "BIC", "log-likelihood", "of class shares alone", "pseudo-R²", "sex=male", "age"):
        assert name in text
    assert "sex=female" not in text
    assert not summary.is_posterior
    assert text == repr(summary)


def test_under_map_it_is_a_posterior_without_tests() -> None:
    summary = sf.LogisticRegression(l2=1.0).fit(table_of(), "y").summary()
    text = str(summary)
    assert text.startswith("LogisticRegression: y, posterior under a Gaussian prior (MAP)")
    assert summary.is_posterior
    assert "posterior mode" in text
    for name in (" z ", " p ", "AIC", "BIC", "std. error"):
        assert name not in text
        assert f">{name.strip()}<" not in summary._repr_html_()
    assert all(np.isnan(line.p_value) and np.isnan(line.z) for line in summary.coefficients)
    assert all(line.standard_error > 0 for line in summary.coefficients)


def test_one_column_without_penalty_makes_no_test_of_the_others() -> None:
    """Some weights are shrunk, so this is no maximum likelihood."""
    summary = sf.LogisticRegression(l2={"age": 0.0}).fit(table_of(), "y").summary()
    assert summary.is_posterior
    assert "maximum likelihood" not in summary.title
    assert np.isnan(summary["sex=male"].p_value)


def test_lines_are_found_by_term_and_with_more_classes_by_class_and_term() -> None:
    two = sf.LogisticRegression().fit(table_of(), "y").summary()
    assert two["age"] == two[("yes", "age")]
    three = sf.LogisticRegression().fit(table_of(classes=3), "y").summary()
    assert three[("no", "age")].label == "no"
    with pytest.raises(KeyError, match="has a line per class: ask for"):
        three["age"]
    with pytest.raises(KeyError, match=r"There is no term 'agee'\. Did you mean 'age'"):
        two["agee"]


def test_three_classes_have_two_tables_against_the_reference() -> None:
    text = str(sf.LogisticRegression(reference="no").fit(table_of(classes=3), "y").summary())
    assert "ln P(maybe)/P(no)" in text
    assert "ln P(yes)/P(no)" in text
    assert "ln P(no)" not in text


def test_a_notebook_shows_the_same_numbers() -> None:
    summary = sf.LogisticRegression(l2=0).fit(table_of(), "y").summary()
    page = summary._repr_html_()
    for cell in summary.lines("yes")[1]:
        assert f"{cell}</td>" in page


def test_names_from_the_table_are_not_read_as_html() -> None:
    table = table_of().rename(columns={"age": "<b>age</b>", "y": "<i>y</i>"})
    page = sf.LogisticRegression().fit(table, "<i>y</i>").summary()._repr_html_()
    assert "<b>age</b>" not in page
    assert "<i>y</i>" not in page


def test_of_separable_classes_nothing_is_tested() -> None:
    table = table_of().assign(y=lambda t: np.where(t["age"] > 41, "yes", "no"))
    with pytest.warns(SeparationWarning):
        summary = sf.LogisticRegression(l2=0).fit(table, "y").summary()
    assert all(np.isnan(line.p_value) and np.isnan(line.standard_error) for line in summary.coefficients)
    assert "the classes are completely separable" in str(summary)


def test_collinear_terms_have_no_standard_errors_and_count_once() -> None:
    table = table_of().assign(months=lambda t: 12 * t["age"])
    with pytest.warns(SufficeWarning, match="determine one another"):
        summary = sf.LogisticRegression(l2=0).fit(table, "y").summary()
    expected = sf.LogisticRegression(l2=0).fit(table_of(), "y").summary()
    assert np.isnan(summary["age"].standard_error)
    assert np.isnan(summary["months"].p_value)
    assert summary["sex=male"].standard_error == pytest.approx(expected["sex=male"].standard_error, rel=1e-6)
    assert summary["sex=male"].p_value == pytest.approx(expected["sex=male"].p_value, rel=1e-5)
    assert summary.aic == pytest.approx(expected.aic, rel=1e-9)
    assert summary.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-10)
    assert "determined by the others (collinear)" in str(summary)


@pytest.mark.parametrize("l2", [1e-4, 1e-8, 1e-10, 1e-12])
def test_a_prior_as_weak_as_can_be_is_never_more_certain_than_it_is(l2: float) -> None:
    """Only the sum of two equal columns is known; each alone is known no better than by the prior, 1/√(2·l2)."""
    random = np.random.default_rng(0)
    x = random.normal(size=300)
    table = pd.DataFrame({"a": x, "b": x, "y": random.random(300) < 1 / (1 + np.exp(-x))})
    error = sf.LogisticRegression(l2=l2).fit(table, "y").summary()["a"].standard_error
    assert np.isnan(error) or error > 0.9 / np.sqrt(2 * l2)


def test_a_very_small_p_value_is_said_to_be_so() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=2000)
    table = pd.DataFrame({"x": x, "y": random.random(2000) < 1 / (1 + np.exp(-2 * x))})
    assert "<0.0001" in str(sf.LogisticRegression(l2=0).fit(table, "y").summary())
