"""Distributions, densities and bits beside DuckDB, SciPy and scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
from scipy.stats import gaussian_kde
from sklearn.feature_selection import mutual_info_classif
from sklearn.neighbors import KernelDensity

import suffice as sf
from benchmarks.timing import Ratio, side_by_side

ROWS = 1_000_000
LEVELS = (2, 7, 16, 41, 5)
POINTS = 100_000
GOALS = {1: 100, 2: 10, 3: 3}  # by the number of columns: the more, the fewer points can be left out or put together
FEW = 500  # queries of the peers, whose time for all is taken to be as many times as long
ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult.csv.gz"


def records(rows: int = ROWS) -> pa.Table:
    """Five nominal columns, as text."""
    random = np.random.default_rng(0)
    columns = {}
    for place, count in enumerate(LEVELS):
        codes = pa.array(random.integers(0, count, rows).astype(np.int32))
        words = pa.array([f"level {code}" for code in range(count)])
        columns[f"c{place}"] = pa.DictionaryArray.from_arrays(codes, words)
    return pa.table(columns)


def joint_counts() -> Iterator[Ratio]:
    coded = records()
    text = pa.table({name: coded[name].cast(pa.string()) for name in coded.column_names})
    frame = coded.to_pandas()
    for what, table in (("Arrow text", text), ("Arrow dictionaries", coded), ("pandas categoricals", frame)):
        connection = duckdb.connect()
        connection.register("records", table)
        groups = f"SELECT {', '.join(coded.column_names)}, count(*) AS n FROM records GROUP BY ALL"
        query = f"SELECT max(n) FROM ({groups})"  # so that no time goes into handing the groups over
        yield side_by_side(
            f"joint counts, 1,000,000 × 5, {what}",
            "DuckDB, GROUP BY",
            1,
            lambda table=table: sf.JointDistribution().fit(table),
            lambda connection=connection, query=query: connection.execute(query).fetchall(),
        )


def adult() -> pd.DataFrame:
    """The census table where it is at hand, else one of its shape: six columns of numbers, eight nominal ones."""
    if ADULT.exists():
        return pd.read_csv(ADULT)
    random = np.random.default_rng(0)
    rows = 48_842
    columns: dict[str, Any] = {f"x{j}": random.integers(0, most, rows) for j, most in enumerate((74, 16, 99, 120))}
    columns |= {"weight": random.integers(12_000, 1_500_000, rows), "gain": random.integers(0, 99_999, rows)}
    for place, count in enumerate((8, 16, 7, 14, 6, 5, 2, 41)):
        columns[f"c{place}"] = random.choice([f"level {k}" for k in range(count)], rows)
    return pd.DataFrame(columns | {"income": np.where(random.random(rows) < 0.24, ">50K", "<=50K")})


def information() -> Ratio:
    table = adult()
    target = table.columns[-1]
    features, classes = table.drop(columns=target), table[target].astype("category").cat.codes.to_numpy()
    is_nominal = np.array([not pd.api.types.is_numeric_dtype(features[name]) for name in features])
    codes = features.copy()
    for name in features.columns[is_nominal]:
        codes[name] = features[name].astype("category").cat.codes
    return side_by_side(
        "information gain of adult's 14 columns",
        "mutual_info_classif on ready codes",
        10,
        lambda: sf.information_gain(table, target),
        lambda: mutual_info_classif(codes.fillna(-1), classes, discrete_features=is_nominal, random_state=0),
        peer_runs=2,
    )


def densities() -> Iterator[Ratio]:
    """Fit and ask for 100,000 densities; the peers are asked for 500 and their time multiplied."""
    for dimensions in GOALS:
        random = np.random.default_rng(dimensions)
        points, queries = random.standard_normal((2, POINTS, dimensions))
        width = POINTS ** (-1 / (dimensions + 4))
        learned = KernelDensity(bandwidth=width).fit(points)
        scipys = gaussian_kde(points.T)
        peers = {
            "SciPy, gaussian_kde": lambda scipys=scipys, some=queries[:FEW]: scipys(some.T),
            "scikit-learn, KernelDensity": lambda learned=learned, some=queries[:FEW]: learned.score_samples(some),
        }
        for name, theirs in peers.items():
            ratio = side_by_side(
                f"100,000 kernel densities, d = {dimensions}",
                f"{name}, from {FEW:,} queries",
                GOALS[dimensions],
                lambda points=points, queries=queries: sf.KernelDensity().fit(points).log_density(queries),
                theirs,
                runs=1,
            )
            yield Ratio(ratio.name, ratio.peer, ratio.ours, ratio.theirs * POINTS / FEW, ratio.goal)


def ratios() -> Iterator[Ratio]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from joint_counts()
        yield information()
        yield from densities()
