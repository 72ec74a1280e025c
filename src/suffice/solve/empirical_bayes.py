"""Empirical Bayes shrinkage: how many rows a prior covariance is worth, by the marginal likelihood of the scatters.

A covariance with the inverse Wishart prior of mean T, worth c rows, becomes (S + c·T)/(n + c) after n rows of scatter S
(regularised discriminant analysis, Friedman 1989). The probability of S given c, the evidence, has a closed form: c
follows from the moments alone, no row is looked at again, and it is the same however the moments were merged.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, eigvalsh, solve_triangular
from scipy.special import gammaln

from suffice.schema import Array
from suffice.statistics.moments.higher_moments import Tails
from suffice.statistics.moments.low_rank import low_rank_root
from suffice.statistics.quotient import quotient

WORTHS = 10.0 ** (np.arange(-8, 25) / 4)  # rows: 0.01 to a million
ENOUGH = 10.0  # rows for every dimension: no prior makes their covariance better
HEAVY = 6.0  # of a kurtosis, which is 3 of a Gaussian and 6 of a Laplace distribution


def log_evidence(eigenvalues: Array, freedom: float) -> Array:
    """Log marginal likelihood ln P(S | c) for every c of WORTHS, up to what does not depend on c.

    `eigenvalues` are those of T^(−½)·S·T^(−½), `freedom` the rows of S less the means that were taken off. With
    ν = c + p + 1: ln Γ_p((ν+n)/2) − ln Γ_p(ν/2) + ν/2·p·ln c − (ν+n)/2·Σ_j ln(c + λ_j).
    """
    size, rows = len(eigenvalues), max(freedom, 0.0)
    belief = WORTHS + size + 1.0
    halves = (belief[:, None] - np.arange(size)) / 2  # ln Γ_p(a) is Σ_j ln Γ(a − j/2) and a constant
    gammas = (gammaln(halves + rows / 2) - gammaln(halves)).sum(axis=1)
    spread = np.log(WORTHS[:, None] + eigenvalues).sum(axis=1)
    evidence: Array = gammas + belief / 2 * size * np.log(WORTHS) - (belief + rows) / 2 * spread
    return evidence


def shared_intensity(eigenvalues: Array, weight: float, classes: int) -> float:
    """Shrinkage intensity of the shared covariance (standard units) to its diagonal: c/(n + c); 0 with rows enough."""
    if weight >= ENOUGH * len(eigenvalues):
        return 0.0
    evidence = log_evidence(np.maximum(eigenvalues, 0.0) * weight, weight - classes)
    worth = WORTHS[int(np.argmax(evidence))]
    return float(worth / (weight + worth))


def class_intensities(covariances: Array, weights: Array, shared: Array, is_gaussian: Array) -> Array:
    """Shrinkage intensities of class covariances to the shared one: 1 − g²·n_k/(n_k + c), g the share of `is_gaussian`.

    c has the most evidence among the dimensions that look Gaussian. The scatter of others says little of where a new
    row may be (a level that a class never had, a long tail), and the more of these there are, the less it counts. Where
    all look Gaussian and every class has rows enough, nothing is pulled.
    """
    if is_gaussian.all() and weights.min() >= ENOUGH * len(shared):
        return np.zeros(len(weights))
    chosen = np.flatnonzero(is_gaussian)
    if not len(chosen):
        return np.ones(len(weights))
    cells = np.ix_(chosen, chosen)
    lower = cholesky(shared[cells], lower=True)
    total = np.zeros(len(WORTHS))
    for covariance, weight in zip(covariances, weights.tolist(), strict=True):
        if weight > 1:
            total += log_evidence(weight * _whitened_spectrum(covariance[cells], weight, lower), weight - 1)
    worth = WORTHS[int(np.argmax(total))]
    share = len(chosen) / len(shared)
    intensities: Array = 1.0 - share**2 * weights / (weights + worth)
    return intensities


def _whitened_spectrum(covariance: Array, weight: float, lower: Array) -> Array:
    """The eigenvalues of L⁻¹·Σ·L⁻ᵀ, by way of a root of Σ where that has few columns."""
    root = low_rank_root(covariance, weight)
    if root is None:
        half = solve_triangular(lower, covariance, lower=True)
        whitened = solve_triangular(lower, half.T, lower=True)
    else:
        half = solve_triangular(lower, root, lower=True)
        whitened = half.T @ half  # has the same eigenvalues, but for zeros
    found: Array = np.zeros(len(covariance))
    found[len(found) - len(whitened) :] = np.maximum(eigvalsh(whitened), 0.0) if len(whitened) else 0.0
    return found


def look_gaussian(tails: Tails) -> Array:
    """Kurtosis check: which numeric columns have no heavy tails, at most the kurtosis of a Laplace distribution.

    Few values are no harm (1 of two that are as frequent); where one of them is rare, the kurtosis is large.
    """
    share = quotient(tails.weight, tails.weight.sum(axis=0))
    kurtosis = (share * np.where(share > 0, tails.kurtosis, 0.0)).sum(axis=0)
    looks: Array = kurtosis <= HEAVY
    return looks
