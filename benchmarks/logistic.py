"""Logistic regression against scikit-learn's solvers, glum and statsmodels: the same objective, as flat at the end."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from glum import GeneralizedLinearRegressor
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from statsmodels.discrete.discrete_model import Logit

import suffice as sf
from benchmarks.timing import Ratio, best_seconds

ROWS = 500_000
COLUMNS = 50
FLAT = 1e-6  # the largest slope a row that counts as having arrived
TOLERANCE = 5e-7  # what every side is asked for, so that it arrives
MEMORY_GOAL = 100  # MB beside the data


@dataclass(frozen=True)
class Fitted:
    """Weights in the table's units: an intercept and coefficients for every class, or for the second of two."""

    intercept: Any
    coefficients: Any


@dataclass(frozen=True)
class Side:
    """One way to the weights; a side of several solvers counts with its fastest."""

    name: str
    goal: float
    fits: dict[str, Callable[[], Fitted]]
    runs: int = 3


@dataclass(frozen=True)
class Case:
    """Rows as numbers, to check that every side arrived; our side and the peers."""

    name: str
    X: Any
    y: Any
    ours: Callable[[], Fitted]
    peers: tuple[Side, ...]


def slope(case: Case, fitted: Fitted) -> float:
    """The largest slope a row of Σ ln P − ½‖w‖² at the weights."""
    weights, intercept = np.atleast_2d(fitted.coefficients), np.atleast_1d(fitted.intercept)
    scores = np.asarray(case.X @ weights.T + intercept)
    if len(weights) == 1:
        residual = (case.y == 1)[:, None] - 1.0 / (1.0 + np.exp(-scores))
    else:
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        residual = np.eye(len(weights))[case.y] - odds / odds.sum(axis=1, keepdims=True)
    return float(np.abs(np.asarray(residual.T @ case.X) - weights).max()) / len(case.y)


def ratios() -> Iterator[Ratio]:
    for case in cases():
        ours = case.ours()  # kernels compile on first use
        require_flat(case, "suffice", ours)
        for peer in case.peers:
            fastest: dict[str, float] = {}
            for name, fit in peer.fits.items():
                require_flat(case, name, fit())
                fastest[name] = best_seconds(fit)
            name = min(fastest, key=fastest.__getitem__)
            mine, theirs = [], [fastest[name]]
            for _ in range(peer.runs):
                mine.append(best_seconds(case.ours))
                theirs.append(best_seconds(peer.fits[name]))
            shown = f"{peer.name} {name}".strip()
            yield Ratio(case.name, shown, min(mine), min(theirs), peer.goal)


def require_flat(case: Case, name: str, fitted: Fitted) -> None:
    found = slope(case, fitted)
    if found > FLAT:
        print(f"  {case.name}, {name}: the slope is still {found:.1e} a row, more than {FLAT:g}")


def cases() -> Iterator[Case]:
    random = np.random.default_rng(0)
    X = random.standard_normal((ROWS, COLUMNS))
    w = 0.3 * random.standard_normal(COLUMNS)
    y = (random.random(ROWS) < 1 / (1 + np.exp(0.5 - X @ w))).astype(int)
    yield of_numbers("two classes, independent columns", X, y)
    mixing = random.standard_normal((COLUMNS, COLUMNS)) / np.sqrt(COLUMNS) + np.eye(COLUMNS)
    mixed = (X @ mixing) * np.geomspace(0.1, 10, COLUMNS)
    yield of_numbers("two classes, correlated, other units", mixed, y, has_lbfgs=False)  # lbfgs would not arrive
    several = (X @ (0.3 * random.standard_normal((COLUMNS, 5))) + random.gumbel(size=(ROWS, 5))).argmax(axis=1)
    sklearn = Side("scikit-learn", 3, sklearn_solvers(X, several, ("lbfgs", "newton-cholesky", "newton-cg")), 2)
    yield Case("five classes", X, several, lambda: ours(X, several), (sklearn,))
    yield of_raw_table()


def of_numbers(name: str, X: Any, y: Any, has_lbfgs: bool = True) -> Case:
    lbfgs, tolerance = (("lbfgs",), TOLERANCE) if has_lbfgs else ((), TOLERANCE / 10)  # our slope is per unit of spread
    sklearn = Side("scikit-learn", 2.5, sklearn_solvers(X, y, (*lbfgs, "newton-cholesky", "newton-cg")))
    by_solver = {solver: lambda solver=solver: by_glum(X, y, solver) for solver in (*lbfgs, "irls-ls")}
    return Case(name, X, y, lambda: ours(X, y, tolerance), (sklearn, Side("glum", 3, by_solver)))


def ours(X: Any, y: Any, tolerance: float = TOLERANCE) -> Fitted:
    """No side has standard errors here; `with_errors` measures what they cost."""
    model = sf.LogisticRegression(l2=1.0, standardize=False, tol=tolerance, inference=False).fit(X, y)
    weights = model.logistic_weights()
    if len(weights.classes) == 1:
        return Fitted(weights.intercept, weights.coefficients)
    every = np.insert(weights.coefficients, model.model_.reference, 0.0, axis=0)
    intercept = np.insert(weights.intercept, model.model_.reference, 0.0)
    return Fitted(intercept - intercept.mean(), every - every.mean(axis=0))


def sklearn_solvers(X: Any, y: Any, solvers: tuple[str, ...]) -> dict[str, Callable[[], Fitted]]:
    return {solver: lambda solver=solver: by_sklearn(X, y, solver) for solver in solvers}


