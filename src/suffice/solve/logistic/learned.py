"""Maximum-likelihood or MAP estimate of a logistic regression, and the model of it: which weights are identifiable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.models.logistic import LogisticModel
from suffice.schema import AnyArray, Array
from suffice.solve.logistic.objective import Evaluation
from suffice.solve.logistic.path import Path
from suffice.solve.logistic.separation import Separated
from suffice.solve.logistic.settings import LogisticSettings
from suffice.solve.symmetric import SymmetricInverse
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.units import table_units

INVOLVED = 1e-6  # of a direction of length 1: what is less is rounding


@dataclass(frozen=True)
class Learned:
    """Maximum-likelihood or MAP estimate in the design's units, its covariance, and the trace of its optimisation."""

    design: Design
    weights: Array  # (class but the reference, dimension)
    strength: Array  # (dimension,), of the penalty
    origin: SymmetricInverse | None  # of the Hessian at w = 0, whose null space the rows leave undetermined
    covariance: SymmetricInverse | None  # of the estimate: the inverse of the Hessian there
    evaluation: Evaluation
    class_weight: Array
    level_shares: Array
    path: Path
    is_converged: bool
    looks_separable: bool
    hessian: Array | None = None  # of one row on average, near the weights
    factor: float = 1.0  # by which the penalty was multiplied, where its strength was chosen


def as_model(learned: Learned, reference: int, settings: LogisticSettings, separated: Separated) -> LogisticModel:
    """The estimate as a model, which says of every coefficient whether it is identifiable from the rows."""
    open_directions = 0 if learned.origin is None else learned.origin.directions.shape[1]
    undetermined = _undetermined(learned, learned.origin) | _undetermined(learned, learned.covariance)
    return LogisticModel(
        learned.design.schema,
        learned.design,
        learned.weights,
        learned.level_shares,
        reference,
        np.zeros((0, 0)) if learned.covariance is None else learned.covariance.matrix(),
        ~undetermined,
        learned.weights.size - open_directions,
        learned.path.steps - 1,
        learned.class_weight,
        learned.evaluation.log_likelihood,
        settings.prior,
        separated.kind,
        np.zeros((0, 0)) if separated.direction is None else separated.direction,
        None if settings.l2_of or settings.prior == "jeffreys" else settings.l2 * learned.factor,
    )


def _undetermined(learned: Learned, inverse: SymmetricInverse | None) -> AnyArray:
    """Unidentifiable coefficients: those, in the table's units, that the null space moves by more than rounding."""
    shape = learned.weights.shape
    if inverse is None or not inverse.directions.shape[1]:
        return np.zeros(shape, dtype=bool)
    units = table_units(learned.design)
    flat = inverse.null_space.reshape(*shape, -1)
    unit = np.where(inverse.root > 0, 1.0 / np.where(inverse.root > 0, inverse.root, 1.0), 1.0).reshape(shape)
    moved = np.stack([np.abs(units @ part).max(axis=1) for part in flat])
    most = np.stack([abs(units) @ part for part in unit])
    undetermined: AnyArray = moved > INVOLVED * most
    return undetermined
