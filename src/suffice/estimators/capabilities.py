"""What can be asked of a model, whoever made it: each ability goes by the method that has it."""

from __future__ import annotations


def is_estimator(model: object) -> bool:
    """Whether an object keeps to scikit-learn's rules, as the models of suffice do."""
    return not isinstance(model, type) and _has(model, "fit", "predict", "get_params")


def predicts(model: object) -> bool:
    """Whether it predicts a target; densities and joint distributions have none."""
    return _has(model, "predict")


def has_probabilities(model: object) -> bool:
    """Whether a classifier says how probable classes are."""
    return _has(model, "predict_proba")


def has_scores(model: object) -> bool:
    """Whether a classifier has a decision function."""
    return _has(model, "decision_function")


def draws_rows(model: object) -> bool:
    """Whether it knows how the columns are distributed, so that it can sample."""
    return _has(model, "sample")


def has_rules(model: object) -> bool:
    """Whether it can be read as if-then rules."""
    return _has(model, "rules")


def has_summary(model: object) -> bool:
    """Whether its coefficients have standard errors."""
    return _has(model, "summary")


def _has(model: object, *methods: str) -> bool:
    return all(hasattr(model, method) for method in methods)
