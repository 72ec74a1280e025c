"""The closed-form classifiers against scikit-learn's, on 500,000 rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import suffice as sf
from benchmarks.timing import Ratio, best_seconds, side_by_side

ROWS = 500_000


def numbers() -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    y = (random.random(ROWS) < 0.4).astype(int)
    X = random.normal(size=(ROWS, 50)) + 0.1 * y[:, None]
    return X, y


def levels() -> tuple[pd.DataFrame, Any, Any]:
    random = np.random.default_rng(1)
    codes = random.integers(0, 16, size=(ROWS, 20))
    labels = [f"level {k:02}" for k in range(16)]
    frame = pd.DataFrame({f"c{j}": pd.Categorical.from_codes(codes[:, j], labels) for j in range(20)})
    return frame, codes, random.integers(0, 2, ROWS)


def ratios() -> Iterator[Ratio]:
    X, y = numbers()
    ours, theirs = sf.NaiveBayes().fit(X, y), GaussianNB().fit(X, y)
    yield side_by_side(
        "Gaussian naive Bayes, fit",
        "GaussianNB",
        18,
        lambda: sf.NaiveBayes().fit(X, y),
        lambda: GaussianNB().fit(X, y),
        runs=15,
    )
    yield side_by_side(
        "Gaussian naive Bayes, predict_proba",
        "GaussianNB",
        5,
        lambda: ours.predict_proba(X),
        lambda: theirs.predict_proba(X),
    )
    yield side_by_side(
        "LDA, fit",
        "LinearDiscriminantAnalysis()",
        10,
        lambda: sf.LDA().fit(X, y),
        lambda: LinearDiscriminantAnalysis().fit(X, y),
        peer_runs=2,
    )
    yield side_by_side(
        "LDA, fit",
        'LinearDiscriminantAnalysis(solver="lsqr")',
        5,
        lambda: sf.LDA().fit(X, y),
        lambda: LinearDiscriminantAnalysis(solver="lsqr").fit(X, y),
    )
    yield side_by_side(
        "QDA, fit",
        "QuadraticDiscriminantAnalysis()",
        20,
        lambda: sf.QDA().fit(X, y),
        lambda: QuadraticDiscriminantAnalysis().fit(X, y),
        peer_runs=2,
    )
    yield from discriminant_predictions(X, y)
    frame, codes, classes = levels()
    yield side_by_side(
        "categorical naive Bayes, fit (20 categoricals)",
        "CategoricalNB on the codes",
        10,
        lambda: sf.NaiveBayes().fit(frame, classes),
        lambda: CategoricalNB().fit(codes, classes),
    )


def discriminant_predictions(X: Any, y: Any) -> Iterator[Ratio]:
    """Faster than scikit-learn, which fits with the covariance solver here: the default one takes long."""
    for name, goal, ours, theirs in (
        ("LDA", 1.2, sf.LDA(), LinearDiscriminantAnalysis(solver="lsqr")),
        ("QDA", 2.0, sf.QDA(), QuadraticDiscriminantAnalysis()),
    ):
        ours.fit(X, y)
        theirs.fit(X, y)
        yield side_by_side(
            f"{name}, predict_proba",
            type(theirs).__name__,
            goal,
            lambda ours=ours: ours.predict_proba(X),
            lambda theirs=theirs: theirs.predict_proba(X),
        )


def cross_validation_cost(runs: int = 5) -> tuple[float, float]:
    """Seconds of a 10-fold cross-validation, and of one fit and one prediction of all rows."""
    X, y = numbers()

    def fit_and_predict() -> None:
        sf.NaiveBayes().fit(X, y).predict_proba(X)

    def cross_validate() -> None:
        sf.cross_validate(sf.NaiveBayes(), X, y)

    cross_validate()
    folds, once = [], []
    for _ in range(runs):
        once.append(best_seconds(fit_and_predict))
        folds.append(best_seconds(cross_validate))
    return min(folds), min(once)
