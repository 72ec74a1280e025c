"""What can be asked of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sklearn.svm import LinearSVC

import suffice as sf
from suffice.estimators import capabilities


@pytest.mark.parametrize(
    ("model", "abilities"),
    [
        (sf.NaiveBayes(), "is_estimator predicts has_probabilities draws_rows"),
        (sf.LDA(), "is_estimator predicts has_probabilities has_scores draws_rows"),
        (sf.LogisticRegression(), "is_estimator predicts has_probabilities has_scores has_summary"),
        (sf.Perceptron(), "is_estimator predicts has_scores"),
        (sf.c45(), "is_estimator predicts has_probabilities has_rules"),
        (sf.DecisionTreeRegressor(), "is_estimator predicts has_rules"),
        (sf.JointDistribution(), "draws_rows"),
        (sf.KernelDensity(), "draws_rows"),
        (LinearSVC(), "is_estimator predicts has_scores"),
        (sf.LDA, "predicts has_probabilities has_scores draws_rows"),
    ],
    ids=lambda value: value if isinstance(value, str) else getattr(value, "__name__", type(value).__name__),
)
def test_a_model_has_these_abilities_and_no_others(model: Any, abilities: str) -> None:
    functions = (
        "is_estimator",
        "predicts",
        "has_probabilities",
        "has_scores",
        "draws_rows",
        "has_rules",
        "has_summary",
    )
    asked: dict[str, Callable[[Any], bool]] = {name: getattr(capabilities, name) for name in functions}
    assert [name for name, has in asked.items() if has(model)] == abilities.split()
