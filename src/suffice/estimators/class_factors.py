"""Class weights as users give them: a mapping of classes, or "balanced"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.schema import Array, Level, said_of_classes
from suffice.sources.targets.weights import LEAST_WEIGHT, MOST_WEIGHT


def class_factors(class_weight: Any, classes: tuple[Level, ...], weight: Array) -> Array:
    """What the rows of each class count for, where the rows of each have the given weight together.

    >>> class_factors("balanced", ("no", "yes"), np.array([90.0, 10.0])).round(3).tolist()
    [0.556, 5.0]
    """
    if isinstance(class_weight, str) and class_weight == "balanced":
        present = np.count_nonzero(weight)
        return np.where(weight > 0, weight.sum() / (present * np.where(weight > 0, weight, 1.0)), 1.0)
    if not isinstance(class_weight, Mapping):
        raise SettingError(f"class_weight must be None, 'balanced' or a mapping of classes, not {class_weight!r}.")
    said = said_of_classes(class_weight, classes, "class_weight")
    try:
        factors = np.array([float(said.get(label, 1.0)) for label in classes])
    except (TypeError, ValueError) as error:
        raise SettingError(f"class_weight must hold numbers; it is {dict(class_weight)!r}.") from error
    if not np.all(np.isfinite(factors)) or np.any(factors < 0) or not factors.any():
        raise SettingError(f"class_weight must hold numbers of at least 0, not all 0; it is {dict(class_weight)!r}.")
    with np.errstate(over="ignore"):
        together = weight * factors
    is_beyond = (together > 0) & ~((together >= LEAST_WEIGHT) & (together <= MOST_WEIGHT))
    is_beyond |= (together == 0) & (weight > 0) & (factors > 0)
    if is_beyond.any():
        k = int(np.flatnonzero(is_beyond)[0])
        raise SettingError(
            f"With class_weight the rows of class {classes[k]!r} weigh {together[k]:g} together; that must lie between "
            f"{LEAST_WEIGHT:g} and {MOST_WEIGHT:g}. Multiply all class weights by the same number."
        )
    return factors
