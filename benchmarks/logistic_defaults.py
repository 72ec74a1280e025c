"""`LogisticRegression()` as it comes, standard errors included, against scikit-learn's fastest solver for the case.

Our slope at the end is at most 1e-8 a row, the default. The peer is asked for the slope that the other benchmarks ask
for, 5e-7, which is less than we do; only the table of flights is solved to 1e-8 by both.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import suffice as sf
from benchmarks.timing import Ratio, best_seconds

ROWS = 500_000
COLUMNS = 50
TOLERANCE = 5e-7
FLIGHTS = 300_000
LEVELS = {"plane": 3_870, "carrier": 16, "origin": 3, "destination": 105}


def ratios() -> Iterator[Ratio]:
    random = np.random.default_rng(0)
    X = random.standard_normal((ROWS, COLUMNS))
    effects = 0.3 * random.standard_normal((COLUMNS, 5))
    noise = random.gumbel(size=(ROWS, 5))
    two, five = (X @ effects[:, :2] + noise[:, :2]).argmax(axis=1), (X @ effects + noise).argmax(axis=1)
    yield fastest("default: two classes", 3, X, two, ("lbfgs", "newton-cholesky"))
    yield fastest("default: five classes", 3, X, five, ("lbfgs",))
    mixed = (X @ (random.standard_normal((COLUMNS, COLUMNS)) / np.sqrt(COLUMNS) + np.eye(COLUMNS))) * np.geomspace(
        1e-3, 1e3, COLUMNS
    )
    yield fastest("default: correlated, other units", 3, mixed, two, ("newton-cholesky",), scaled=True)
    near = (X @ effects[:, 0] + 0.02 * noise[:, 0] > 0).astype(int)
    yield fastest("default: nearly separable", 2, X, near, ("lbfgs", "newton-cholesky"))
    frame, late = flights()
    nominal = list(LEVELS)
    yield against(
        "default: flights, 4,000 levels", 2, frame, late, {"one-hot, lbfgs": lambda: one_hot(frame, late, nominal)}, 2
    )
    iris = load_iris()
    yield against("default: iris", 1, *iris_peer(iris.data, iris.target), runs=30)


def iris_peer(X: Any, y: Any) -> tuple[Any, Any, dict[str, Callable[[], object]]]:
    return X, y, {"lbfgs": lambda: by_sklearn(X, y, "lbfgs", False)}


def fastest(
    name: str, goal: float, X: Any, y: Any, solvers: tuple[str, ...], scaled: bool = False, runs: int = 3
) -> Ratio:
    peers = {solver: lambda solver=solver: by_sklearn(X, y, solver, scaled) for solver in solvers}
    return against(name, goal, X, y, peers, runs)


def against(name: str, goal: float, X: Any, y: Any, peers: dict[str, Callable[[], object]], runs: int = 3) -> Ratio:
    """Both sides in turn; of several peers the one that was fastest once."""

    def ours() -> object:
        return sf.LogisticRegression().fit(X, y)

    ours()  # kernels compile on first use
    once = {peer: best_seconds(fit) for peer, fit in peers.items()}
    peer = min(once, key=once.__getitem__)
    mine, theirs = [], [once[peer]]
    for _ in range(runs):
        mine.append(best_seconds(ours))
        theirs.append(best_seconds(peers[peer]))
    return Ratio(name, f"scikit-learn {peer}", min(mine), min(theirs), goal)


def by_sklearn(X: Any, y: Any, solver: str, scaled: bool) -> object:
    model = LogisticRegression(solver=solver, tol=TOLERANCE, max_iter=5000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (make_pipeline(StandardScaler(), model) if scaled else model).fit(X, y)


def one_hot(frame: Any, y: Any, nominal: list[str]) -> object:
    prepare = make_column_transformer((OneHotEncoder(), nominal), remainder=StandardScaler())
    return make_pipeline(prepare, LogisticRegression(tol=1e-8, max_iter=5000)).fit(frame, y)


def flights(rows: int = FLIGHTS) -> tuple[pd.DataFrame, Any]:
    """Departures with the plane, the carrier and the places; numbers that nearly tell whether the arrival is late."""
    random = np.random.default_rng(4)
    columns: dict[str, Any] = {}
    effect = np.zeros(rows)
    for name, count in LEVELS.items():
        share = random.gamma(0.7, size=count)
        codes = random.choice(count, size=rows, p=share / share.sum())
        columns[name] = pd.Categorical.from_codes(codes, [f"{name} {k:04}" for k in range(count)])
        effect += random.standard_normal(count)[codes]
    scheduled, delay = random.integers(300, 1400, rows), np.round(random.exponential(30, rows) - 12)
    distance = random.gamma(3, 350, rows)
    air = distance / 7.5 + random.normal(20, 8, rows)
    columns |= {"scheduled": scheduled.astype(float), "departed": scheduled + delay, "delay": delay}
    columns |= {"distance": distance, "air_time": air, "arrived": scheduled + delay + air + random.normal(0, 5, rows)}
    return pd.DataFrame(columns), (delay + effect + random.normal(0, 2, rows) > 0).astype(int)
