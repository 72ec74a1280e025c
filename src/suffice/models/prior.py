"""The class priors as the first factor of every derivation."""

from __future__ import annotations

import numpy as np

from suffice.models.factor import Factor, fraction
from suffice.schema import Array


def prior_factor(priors: Array, class_weight: Array) -> Factor:
    """P(class): as fractions where they were counted, as numbers where they were given."""
    total = class_weight.sum()
    with np.errstate(divide="ignore"):
        log = np.log(priors)
    if total > 0 and np.allclose(class_weight / total, priors, rtol=1e-12, atol=0.0):
        texts = tuple(fraction(weight, total) for weight in class_weight)
    else:
        texts = tuple(f"{prior:.4g}" for prior in priors)
    return Factor("prior", "", log, texts)
