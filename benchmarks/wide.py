"""More columns than rows: every model at default settings against scikit-learn's counterpart."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import suffice as sf
from benchmarks.timing import Ratio, side_by_side

ROWS, COLUMNS = 60, 2_000


def numbers() -> tuple[Any, Any]:
    y = np.arange(ROWS) % 2
    X = np.random.default_rng(0).normal(size=(ROWS, COLUMNS))
    X[:, :5] += y[:, None]
    return X, y


def ratios() -> Iterator[Ratio]:
    """As fast as scikit-learn would be good; LDA keeps a matrix of all pairs of columns, so that it can be updated."""
    X, y = numbers()
    for name, peer, ours, theirs in (
        ("LDA", "LinearDiscriminantAnalysis", sf.LDA, LinearDiscriminantAnalysis),
        ("naive Bayes", "GaussianNB", sf.NaiveBayes, GaussianNB),
        ("logistic regression", "scaler, lbfgs", sf.LogisticRegression, _scaled_logistic),
        ("c45", "DecisionTreeClassifier", sf.c45, DecisionTreeClassifier),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield side_by_side(
                f"{name}, fit",
                peer,
                1,
                lambda ours=ours: ours().fit(X, y),
                lambda theirs=theirs: theirs().fit(X, y),
                runs=3,
            )


def _scaled_logistic() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression())
