"""Tables that are no friendly arrays of floats: every model at default settings against a scikit-learn pipeline.

Fit and predict together, by processor time: other work on the machine counts little, and threads count in full.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import suffice as sf
from benchmarks.timing import Ratio

MODELS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "naive Bayes": (sf.NaiveBayes, GaussianNB),
    "LDA": (sf.LDA, LinearDiscriminantAnalysis),
    "QDA": (sf.QDA, QuadraticDiscriminantAnalysis),
    "logistic regression": (sf.LogisticRegression, LogisticRegression),
    "c45": (sf.c45, DecisionTreeClassifier),
}
RUNS = 3
PAUSE = 0.15  # seconds: threads of BLAS wait for more work by spinning, which would count for whoever comes next


def tables() -> Iterator[tuple[str, Any, Any]]:
    """What a table is like, its rows and their classes."""
    X, y = numbers(50_000, 20)
    yield "integers", np.round(10 * X).astype(np.int64), y
    yield "float32", X.astype(np.float32), y
    yield "Fortran order", np.asfortranarray(X), y
    yield "booleans", pd.DataFrame(X > 0, columns=_names(20)), y
    yield "half missing", np.where(np.random.default_rng(1).random(X.shape) < 0.5, np.nan, X), y
    yield "500,000 × 3", *numbers(500_000, 3)
    yield "100 classes", *numbers(20_000, 10, classes=100)
    X, y = numbers(500, 2_000)
    yield "500 × 2,000, pandas", pd.DataFrame(X, columns=_names(2_000)), y
    yield "30 columns of objects", *levels(30_000, 30, [f"level {k}" for k in range(8)])
    yield "long strings", *levels(30_000, 5, [f"word {k} " * 40 for k in range(20)])
    X, y = levels(100_000, 1, [f"item {k}" for k in range(50_000)])
    yield "50,000 levels", X.assign(x=np.random.default_rng(2).normal(size=len(y)) + y), y


def numbers(rows: int, columns: int, classes: int = 2) -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    y = random.integers(0, classes, rows)
    return random.normal(size=(rows, columns)) + 0.5 * np.sin(y[:, None] * np.arange(1, columns + 1)), y


def levels(rows: int, columns: int, words: list[str]) -> tuple[pd.DataFrame, Any]:
    """Columns of Python strings, every third of which tells of the class."""
    random = np.random.default_rng(0)
    y, cells = random.integers(0, 2, rows), np.array(words, dtype=object)
    codes = {name: random.integers(0, len(words), rows) for name in _names(columns)}
    told = {name: (own + y * (place % 3 == 0)) % len(words) for place, (name, own) in enumerate(codes.items())}
    return pd.DataFrame({name: cells[own] for name, own in told.items()}, dtype=object), y


def _names(columns: int) -> list[str]:
    return [f"c{place}" for place in range(columns)]


def ratios() -> Iterator[Ratio]:
    for kind, X, y in tables():
        for name, (ours, peer) in MODELS.items():
            theirs = pipeline(name, peer, X)
            if theirs is None:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                mine, other = _seconds(ours, X, y), _seconds(theirs, X, y)
            if other is not None and mine is not None:
                yield Ratio(f"{kind}: {name}", peer.__name__, mine, other, 1)


def pipeline(name: str, peer: Callable[[], Any], X: Any) -> Callable[[], Any] | None:
    """What a person would put before scikit-learn's model; none where one-hot columns would not fit into memory."""
    is_tree, is_sparse = name == "c45", name in ("c45", "logistic regression")
    if isinstance(X, pd.DataFrame) and X.select_dtypes(object).shape[1]:
        if not is_sparse and X.iloc[:, 0].nunique() > 1_000:
            return None
        words, others = make_column_selector(dtype_include=object), make_column_selector(dtype_exclude=object)
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=is_sparse)
        return lambda: make_pipeline(make_column_transformer((encoder, words), (StandardScaler(), others)), peer())
    if not is_tree and isinstance(X, np.ndarray) and X.dtype.kind == "f" and np.isnan(X).any():
        return lambda: make_pipeline(SimpleImputer(), StandardScaler(), peer())
    return (lambda: make_pipeline(StandardScaler(), peer())) if name == "logistic regression" else peer


def _seconds(make: Callable[[], Any], X: Any, y: Any) -> float | None:
    """The best of a few runs, or none where the model refuses the table; a long one is not run again."""
    best = float("inf")
    for _ in range(RUNS):
        time.sleep(PAUSE)
        start = time.process_time()
        try:
            make().fit(X, y).predict(X)
        except ValueError:
            return None
        taken = time.process_time() - start
        best = min(best, taken)
        if taken > 2.0:
            break
    return best
