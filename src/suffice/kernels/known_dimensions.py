"""Marginal Gaussian densities of the values that a row has, each row by itself: for rows that lack different values."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import NAN, fabs, log, sqrt
from cython.cimports.suffice.kernels.arrays import Numbers, NumberTable, OutNumbers, OutNumberTable, OutPlaces

FARTHEST = cython.declare(cython.double, 1e100)  # farther out, squares would not be numbers
LEAST = cython.declare(cython.double, 1e-10)  # of a variance, given the values before: less is no more than rounding
HALF_LOG_TWO_PI = cython.declare(cython.double, 0.9189385332046727)


def score_known(
    z: NumberTable,
    mean: NumberTable,
    covariance: NumberTable,
    log_scale: Numbers,
    constant: Numbers,
    is_linear: cython.bint,
    scores: OutNumberTable,
) -> None:
    """Marginal log densities, score_ik = constant_k + ln N(z_i; μ_k, Σ_k) − Σ_j ln scale_j over what row i knows.

    `covariance` has one matrix for all classes or one for each, below one another. With u = L⁻¹z, v = L⁻¹μ and
    Σ = L·Lᵀ of the known dimensions the density is −½·|u − v|² − Σ ln L_jj − m/2·ln 2π; a linear score is u·v − ½·|v|².
    NaN where a row is too far out, or its matrix too close to singular. A row costs known³/6 for every matrix.
    """
    rows, dimensions, classes = z.shape[0], z.shape[1], mean.shape[0]
    matrices = 1 if dimensions == 0 else covariance.shape[0] // dimensions
    if mean.shape[1] != dimensions or covariance.shape[1] != dimensions or log_scale.shape[0] != dimensions:
        raise ValueError("not as many dimensions everywhere")
    if covariance.shape[0] != matrices * dimensions or (matrices != 1 and matrices != classes):
        raise ValueError("neither one matrix nor one for every class")
    if scores.shape[0] != rows or scores.shape[1] != classes or constant.shape[0] != classes:
        raise ValueError("rows, classes and scores do not fit together")
    known: OutPlaces = np.empty(dimensions, dtype=np.int64)
    lower: OutNumberTable = np.empty((dimensions, dimensions))
    own: OutNumbers = np.empty(dimensions)
    of_class: OutNumbers = np.empty(dimensions)
    with cython.nogil:
        for i in range(rows):
            count = known_values(z, i, known)
            for matrix in range(matrices):
                is_sound: cython.bint = count >= 0 and factor(covariance, matrix * dimensions, known, count, lower)
                if is_sound:
                    solve_lower(lower, z, i, known, count, own)
                for k in range(matrix, matrix + 1 if matrices > 1 else classes):
                    if is_sound:
                        solve_lower(lower, mean, k, known, count, of_class)
                        score = linear(own, of_class, count) if is_linear else log_density(own, of_class, count)
                        if not is_linear:
                            for a in range(count):
                                score -= log(lower[a, a]) + log_scale[known[a]]
                        scores[i, k] = constant[k] + score
                    else:
                        scores[i, k] = NAN


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def known_values(z: NumberTable, i: cython.Py_ssize_t, known: OutPlaces) -> cython.Py_ssize_t:
    """Write which values a row has; how many, or -1 where one is too far out."""
    count: cython.Py_ssize_t = 0
    for j in range(z.shape[1]):
        if fabs(z[i, j]) > FARTHEST:
            return -1
        if z[i, j] == z[i, j]:
            known[count] = j
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def factor(
    covariance: NumberTable,
    first: cython.Py_ssize_t,
    known: OutPlaces,
    count: cython.Py_ssize_t,
    lower: OutNumberTable,
) -> cython.bint:
    """Cholesky's factor of the known rows and columns of the matrix that begins at a row; whether there is one."""
    for a in range(count):
        for b in range(a + 1):
            left: cython.double = covariance[first + known[a], known[b]]
            for c in range(b):
                left -= lower[a, c] * lower[b, c]
            if b < a:
                lower[a, b] = left / lower[b, b]
            elif left > LEAST * covariance[first + known[a], known[a]]:
                lower[a, a] = sqrt(left)
            else:
                return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def solve_lower(
    lower: OutNumberTable,
    right: NumberTable,
    i: cython.Py_ssize_t,
    known: OutPlaces,
    count: cython.Py_ssize_t,
    solved: OutNumbers,
) -> cython.void:
    """Forward substitution: L⁻¹ times the known values of a row."""
    for a in range(count):
        left: cython.double = right[i, known[a]]
        for b in range(a):
            left -= lower[a, b] * solved[b]
        solved[a] = left / lower[a, a]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def linear(u: OutNumbers, v: OutNumbers, count: cython.Py_ssize_t) -> cython.double:
    """Linear discriminant u·v − ½·|v|² of whitened values u and means v."""
    score: cython.double = 0.0
    for a in range(count):
        score += (u[a] - 0.5 * v[a]) * v[a]
    return score


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def log_density(u: OutNumbers, v: OutNumbers, count: cython.Py_ssize_t) -> cython.double:
    """Gaussian log density −½·|u − v|² − m/2·ln 2π of whitened values u and means v."""
    score: cython.double = -HALF_LOG_TWO_PI * count
    for a in range(count):
        score -= 0.5 * (u[a] - v[a]) * (u[a] - v[a])
    return score
