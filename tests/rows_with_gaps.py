"""Rows of numbers, some cells missing, and their moments for every pattern of them."""

import numpy as np

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.moments.full_moments import MeasureFullMoments
from suffice.statistics.moments.indicators import Indicators


def statistic_of(x, classes, count=2):
    schema = Schema(tuple(Numeric(f"x{j}") for j in range(x.shape[1])), Nominal("y", tuple(range(count))))
    codes = np.empty((0, len(x)), dtype=np.int32)
    batch = Batch(schema, x, codes, np.asarray(classes, dtype=np.int32))
    return MeasureFullMoments(Indicators.of_all_levels(schema)).of(batch)


def random_rows(rows=300, columns=3, gaps=0.25, seed=0):
    """Two classes of correlated rows, some cells missing at random."""
    random = np.random.default_rng(seed)
    classes = random.integers(0, 2, rows)
    mixing = np.eye(columns) + 0.6 * random.normal(size=(columns, columns))
    x = random.normal(size=(rows, columns)) @ mixing + classes[:, None] * np.arange(columns)
    x[random.random(x.shape) < gaps] = np.nan
    return x, classes
