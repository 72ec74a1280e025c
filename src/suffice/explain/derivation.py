"""The derivation of a prediction, as suits the model."""

from __future__ import annotations

from typing import Any

from suffice.explain.factors import Explanation
from suffice.explain.factors import explain as explain_factors
from suffice.explain.linear import LinearExplanation, explain_linear
from suffice.explain.path import PathExplanation, explain_path
from suffice.explain.shown import TOP
from suffice.models.linear import LinearModel
from suffice.models.trees.tree import TreeModel
from suffice.schema import Batch


def explain(model: Any, batch: Batch, top: int | None = TOP) -> Explanation | LinearExplanation | PathExplanation:
    """Derive the prediction for the first row of a batch, as suits the model; a path is always shown whole."""
    if isinstance(model, TreeModel):
        return explain_path(model, batch)
    return explain_linear(model, batch, top) if isinstance(model, LinearModel) else explain_factors(model, batch, top)
