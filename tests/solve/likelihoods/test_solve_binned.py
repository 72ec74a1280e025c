"""Bins or a Gaussian: chosen by how well the column alone tells the class of a row from all the others."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.kernels.one_column_losses import loss_of_bins, loss_of_gaussian
from suffice.models.likelihoods.binned import Binned


def bins_of(model: sf.NaiveBayes) -> tuple[str, ...]:
    return tuple(name for part in model.model_.likelihoods if isinstance(part, Binned) for name in part.columns)


def test_the_loss_of_bins_is_that_of_leaving_each_row_out() -> None:
    random = np.random.default_rng(0)
    rows = np.column_stack([random.integers(0, 4, 60), random.integers(0, 3, 60)])
    expected = 0.0
    for i in range(60):
        others = np.delete(rows, i, axis=0)
        joint = np.empty(3)
        for k in range(3):
            own = others[others[:, 1] == k, 0]
            joint[k] = len(own) * (np.sum(own == rows[i, 0]) + 1) / (len(own) + 4)
        expected -= np.log(joint[rows[i, 1]] / joint.sum())
    table = np.zeros((4, 3))
    np.add.at(table, tuple(rows.T), 1.0)
    loss = np.empty(1)
    loss_of_bins(table, np.ones((4, 3)), np.array([0]), loss)
    assert loss[0] == pytest.approx(expected, rel=1e-12)


def test_the_loss_of_a_gaussian_is_that_of_leaving_each_row_out() -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 40)
    x = random.normal(size=40) * (1 + y) + y
    within = sum(np.sum((x[y == k] - x[y == k].mean()) ** 2) for k in range(2)) / 40
    expected = 0.0
    for i in range(40):
        others, classes = np.delete(x, i), np.delete(y, i)
        log = np.empty(2)
        for k in range(2):
            own = others[classes == k]
            variance = max(own.var(), within / (len(own) + 1))
            log[k] = np.log(len(own)) - 0.5 * (np.log(variance) + (x[i] - own.mean()) ** 2 / variance)
        expected += np.logaddexp.reduce(log) - log[y[i]]
    values = np.unique(x)
    table = np.stack([(values[:, None] == x[y == k]).sum(axis=1) for k in range(2)], axis=1).astype(float)
    loss = np.empty(1)
    loss_of_gaussian(values, table, np.array([0]), 1.0, 1e-9, loss)
    assert loss[0] == pytest.approx(expected, rel=1e-9)


def test_gaussian_columns_stay_gaussian_and_others_get_bins() -> None:
    random = np.random.default_rng(2)
    y = random.integers(0, 2, 600)
    table = pd.DataFrame(
        {
            "bell": random.normal(size=600) + y,
            "two_hills": np.where(y == 1, random.choice([-3.0, 3.0], 600), 0.0) + random.normal(size=600),
            "noise": random.exponential(size=600),
            "y": y.astype(str),
        }
    )
    model = sf.NaiveBayes().fit(table, "y")
    assert "bell" not in bins_of(model)
    assert "two_hills" in bins_of(model)
    assert model.score(table, "y") > sf.NaiveBayes("gaussian").fit(table, "y").score(table, "y") + 0.01


def test_without_smoothing_every_number_is_gaussian_by_maximum_likelihood() -> None:
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 300)
    x = np.where(y == 1, random.choice([-3.0, 3.0], 300), 0.0) + random.normal(size=300)
    model = sf.NaiveBayes(smoothing=0).fit(x[:, None], y)
    assert bins_of(model) == ()
    np.testing.assert_allclose(model.var_[:, 0], [x[y == 0].var(), x[y == 1].var()], rtol=1e-12)


def test_a_class_in_which_a_number_never_varied_has_no_needle_of_a_density() -> None:
    x = np.array([*np.zeros(20), *np.linspace(-1, 1, 20)])
    y = np.repeat(["still", "moving"], 20)
    model = sf.NaiveBayes("gaussian").fit(x[:, None], y)
    still = model.classes_.tolist().index("still")
    assert model.var_[still, 0] == pytest.approx(x.var() / 21, rel=1e-12)  # the classes have one mean
    sharp = sf.NaiveBayes("gaussian", smoothing=0).fit(x[:, None], y)
    assert sharp.var_[still, 0] == pytest.approx(1e-9 * x.var(), rel=1e-9)


def test_bins_of_whole_numbers_are_cut_between_them() -> None:
    random = np.random.default_rng(4)
    y = random.integers(0, 2, 400)
    x = np.where(y == 1, random.choice([0, 6], 400), random.integers(2, 5, 400))
    model = sf.NaiveBayes().fit(pd.DataFrame({"x": x, "y": y.astype(str)}), "y")
    [part] = [part for part in model.model_.likelihoods if isinstance(part, Binned)]
    np.testing.assert_array_equal(part.cuts[0] % 1.0, 0.5)
    assert part.tables[0].numerator.sum() == 400 + 2 * (len(part.cuts[0]) + 1)
    assert "x (bins)" in model.describe()
