"""L7, deck 002: Laplace smoothing, the m-estimate, and zero probabilities without them."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf

NEW = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}


def fitted(**settings: object) -> sf.NaiveBayes:
    return sf.NaiveBayes(**settings).fit(sf.datasets.load("play_tennis"), "PlayTennis")


@pytest.mark.parametrize(
    ("settings", "yes", "no"),
    [
        ({"smoothing": 0}, "0.0052910", "0.0205714"),
        ({"smoothing": 1}, "0.0070838", "0.0182216"),
        ({"smoothing": 3, "smoothing_prior": "marginal"}, "0.0070832", "0.0155403"),
    ],
)
def test_the_joints_of_the_new_day(settings: dict[str, object], yes: str, no: str) -> None:
    found_no, found_yes = np.exp(fitted(**settings).explain(NEW).log_joint)
    assert f"{found_yes:.7f}" == yes
    assert f"{found_no:.7f}" == no


def test_laplace_adds_one_to_every_level() -> None:
    table = fitted(smoothing=1).model_.likelihoods[0].tables[0]
    assert table.numerator.tolist() == [[1, 5], [3, 4], [4, 3]]  # Overcast, Rain, Sunny in No, Yes
    assert table.denominator.tolist() == [5 + 3, 9 + 3]
    assert "4/8" in fitted(smoothing=1).describe()


def test_the_m_estimate_adds_m_rows_of_the_overall_fractions() -> None:
    table = fitted(smoothing=3, smoothing_prior="marginal").model_.likelihoods[0].tables[0]
    overall = np.array([4, 5, 5]) / 14
    np.testing.assert_allclose(table.numerator[:, 0], np.array([0, 2, 3]) + 3 * overall, rtol=1e-15)
    np.testing.assert_allclose(table.denominator, [5 + 3, 9 + 3])


@pytest.mark.parametrize("prior", ["uniform", "marginal"])
def test_smoothed_probabilities_still_add_up_to_one(prior: str) -> None:
    for table in fitted(smoothing=2.5, smoothing_prior=prior).model_.likelihoods[0].tables:
        np.testing.assert_allclose(table.probability.sum(axis=0), 1.0, rtol=1e-14)


def test_a_zero_cannot_be_conditioned_away_without_smoothing() -> None:
    overcast = NEW | {"Outlook": "Overcast"}
    without = fitted(smoothing=0).explain(overcast)
    assert without.posterior.tolist() == [0.0, 1.0]
    assert without.factors[1].texts[0] == "0/5"
    assert 0.0 < fitted(smoothing=1).explain(overcast).posterior[0] < 1.0
