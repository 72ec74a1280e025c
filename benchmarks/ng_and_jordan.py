"""Ng and Jordan's comparison of naive Bayes and logistic regression, on six tables that come with scikit-learn.

`python -m benchmarks.ng_and_jordan learning_curves.png` draws it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn import datasets

import suffice as sf

SIZES = (6, 8, 10, 14, 20, 30, 50, 80)
Named = tuple[str, pa.Table, str]  # a title, a table, its target


def six_tables() -> Iterator[Named]:
    for name in ("iris", "wine", "breast_cancer"):
        yield name, sf.datasets.load(name), sf.datasets.default_target(name)
    diabetes = datasets.load_diabetes()
    is_worse = np.where(diabetes.target > np.median(diabetes.target), "worse", "better")
    yield "diabetes, worse than the median", _table(diabetes.data, is_worse), "class"
    digits = datasets.load_digits()
    for pair in ((2, 3), (8, 9)):
        is_one = np.isin(digits.target, pair)
        yield f"digits {pair[0]} and {pair[1]}", _table(digits.data[is_one], digits.target[is_one]), "class"


def _table(x: np.ndarray, y: np.ndarray) -> pa.Table:
    return pa.table([*x.T, y], names=[*(f"x{j}" for j in range(x.shape[1])), "class"])


def models() -> dict[str, Any]:
    """The pair that has the same form: Gaussians that share their variances, and the climb nearly without a prior."""
    return {
        "naive Bayes": sf.NaiveBayes("gaussian", shared_variance=True),
        "logistic regression": sf.LogisticRegression(l2=1e-6),
    }


def curve_of(table: pa.Table, target: str, repeats: int, sizes: tuple[int, ...] = SIZES) -> Any:
    """The learning curves of one table, up to all rows that are not held out."""
    most = table.num_rows - round(0.3 * table.num_rows)
    return sf.learning_curve(models(), table, target, sizes=[*sizes, most], repeats=repeats)


def draw(path: str, repeats: int = 20) -> None:
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 3, figsize=(12, 7), layout="constrained")
    for axes, (title, table, target) in zip(panels.flat, six_tables(), strict=True):
        curve = curve_of(table, target, repeats)
        curve.plot(axes)
        axes.set_title(title, fontsize="medium")
        print(title, curve, sep="\n", end="\n\n")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    draw(sys.argv[1])
