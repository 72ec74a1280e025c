"""Means and distances of a column as text: times as times, other numbers with six digits."""

from __future__ import annotations

import numpy as np

from suffice.schema import Numeric


def mean_text(column: Numeric, value: float) -> str:
    """A value between those of the column; of times to the second.

    >>> mean_text(Numeric("age"), 29.123456789), mean_text(Numeric("when", "moment"), 86400.4)
    ('29.1235', '1970-01-02')
    """
    if column.time:
        return column.shown(round(value) if np.isfinite(value) else value)
    return f"{value:.6g}"


def spread_text(column: Numeric, value: float) -> str:
    """A distance between values, such as a standard deviation."""
    return column.shown_spread(value) if column.time else f"{value:.6g}"
