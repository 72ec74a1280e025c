"""Poisson likelihoods from totals."""

from __future__ import annotations

import numpy as np

from suffice.models.likelihoods.poisson import Poisson
from suffice.statistics.moments.magnitudes import too_large
from suffice.statistics.quotient import quotient
from suffice.statistics.totals import Totals

RATE_FLOOR = 1e-9


def solve_poisson(totals: Totals) -> Poisson:
    """λ = total/n; at least 1e-9 of the overall rate, which a class without known values takes."""
    with np.errstate(over="ignore"):
        total = totals.total.sum(axis=0)
    if not np.isfinite(total).all():
        raise too_large(totals.columns[int(np.flatnonzero(~np.isfinite(total))[0])], "sums")
    overall = quotient(total, totals.weight.sum(axis=0))
    has_rows = totals.weight > 0
    rate = np.where(has_rows, quotient(totals.total, totals.weight), overall)
    is_known = tuple((totals.weight.sum(axis=0) > 0).tolist())
    return Poisson(totals.schema, totals.columns, np.maximum(rate, RATE_FLOOR * overall), is_known)