def by_sklearn(X: Any, y: Any, solver: str) -> Fitted:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(C=1.0, solver=solver, tol=TOLERANCE, max_iter=2000).fit(X, y)
    return Fitted(model.intercept_, model.coef_)


def by_glum(X: Any, y: Any, solver: str) -> Fitted:
    model = GeneralizedLinearRegressor(
        family="binomial", l1_ratio=0, alpha=1.0 / len(y), solver=solver, gradient_tol=TOLERANCE, max_iter=2000
    ).fit(X, y)
    return Fitted(model.intercept_, model.coef_)


# A raw table: ten nominal columns of twenty levels and ten of numbers -----------------------------------------------


def raw_table() -> tuple[pd.DataFrame, Any]:
    random = np.random.default_rng(1)
    labels = [f"level {k:02}" for k in range(20)]
    codes = random.integers(0, 20, size=(ROWS, 10))
    numbers = random.standard_normal((ROWS, 10)) * np.geomspace(0.01, 100, 10) + 5.0
    frame = pd.DataFrame({f"c{j}": pd.Categorical.from_codes(codes[:, j], labels) for j in range(10)})
    frame = frame.assign(**{f"x{j}": numbers[:, j] for j in range(10)})
    effects = 0.5 * random.standard_normal((10, 20))
    score = effects[np.arange(10), codes].sum(axis=1) + ((numbers - 5.0) / np.geomspace(0.01, 100, 10)) @ (
        0.3 * random.standard_normal(10)
    )
    return frame, (random.random(ROWS) < 1 / (1 + np.exp(-score))).astype(int)


def of_raw_table() -> Case:
    frame, y = raw_table()
    nominal = [name for name in frame if name.startswith("c")]
    prepare = make_column_transformer((OneHotEncoder(), nominal), remainder=StandardScaler())
    expanded = prepare.fit_transform(frame)

    def mine() -> Fitted:
        model = sf.LogisticRegression(l2=1.0, tol=TOLERANCE, inference=False).fit(frame, y).model_
        weights = model.weights[0]
        where = {name: dimension for dimension, name in enumerate(model.design.names)}
        order = [where[f"{name}={level}"] for name in nominal for level in frame[name].cat.categories]
        return Fitted(weights[0], weights[[*order, *range(1, 11)]])

    def pipeline(solver: str) -> Fitted:
        model = make_pipeline(
            make_column_transformer((OneHotEncoder(), nominal), remainder=StandardScaler()),
            LogisticRegression(C=1.0, solver=solver, tol=TOLERANCE, max_iter=2000),
        ).fit(frame, y)[-1]
        return Fitted(model.intercept_, model.coef_)

    solvers = {solver: lambda solver=solver: pipeline(solver) for solver in ("lbfgs", "newton-cholesky")}
    return Case("raw table, 10 nominal of 20 levels", expanded, y, mine, (Side("pipeline", 5, solvers, 2),))


# Inference and memory -----------------------------------------------------------------------------------------------


def inference() -> Ratio:
    """Maximum likelihood with standard errors, against statsmodels, on a fifth of the rows."""
    random = np.random.default_rng(2)
    X = random.standard_normal((ROWS // 5, COLUMNS))
    y = (random.random(len(X)) < 1 / (1 + np.exp(-X @ (0.3 * random.standard_normal(COLUMNS))))).astype(int)
    design = np.column_stack([np.ones(len(X)), X])

    def mine() -> Any:
        return sf.LogisticRegression(l2=0).fit(X, y).summary()

    mine()
    times = [(best_seconds(mine), best_seconds(lambda: Logit(y, design).fit(disp=0).summary())) for _ in range(3)]
    return Ratio("maximum likelihood and its summary", "statsmodels", *map(min, zip(*times, strict=True)), 1)


def with_errors() -> Iterator[str]:
    """What the standard errors add to the first and third case."""
    random = np.random.default_rng(3)
    X = random.standard_normal((ROWS, COLUMNS))
    for classes in (2, 5):
        scores = X @ (0.3 * random.standard_normal((COLUMNS, classes))) + random.gumbel(size=(ROWS, classes))
        y = scores.argmax(axis=1)
        times = []
        for inference in (False, True):
            model = sf.LogisticRegression(standardize=False, tol=TOLERANCE, inference=inference)
            model.fit(X, y)
            times.append(min(best_seconds(lambda model=model, y=y: model.fit(X, y)) for _ in range(3)))
        yield f"{classes} classes: {times[0] * 1e3:.0f} ms, with standard errors {times[1] * 1e3:.0f} ms"


def memory_beside_the_data() -> float:
    """MB that a fit takes beside the 200 MB table, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "X.npy"
        np.save(path, np.random.default_rng(0).standard_normal((ROWS, COLUMNS)))
        command = [sys.executable, "-m", "benchmarks.logistic", str(path)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _memory(what: str) -> float:
    """MB of this process: VmRSS is what it holds, VmHWM the most it held."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(what)) / 1024


if __name__ == "__main__":
    table = np.load(sys.argv[1])
    classes = (table[:, 0] + table[:, 1] ** 2 > 1).astype(int)
    sf.LogisticRegression().fit(table[:1000], classes[:1000])  # libraries and kernels are there
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forget the most it held so far
    before = _memory("VmRSS")
    sf.LogisticRegression().fit(table, classes)
    print(_memory("VmHWM") - before)
