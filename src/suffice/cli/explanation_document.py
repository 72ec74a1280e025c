"""The derivation of one prediction as a JSON document: of factors, of terms, or of the tests of a tree."""

from __future__ import annotations

from typing import Any

from suffice.explain.factors import Explanation
from suffice.explain.linear import LinearExplanation
from suffice.explain.path import PathExplanation, Step


def document_of(explanation: Explanation | LinearExplanation | PathExplanation) -> dict[str, Any]:
    """All that an explanation says, in names and numbers."""
    if isinstance(explanation, LinearExplanation):
        return _of_terms(explanation)
    return _of_factors(explanation) if isinstance(explanation, Explanation) else _of_path(explanation)


def _of_terms(explanation: LinearExplanation) -> dict[str, Any]:
    probabilities = {} if explanation.posterior is None else {"posterior": explanation.posterior}
    return {
        "prediction": explanation.prediction,
        "classes": explanation.classes,
        **probabilities,
        "scores": dict(zip(explanation.headings, explanation.total, strict=True)),
        "contributions": [
            {"name": part.name, "value": part.value, "added": part.added} for part in explanation.contributions
        ],
        "notes": explanation.notes,
    }


def _of_factors(explanation: Explanation) -> dict[str, Any]:
    return {
        "prediction": explanation.prediction,
        "classes": explanation.classes,
        "posterior": explanation.posterior,
        "log_joint": explanation.log_joint,
        "factors": [
            {"name": factor.name, "value": factor.value, "log": factor.log, "texts": factor.texts}
            for factor in explanation.factors
        ],
        "notes": explanation.notes,
    }


def _of_path(explanation: PathExplanation) -> dict[str, Any]:
    of_classes = {"classes": explanation.classes, "posterior": explanation.answer} if explanation.classes else {}
    return {
        "prediction": explanation.prediction,
        **of_classes,
        "steps": [_of_step(step, bool(explanation.classes)) for step in explanation.steps],
        "notes": explanation.notes,
    }


def _of_step(step: Step, has_classes: bool) -> dict[str, Any]:
    """A node on the way, and its training rows: how many of each class; or how many, their mean and deviation."""
    names = ("rows", "mean", "standard_deviation")
    rows = {"rows": step.statistic} if has_classes else dict(zip(names, step.statistic, strict=True))
    return {
        "node": step.node,
        "condition": step.condition,
        "share": step.share,
        **rows,
        "answer": step.answer,  # in a leaf: the probabilities, or the number
    }
