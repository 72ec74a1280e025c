"""L6, deck 002: naive Bayes with nominal attributes on PlayTennis."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf

NEW = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
TABLES = {  # Yes, No, as the deck prints them
    "Outlook": {"Sunny": ("2/9", "3/5"), "Overcast": ("4/9", "0/5"), "Rain": ("3/9", "2/5")},
    "Temperature": {"Hot": ("2/9", "2/5"), "Mild": ("4/9", "2/5"), "Cool": ("3/9", "1/5")},
    "Humidity": {"High": ("3/9", "4/5"), "Normal": ("6/9", "1/5")},
    "Wind": {"Strong": ("3/9", "3/5"), "Weak": ("6/9", "2/5")},
}


@pytest.fixture(scope="module")
def model() -> sf.NaiveBayes:
    return sf.NaiveBayes(smoothing=0).fit(sf.datasets.load("play_tennis"), "PlayTennis")


def parts_of(description: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """The tables of a description: column -> level -> cells."""
    tables = {}
    for part in description.split("\n\n"):
        if part.startswith("P(") and " | ·)" in part:
            heading, _, *rows = part.splitlines()
            assert heading.split()[-2:] == ["No", "Yes"]
            tables[heading[2:].split(" |")[0]] = {row.split()[0]: tuple(row.split()[1:]) for row in rows}
    return tables


def test_all_four_tables_are_described_as_fractions(model: sf.NaiveBayes) -> None:
    expected = {column: {level: (no, yes) for level, (yes, no) in levels.items()} for column, levels in TABLES.items()}
    assert parts_of(model.describe()) == expected


def test_the_priors_are_described_as_fractions(model: sf.NaiveBayes) -> None:
    assert "P(No) = 5/14 = 0.3571" in model.describe()
    assert "P(Yes) = 9/14 = 0.6429" in model.describe()


def test_there_are_20_parameters_and_one_prior(model: sf.NaiveBayes) -> None:
    assert model.parameter_count == (3 + 3 + 2 + 2) * 2 + 1


def test_the_new_day_has_the_joints_of_the_deck_and_is_no(model: sf.NaiveBayes) -> None:
    explanation = model.explain(NEW)
    no, yes = np.exp(explanation.log_joint)
    assert f"{yes:.4f}" == "0.0053"
    assert f"{no:.4f}" == "0.0206"
    assert yes == pytest.approx(2 / 9 * 3 / 9 * 3 / 9 * 3 / 9 * 9 / 14, rel=1e-12)
    assert no == pytest.approx(3 / 5 * 1 / 5 * 4 / 5 * 3 / 5 * 5 / 14, rel=1e-12)
    assert explanation.prediction == "No"


def test_the_derivation_shows_every_factor_of_the_deck_in_order(model: sf.NaiveBayes) -> None:
    explanation = model.explain(NEW)
    found = [(factor.name, factor.value, *factor.texts) for factor in explanation.factors]
    expected = [(name, level, *reversed(TABLES[name][level])) for name, level in NEW.items()]
    assert found == [("prior", "", "5/14", "9/14"), *expected]
    for factor in explanation.factors:
        for text, log in zip(factor.texts, factor.log, strict=True):
            numerator, denominator = map(int, text.split("/"))
            assert np.exp(log) == pytest.approx(numerator / denominator, rel=1e-12)


def test_the_prediction_agrees_with_the_derivation(model: sf.NaiveBayes) -> None:
    day = [list(NEW.values())]
    by_array = sf.NaiveBayes(smoothing=0).fit(
        np.array([list(row.values())[:-1] for row in sf.datasets.load("play_tennis").to_pylist()], dtype=object),
        sf.datasets.load("play_tennis")["PlayTennis"].to_pylist(),
    )
    np.testing.assert_allclose(
        by_array.predict_proba(np.array(day, dtype=object))[0], model.explain(NEW).posterior, atol=1e-12
    )
    assert by_array.predict(np.array(day, dtype=object)).tolist() == ["No"]
