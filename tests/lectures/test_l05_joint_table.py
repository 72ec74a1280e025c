"""L5, deck 002: the Bayes classifier with the full joint table on PlayTennis."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf

COLUMNS = ("Outlook", "Temperature", "Humidity", "Wind")


@pytest.fixture(scope="module")
def model() -> sf.JointBayes:
    return sf.JointBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")


def combination(model: sf.JointBayes, *values: str) -> dict[str, tuple[str, float]]:
    """The fraction of a combination in each class, as it reads and as a number."""
    factor = model.explain(dict(zip(COLUMNS, values, strict=True))).factors[1]
    numbers = np.exp(factor.log)
    return {label: (factor.texts[k], float(numbers[k])) for k, label in enumerate(model.classes_)}


def test_the_probabilities_are_those_of_the_deck(model: sf.JointBayes) -> None:
    sunny = combination(model, "Sunny", "Hot", "High", "Weak")
    assert sunny["No"] == ("1/5", pytest.approx(1 / 5, rel=1e-14))
    assert sunny["Yes"] == ("0/9", 0.0)
    overcast = combination(model, "Overcast", "Hot", "High", "Weak")
    assert overcast["Yes"] == ("1/9", pytest.approx(1 / 9, rel=1e-14))
    assert overcast["No"] == ("0/5", 0.0)


def test_there_are_72_parameters_and_one_prior(model: sf.JointBayes) -> None:
    assert model.parameter_count == 3 * 3 * 2 * 2 * 2 + 1


def test_the_description_has_every_row_of_the_table_as_fractions(model: sf.JointBayes) -> None:
    lines = [line.split() for line in model.describe().splitlines()]
    table = sf.datasets.load("play_tennis").to_pylist()
    for row in table:
        fractions = ["1/5", "0/9"] if row["PlayTennis"] == "No" else ["0/5", "1/9"]
        assert [*(row[name] for name in COLUMNS), *fractions] in lines
    assert "14 of 36 combinations occur" in model.describe()
    assert "P(Yes) = 9/14 = 0.6429" in model.describe()


def test_a_combination_never_seen_gets_the_priors_and_says_so(model: sf.JointBayes) -> None:
    explanation = model.explain(dict(zip(COLUMNS, ("Sunny", "Cool", "High", "Strong"), strict=True)))
    np.testing.assert_allclose(explanation.posterior, [5 / 14, 9 / 14], rtol=1e-14)
    assert explanation.notes == ("no training row has this combination; the class priors are used",)


def test_every_training_row_is_classified_correctly(model: sf.JointBayes) -> None:
    assert model.score(sf.datasets.load("play_tennis"), "PlayTennis") == 1.0
