"""What each model costs in `compare` on a table like a bank's: none more than three times the median of the others."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

import suffice as sf

ROWS = 45_000
LEVELS = (12, 3, 4, 2, 2, 2, 3, 12, 4)
NUMBERS = 7
MOST = 3  # times the median of the others


def bank(rows: int = ROWS) -> pd.DataFrame:
    """Seven columns of numbers in different units, nine nominal ones, a yes or no that is rare and noisy."""
    random = np.random.default_rng(0)
    units = np.geomspace(1, 1_000, NUMBERS)
    numbers = random.standard_normal((rows, NUMBERS))
    score = numbers @ (0.6 * random.standard_normal(NUMBERS))
    columns: dict[str, Any] = {}
    for place, count in enumerate(LEVELS):
        codes = random.integers(0, count, rows)
        score += 0.5 * random.standard_normal(count)[codes]
        columns[f"c{place}"] = pd.Categorical.from_codes(codes, [f"level {k}" for k in range(count)])
    columns |= {f"x{place}": np.round(numbers[:, place] * unit + 10, 2) for place, unit in enumerate(units)}
    says_yes = random.random(rows) < 1 / (1 + np.exp(2.5 - score))
    return pd.DataFrame(columns | {"y": np.where(says_yes, "yes", "no")})


def lines() -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sf.compare(bank(3_000), "y")  # kernels compile on first use
        rows = sf.compare(bank(), "y").rows
    for row in sorted(rows, key=lambda row: row.seconds):
        others = median(other.seconds for other in rows if other is not row)
        verdict = "ok" if row.seconds <= MOST * others else "ABOVE GOAL"
        times = row.seconds / others
        yield f"{row.model:<18} {row.seconds:>8.2f} s   {times:>5.1f}× the others   ≤ {MOST}×   {verdict}"
