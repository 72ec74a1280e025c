"""Explanations: the derivation of one prediction, factor by factor, test by test, or term by term."""

from __future__ import annotations

from typing import Any

from suffice.explain.factors import Explanation
from suffice.explain.factors import explain as explain_factors
from suffice.explain.linear import Contribution, LinearExplanation, explain_linear
from suffice.explain.path import PathExplanation, Step, explain_path
from suffice.explain.shown import TOP
from suffice.models.linear import LinearModel
from suffice.models.tree import TreeModel
from suffice.schema import Batch

__all__ = [
    "Contribution",
    "Explanation",
    "LinearExplanation",
    "PathExplanation",
    "Step",
    "explain",
    "explain_factors",
    "explain_linear",
    "explain_path",
]


def explain(model: Any, batch: Batch, top: int | None = TOP) -> Explanation | LinearExplanation | PathExplanation:
    """Derive the prediction for the first row of a batch, as suits the model; a path is always shown whole."""
    if isinstance(model, TreeModel):
        return explain_path(model, batch)
    return explain_linear(model, batch, top) if isinstance(model, LinearModel) else explain_factors(model, batch, top)
