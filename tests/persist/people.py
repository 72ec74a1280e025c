"""A table of people: every kind of column, and gaps."""

from functools import cache

import numpy as np
import pandas as pd


def people(rows: int = 200, classes: int = 3) -> pd.DataFrame:
    return _people(rows, classes).copy()


@cache
def _people(rows: int, classes: int) -> pd.DataFrame:
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "length": random.normal(size=rows),
            "visits": random.poisson(2.0, rows),
            "town": random.choice(["Köln", "Łódź", "東京"], rows),
            "member": random.random(rows) < 0.4,
            "grade": pd.Categorical(random.choice(["a", "b"], rows), ["b", "a", "never"]),
            "class": random.choice(["x", "y", "z"][:classes], rows),
        }
    )
    table.loc[::7, "length"] = np.nan
    table.loc[::11, "town"] = None
    return table
