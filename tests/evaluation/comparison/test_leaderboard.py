"""Which model is the best, where the folds do not tell some from the first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import suffice as sf
from suffice.evaluation.comparison.leaderboard import Row, legend, recommended


def row(model: str, accuracy: float, log_loss: float, parameters: int = 10, alike: bool = False) -> Row:
    scores = {"accuracy": accuracy, "log_loss": log_loss, "auc": 0.9}
    return Row(model, scores, seconds=0.1, parameters=parameters, is_within_noise=alike)


def test_the_first_of_the_leaderboard_is_the_best_unless_others_are_within_noise() -> None:
    first, other = row("cart", 0.9, 0.4), row("lda", 0.8, 0.1)
    assert recommended([first, other]) is first
    assert "taken as the best" not in " ".join(legend([first, other], "accuracy"))


def test_a_model_with_probabilities_is_better_than_one_without() -> None:
    rows = [row("perceptron", 0.9, np.nan, 1_500), row("lda", 0.89, 0.3, 24, alike=True)]
    assert recommended(rows).model == "lda"
    said = legend(rows, "accuracy")[-1]
    assert said == (
        "lda is taken as the best model: it is within noise of perceptron in accuracy, and has probabilities, which "
        "perceptron has not, and the lowest log loss of those"
    )


def test_of_models_with_probabilities_the_one_with_the_lowest_log_loss_is_the_best() -> None:
    rows = [row("id3", 0.9, 2.0), row("qda", 0.89, 0.3, alike=True), row("lda", 0.88, 0.2, alike=True)]
    assert recommended(rows).model == "lda"
    assert "has the lowest log loss of those" in legend(rows, "accuracy")[-1]


def test_of_equal_log_losses_the_smaller_model_is_the_best() -> None:
    rows = [row("qda", 0.9, 0.2, 44), row("lda", 0.9, 0.2, 24, alike=True)]
    assert recommended(rows).model == "lda"


def test_a_model_below_a_baseline_is_never_taken_in_place_of_the_first() -> None:
    rows = [row("cart", 0.9, 0.4), replace(row("lda", 0.89, 0.1, alike=True), below="majority")]
    assert recommended(rows).model == "cart"


def test_of_quantities_the_model_with_the_fewest_parameters_is_the_best() -> None:
    rows = [
        Row(name, {"rmse": 1.0, "mae": 1.0, "r2": 0.5}, 0.1, parameters, alike)
        for name, parameters, alike in (("id3", 300, False), ("cart", 20, True))
    ]
    assert recommended(rows).model == "cart"
    assert legend(rows, "rmse")[-1].endswith("in RMSE, and has the fewest parameters of those")


def test_the_comparison_gives_the_best_model_and_keeps_the_order() -> None:
    result = sf.compare(sf.datasets.load("iris"), "species", models=["perceptron", "lda", "logistic"], folds=3)
    assert result.leader == "lda"
    assert result.best is result.fitted["lda"]
    scores = [row.accuracy for row in result.rows]
    assert scores == sorted(scores, reverse=True)
