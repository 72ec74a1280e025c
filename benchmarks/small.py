"""Small things: what a fit on iris takes, and an answer for one row, against the scikit-learn model of the kind."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

import suffice as sf
from benchmarks.timing import Ratio, best_seconds, side_by_side

RUNS = 200
GOALS = {"cart": (sf.cart, 5.0), "c45": (sf.c45, 1.5)}  # milliseconds
PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "naive Bayes": (sf.NaiveBayes, GaussianNB),
    "joint Bayes": (sf.JointBayes, CategoricalNB),
    "LDA": (sf.LDA, LinearDiscriminantAnalysis),
    "QDA": (sf.QDA, QuadraticDiscriminantAnalysis),
    "logistic": (sf.LogisticRegression, lambda: LogisticRegression(max_iter=1000)),
    "perceptron": (sf.Perceptron, Perceptron),
    "c45": (sf.c45, DecisionTreeClassifier),
    "cart": (sf.cart, DecisionTreeClassifier),
}


def fits() -> Iterator[str]:
    X, y = load_iris(return_X_y=True)
    theirs = min(best_seconds(lambda: DecisionTreeClassifier().fit(X, y)) for _ in range(RUNS)) * 1e3
    for name, (make, goal) in GOALS.items():
        make().fit(X, y)
        mine = min(best_seconds(lambda make=make: make().fit(X, y)) for _ in range(RUNS)) * 1e3
        verdict = "ok" if mine <= goal else "ABOVE GOAL"
        print_of_peer = f"one tree of scikit-learn {theirs:.1f} ms"
        yield f"{name} on iris: {mine:.1f} ms; goal ≤ {goal:g} ms   {verdict}   ({print_of_peer})"


def one_row() -> Iterator[Ratio]:
    frame, y = load_iris(return_X_y=True, as_frame=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # iris is not separable, and some climbs end early
        for kind, table in (("array", frame.to_numpy()), ("pandas", frame)):
            row = table[60:61]
            for name, (ours, theirs) in PAIRS.items():
                mine, other = asked(ours().fit(table, y)), asked(theirs().fit(table, y))
                yield side_by_side(
                    f"one row, {name}, {kind}",
                    "the same kind of input",
                    1,
                    lambda mine=mine, row=row: mine(row),
                    lambda other=other, row=row: other(row),
                    runs=RUNS,
                )


def asked(model: Any) -> Callable[[Any], Any]:
    """Probabilities where there are any, else scores."""
    answer: Callable[[Any], Any] = getattr(model, "predict_proba", None) or model.decision_function
    return answer
