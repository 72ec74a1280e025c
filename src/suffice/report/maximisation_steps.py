"""How many steps of expectation–maximisation a model took, and whether they were enough."""

from __future__ import annotations

from suffice.models.gaussian_discriminant import GaussianDiscriminantModel


def maximisation_steps(model: GaussianDiscriminantModel) -> str:
    """In words."""
    end = "" if model.has_converged else ", which did not converge"
    return f"missing values: {model.steps} steps of expectation–maximisation{end}"
