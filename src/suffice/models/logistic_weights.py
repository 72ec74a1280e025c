"""Logistic weights: the log-odds of classes as linear functions of the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.schema import Array, Level, class_position


@dataclass(frozen=True)
class LogisticWeights:
    """ln P(class | x)/P(reference | x) = intercept + coefficients·x, for rows without missing values.

    With two classes the intercept is a number, the coefficients a vector, and P(classes[0] | x) is
    1/(1+e^−(intercept + coefficients·x)); with more there is one of each per class other than the reference.

    >>> import suffice as sf
    >>> weights = sf.LDA(shrinkage=0).fit([[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"]).logistic_weights()
    >>> weights.intercept, weights.coefficients.tolist()
    (-12.0, [4.0])
    """

    intercept: Any
    coefficients: Array
    names: tuple[str, ...]  # a column, or column=level for an indicator
    classes: tuple[Level, ...]
    reference: Level

    def __str__(self) -> str:
        """The weights as formulas."""
        rows = np.atleast_2d(self.coefficients)
        lines = []
        for label, intercept, row in zip(self.classes, np.atleast_1d(self.intercept), rows, strict=True):
            lines.append(f"ln P({label} | x) / P({self.reference} | x) =")
            lines.append(f"  {intercept:+.6g}")
            lines.extend(f"  {weight:+.6g} · {name}" for name, weight in zip(self.names, row, strict=True))
        return "\n".join(lines)


def reference_position(classes: tuple[Level, ...], reference: Level | None) -> int:
    """Where the reference class stands; by default the first of two classes, and the last of more."""
    if reference is None:
        return 0 if len(classes) == 2 else len(classes) - 1
    return class_position(reference, classes, "reference")


def against(
    classes: tuple[Level, ...], constant: Array, names: tuple[str, ...], slope: Array, reference: Level | None
) -> LogisticWeights:
    """Scores of every class (constant and slopes) as log-odds against the reference class."""
    base = reference_position(classes, reference)
    reference = classes[base]
    others = [k for k in range(len(classes)) if k != base]
    intercept, coefficients = constant[others] - constant[base], slope[others] - slope[base]
    labels = tuple(classes[k] for k in others)
    if len(classes) == 2:
        return LogisticWeights(float(intercept[0]), coefficients[0], names, labels, reference)
    return LogisticWeights(intercept, coefficients, names, labels, reference)
