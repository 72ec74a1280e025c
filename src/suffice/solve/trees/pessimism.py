"""C4.5's pessimism: the errors to expect on new rows, from the errors seen on the training rows."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from suffice.errors import SettingError
from suffice.statistics.compiled import compiled


def require_confidence(confidence: float) -> None:
    """C4.5's confidence lies between 0 (prune most) and 0.5 (prune least)."""
    is_number = isinstance(confidence, (int, float, np.floating)) and not isinstance(confidence, bool)
    if not is_number or not 0 < confidence <= 0.5:
        raise SettingError(f"confidence must be above 0 and at most 0.5 (C4.5 uses 0.25), not {confidence!r}.")


def quantile(confidence: float) -> float:
    """The normal quantile z that leaves `confidence` above it: 0.6745 for 0.25."""
    return float(-ndtri(confidence))


@compiled
def added_errors(weight: float, errors: float, confidence: float, z: float) -> float:
    """How many errors to add to those seen: the upper limit of the binomial rate, less the rate seen.

    Without errors N·(1 − CF^(1/N)); up to one error interpolated; otherwise Wilson's limit with continuity correction,
    with f = (e+½)/N: N·(f + z²/2N + z·√(f/N − f²/N + z²/4N²)) / (1 + z²/N) − e.
    """
    if weight <= 0.0:
        return 0.0
    if errors < 1.0:
        base = weight * (1.0 - confidence ** (1.0 / weight))
        if errors <= 0.0:
            return float(base)
        return float(base + errors * (added_errors(weight, 1.0, confidence, z) - base))
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    f = (errors + 0.5) / weight
    root = np.sqrt(f / weight - f * f / weight + z * z / (4.0 * weight * weight))
    limit = (f + z * z / (2.0 * weight) + z * root) / (1.0 + z * z / weight)
    return float(limit * weight - errors)
