"""L38, decks 000, 001 and 003: generative against discriminative models, side by side, on one's own data."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import suffice as sf

mpl.use("Agg")

TUMOURS = sf.datasets.load("breast_cancer").select(["mean_radius", "mean_texture", "mean_smoothness", "diagnosis"])
PAIR = {"GDA": sf.LDA(), "naive Bayes": sf.NaiveBayes(), "logistic regression": sf.LogisticRegression()}


def test_one_leaderboard_has_both_on_the_same_folds() -> None:
    board = sf.compare(TUMOURS, "diagnosis", models=PAIR)
    assert {row.model for row in board.rows} >= set(PAIR)
    discriminative = next(row for row in board.rows if row.model == "logistic regression")
    assert discriminative.log_loss == min(row.log_loss for row in board.rows)  # it maximises just that, on other rows


def test_one_picture_has_both_boundaries() -> None:
    axes = sf.plot_boundary(PAIR, TUMOURS, "diagnosis", ["mean_radius", "mean_texture"])
    assert [line.get_label() for line in axes.lines] == list(PAIR)


def test_one_set_of_learning_curves_has_both() -> None:
    curve = sf.learning_curve(PAIR, TUMOURS, "diagnosis", sizes=[10, 100, 390], repeats=5)
    assert curve.models == tuple(PAIR)
    assert curve.plot().get_xlabel() == "training rows"


def test_the_same_rows_are_explained_by_both_in_their_own_words() -> None:
    row = {"mean_radius": 14.0, "mean_texture": 20.0, "mean_smoothness": 0.1}
    generative, discriminative = (
        PAIR[name].fit(TUMOURS, "diagnosis") for name in ("naive Bayes", "logistic regression")
    )
    assert "prior" in str(generative.explain(row))
    assert "prior" not in str(discriminative.explain(row))
    for model in (generative, discriminative):
        posterior = model.predict_proba(TUMOURS[:1])
        assert posterior.sum() == pytest.approx(1.0)


def test_only_the_generative_model_knows_the_rows_themselves() -> None:
    generative, discriminative = sf.LDA().fit(TUMOURS, "diagnosis"), sf.LogisticRegression().fit(TUMOURS, "diagnosis")
    new = generative.sample(500, random_state=0)
    assert abs(np.mean(new["mean_radius"].to_numpy()) - np.mean(TUMOURS["mean_radius"].to_numpy())) < 0.5
    assert np.isfinite(generative.log_likelihood(TUMOURS, "diagnosis"))
    assert not hasattr(discriminative, "sample")
    assert not hasattr(discriminative, "log_likelihood")
