"""Corrected resampled t-test: whether two models differ by more than chance, paired over their folds."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array

CONFIDENCE = 0.95


def within_noise(best: Array, other: Array, shares_training: bool = True) -> bool:
    """Whether the scores of two models, one for every fold, could come from equally good ones.

    The corrected resampled t-test (Nadeau and Bengio 2003): the K differences d have mean d̄ and variance s². Any two
    training sets share most of their rows, so the variance of d̄ is (1/K + 1/(K−1))·s², not s²/K; t = d̄ ÷ its root is
    held against Student's t with K−1 degrees of freedom, at 95 %, both sides. Groups of test rows share no training
    (`shares_training=False`), and the variance is s²/K as usual. Folds where a score is not defined do
    not count; where fewer than two are left, nothing can be told apart.

    >>> within_noise(np.array([0.9, 0.8, 0.95, 0.85]), np.array([0.85, 0.82, 0.9, 0.86]))
    True
    >>> within_noise(np.array([0.9, 0.8, 0.95, 0.85]), np.array([0.5, 0.42, 0.6, 0.46]))
    False
    """
    from scipy.special import stdtrit

    difference = best - other
    difference = difference[np.isfinite(difference)]
    count = len(difference)
    if count < 2:
        return True
    error = np.sqrt((1 / count + shares_training / (count - 1)) * np.var(difference, ddof=1))
    critical = float(stdtrit(count - 1, 0.5 + CONFIDENCE / 2))
    return bool(abs(difference.mean()) <= critical * error)
