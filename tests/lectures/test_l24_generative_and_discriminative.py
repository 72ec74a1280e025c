"""L24 and L13, deck 001: Gaussian naive Bayes and logistic regression, the same form fitted in two ways.

The generative weights are the start of the climb; its end has the higher conditional likelihood. Naive Bayes is better
with little data, logistic regression in the limit (Ng and Jordan 2001).
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from benchmarks.ng_and_jordan import curve_of, models, six_tables

import suffice as sf

mpl.use("Agg")

Rows = tuple[np.ndarray, np.ndarray]
Lead = tuple[str, np.ndarray]  # a table, and how far naive Bayes is ahead at each size


@pytest.fixture(scope="module")
def rows() -> Rows:
    random = np.random.default_rng(24)
    y = (random.random(500) < 0.4).astype(int)
    together = random.normal(size=(500, 1))  # the columns are dependent, as naive Bayes does not expect
    return random.normal(0.8 * y[:, None], 1.0, size=(500, 3)) + together, y


def test_with_n_columns_naive_bayes_has_4n_plus_1_parameters_and_logistic_regression_n_plus_1(rows: Rows) -> None:
    x, y = rows
    assert sf.NaiveBayes().fit(x, y).parameter_count == 4 * 3 + 1
    assert sf.LogisticRegression().fit(x, y).parameter_count == 3 + 1


@pytest.mark.parametrize("generative", [sf.LDA(), sf.NaiveBayes(shared_variance=True)], ids=repr)
def test_the_generative_weights_are_where_the_climb_starts(rows: Rows, generative: sf.LDA) -> None:
    x, y = rows
    start = generative.fit(x, y)
    climbed = sf.LogisticRegression(l2=0).fit(x, y, start=start.logistic_weights())
    conditional = start.conditional_log_likelihood(x, y)
    assert climbed.path_.objective[0] == pytest.approx(conditional, rel=1e-10)
    assert np.all(np.diff(climbed.path_.objective) >= -1e-9)
    assert climbed.conditional_log_likelihood(x, y) > conditional
    np.testing.assert_allclose(climbed.coef_, sf.LogisticRegression(l2=0).fit(x, y).coef_, rtol=1e-6)


def test_each_model_is_best_at_what_it_maximises(rows: Rows) -> None:
    x, y = rows
    generative = sf.LDA().fit(x, y)
    discriminative = sf.LogisticRegression(l2=0).fit(x, y)
    assert discriminative.conditional_log_likelihood(x, y) > generative.conditional_log_likelihood(x, y)
    assert generative.log_likelihood(x, y) > sf.NaiveBayes(shared_variance=True).fit(x, y).log_likelihood(x, y)
    assert not hasattr(discriminative, "log_likelihood")  # it knows nothing of P(x)


def test_where_the_generative_model_is_true_both_come_to_the_same_weights() -> None:
    random = np.random.default_rng(2)
    y = (random.random(60_000) < 0.5).astype(int)
    x = random.normal(np.where(y[:, None] == 1, [0.5, -0.5], [-0.5, 0.5]), 1.0)
    closed, climbed = sf.LDA().fit(x, y).logistic_weights(), sf.LogisticRegression(l2=0).fit(x, y)
    np.testing.assert_allclose(climbed.coef_[0], closed.coefficients, atol=0.03)
    np.testing.assert_allclose(climbed.coef_[0], [1.0, -1.0], atol=0.05)


def test_one_picture_has_the_boundaries_of_gda_naive_bayes_and_logistic_regression(rows: Rows) -> None:
    """L2 and L9: three straight lines, near one another."""
    x, y = rows
    models = [sf.LDA(), sf.NaiveBayes(shared_variance=True), sf.LogisticRegression(), sf.Perceptron(max_epochs=20)]
    with pytest.warns(sf.errors.ConvergenceWarning):
        axes = sf.plot_boundary(models, x, y, ["x0", "x1"])
    labels = [line.get_label() for line in axes.lines]
    assert labels == ["LDA", "NaiveBayes", "LogisticRegression", "Perceptron"]
    for line in axes.lines[:3]:
        across, up = np.array(line.get_data())
        known = ~np.isnan(across)
        slope, intercept = np.polyfit(across[known], up[known], 1)
        np.testing.assert_allclose(up[known], slope * across[known] + intercept, atol=0.05)


# Ng and Jordan's learning curves, on tables of their own kind ------------------------------------------------------


@pytest.fixture(scope="module")
def curves() -> list[Lead]:
    """With 8, 10 and 14 rows, and with all that are not held out."""
    found = []
    for name, table, target in six_tables():
        curve = curve_of(table, target, repeats=16, sizes=(8, 10, 14))
        found.append((name, curve.of("naive Bayes") - curve.of("logistic regression")))
    return found


def test_with_little_data_naive_bayes_is_better_on_most_tables(
    curves: list[Lead],
) -> None:
    ahead = {name: float(lead[:-1].mean()) for name, lead in curves}
    assert sum(lead > 0 for lead in ahead.values()) >= 4, ahead


def test_in_the_limit_logistic_regression_is_at_least_as_good_on_most_tables(
    curves: list[Lead],
) -> None:
    behind = {name: float(lead[-1]) for name, lead in curves}
    assert sum(lead <= 0 for lead in behind.values()) >= 5, behind


def test_naive_bayes_loses_ground_as_rows_are_added(curves: list[Lead]) -> None:
    for name, lead in curves:
        assert lead[-1] < lead[:-1].mean() + 0.01, name


SHARED = Path(__file__).parents[3] / "shared" / "data"
MORE = {
    "pima-diabetes.csv": "class",
    "sonar.csv": "Class",
    "liver-bupa.csv": "selector",
    "heart.csv": "target",
    "breast-cancer-wisconsin.csv": "class",
    "vehicle.csv": "Class",
}


@pytest.mark.skipif(not SHARED.exists(), reason="the further tables are not here")
@pytest.mark.filterwarnings("ignore:Column .id. is left out")
def test_on_further_tables_too_naive_bayes_mostly_loses_ground() -> None:
    falls = {}
    for file, target in MORE.items():
        curve = sf.learning_curve(models(), SHARED / file, target, sizes=[10, 14, 140], repeats=10)
        lead = curve.of("naive Bayes") - curve.of("logistic regression")
        falls[file] = bool(lead[-1] < lead[:-1].mean())
    assert sum(falls.values()) >= 4, falls
