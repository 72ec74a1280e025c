"""Where a column's zero is does not matter: years as they are or since 2000, degrees in Celsius or Kelvin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import randoms

import suffice as sf
from suffice.models.likelihoods.binned import Binned

SHIFTS = [-300.0, 273.15, 2000.0, 1e6]
MODELS = {
    "naive Bayes": sf.NaiveBayes,
    "naive Bayes, Gaussian": lambda: sf.NaiveBayes("gaussian"),
    "joint Bayes": lambda: sf.JointBayes(bins=8),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def some_rows(random: np.random.Generator, rows: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """A number of some kind, and classes that stripes of it tell apart, with mistakes."""
    spread = random.choice([3.0, 8.0, 40.0])
    x = random.normal(0.0, spread, rows) if kind != "skewed" else random.lognormal(0.0, 1.5, rows)
    classes = np.floor(np.abs(x) / (spread / 2)).astype(int) % random.integers(2, 4)
    mistaken = random.random(rows) < 0.1
    classes[mistaken] = random.integers(0, 2, mistaken.sum())
    return np.round(x, {"whole": 0, "decimal": 1, "skewed": 1, "real": 15}[kind]), classes


def probabilities(make, x: np.ndarray, classes: np.ndarray, asked: np.ndarray) -> np.ndarray:
    return np.asarray(make().fit(x[:, None], classes).predict_proba(asked[:, None]))


@every_model
@settings(max_examples=25, deadline=None)
@given(
    random=randoms,
    rows=st.integers(40, 600),
    kind=st.sampled_from(["whole", "decimal", "skewed"]),
    shift=st.sampled_from(SHIFTS),
)
def test_a_shifted_column_predicts_alike(make, random, rows, kind, shift):
    x, classes = some_rows(random, rows, kind)
    asked = np.append(some_rows(random, 50, kind)[0], np.nan)
    here, there = (probabilities(make, x + by, classes, asked + by) for by in (0.0, shift))
    np.testing.assert_allclose(there, here, atol=1e-6)


@every_model
@pytest.mark.parametrize("shift", SHIFTS)
def test_a_shifted_column_of_many_values_predicts_nearly_alike(make, shift):
    x, classes = some_rows(np.random.default_rng(3), 20_000, "real")
    asked = np.linspace(-10, 10, 2_001)
    here, there = (probabilities(make, x + by, classes, asked + by) for by in (0.0, shift))
    assert np.abs(there - here).mean() < 0.02
    assert (there.argmax(axis=1) == here.argmax(axis=1)).mean() > 0.97


@pytest.mark.parametrize(("shift", "unit"), [(2000.0, 1.0), (1.7e9, 1.0), (1.7e18, 1e9), (1e6, 0.01)])
def test_numbers_far_from_zero_have_bins(shift, unit):
    x, classes = some_rows(np.random.default_rng(1), 2_000, "whole")
    model = sf.NaiveBayes().fit(shift + unit * x[:, None], classes)
    (likelihood,) = model.model_.likelihoods
    assert isinstance(likelihood, Binned)
    assert model.score(shift + unit * x[:, None], classes) == sf.NaiveBayes().fit(x[:, None], classes).score(
        x[:, None], classes
    )
