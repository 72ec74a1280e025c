"""The model matrix's columns in the form the kernels read."""

from __future__ import annotations

import numpy as np

from suffice.kernels.terms import Terms
from suffice.schema import Codes
from suffice.statistics.linear.design import Design
from suffice.statistics.quotient import quotient


def terms_of(design: Design, places: Codes | None = None, without: int | None = None) -> Terms:
    """The terms of a design, but for the coded one `without`; `places` may send cells elsewhere than to theirs."""
    nominal = design.schema.nominal
    pairs = zip(design.coded, design.starts[:-1], strict=True)
    coded = [(term, start) for position, (term, start) in enumerate(pairs) if position != without]
    rows = [
        (term.first, term.second, len(nominal[term.second].levels) + 1 if term.second >= 0 else 0, start)
        for term, start in coded
    ]
    factor = quotient(1.0, design.scale)
    return Terms(
        design.centre,
        factor,
        (design.mean - design.centre) * factor,
        design.missing_columns,
        design.products,
        np.array(rows, dtype=np.int32).reshape(-1, 4),
        np.array([term.factor for term, _ in coded], dtype=np.int32),
        design.places if places is None else places,
    )
