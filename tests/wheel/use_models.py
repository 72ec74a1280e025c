"""Every model learns and predicts."""

from __future__ import annotations

import time

import numpy as np

import suffice as sf

MODELS = [sf.NaiveBayes, sf.JointBayes, sf.LDA, sf.QDA, sf.id3, sf.c45, sf.cart, sf.LogisticRegression, sf.Perceptron]


def main() -> None:
    """Fit each on a table, and look at its probabilities."""
    for model in MODELS:
        table, target = ("play_tennis", "PlayTennis") if model in (sf.JointBayes, sf.id3) else ("iris", "species")
        rows = sf.datasets.load(table)
        begin = time.perf_counter()
        fitted = model().fit(rows, target)
        if model is not sf.Perceptron and not np.allclose(fitted.predict_proba(rows).sum(axis=1), 1.0):
            raise SystemExit(f"{model.__name__} gives no probabilities")
        print(f"  {model.__name__}: {1000 * (time.perf_counter() - begin):.0f} ms")
        if not fitted.score(rows, target) > 0.6:
            raise SystemExit(f"{model.__name__} is worse than it should be")


if __name__ == "__main__":
    main()
