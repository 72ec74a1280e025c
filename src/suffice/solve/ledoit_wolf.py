"""Ledoit and Wolf's shrinkage intensity, from merged fourth moments."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array
from suffice.statistics.moments.standard_units import standardise


def ledoit_wolf_intensity(second: Array, fourth: Array, weight: float, scale: Array) -> float:
    """α = min(β, δ)/δ with β = (E‖x‖⁴ − ‖S‖²)/(p·n), δ = ‖S − (tr S/p)·I‖²/p, columns divided by `scale`.

    `second` is Σ d·dᵀ and `fourth` Σ d_j²·d_k² over the rows, d the deviation from the mean (Ledoit and Wolf 2004).
    """
    size = len(second)
    if weight <= 1 or size == 0:
        return 1.0
    covariance = standardise(second / weight, scale)
    norms = float((fourth / weight / np.outer(scale, scale) ** 2).sum())
    square = float((covariance**2).sum())
    level = float(np.trace(covariance)) / size
    distance = (square - size * level**2) / size
    noise = (norms - square) / (size * weight)
    return 0.0 if distance <= 0 else float(np.clip(min(noise, distance) / distance, 0.0, 1.0))
