"""Full Newton steps of a logistic regression on a few dense rows, one after the other."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, fabs, sqrt
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, NumberTable, OutNumbers, OutNumberTable
from cython.cimports.suffice.kernels.weighing import weigh_block


def take_full_steps(
    x: NumberTable,
    outcome: Codes,
    row_weights: Numbers,
    strength: Numbers,
    shared: cython.double,
    least_slope: cython.double,
    least_gain: cython.double,
    enough: cython.double,
    rounding: cython.double,
    flat: cython.double,
    path: OutNumberTable,
    values: OutNumberTable,
    gradients: OutNumberTable,
    hessian: OutNumberTable,
) -> int:
    """Maximise Σ w·ln P(y | x) − ½·Σ_j l2_j·Σ_k (w_kj − w̄_j)² from the first row of the path on; returns the steps.

    Ends where no slope is above the least one and a step would gain at most `least_gain`; or before a step that does
    not raise the value by `enough` of what its derivative promises, or cannot be found, as the Hessian is flat in some
    direction. `path` has the weights (step, class × dimension), `values` the log-likelihood and the value of each,
    `gradients` the gradients. The Hessian, of the negative value, is that at the last.
    """
    rows, dimensions = x.shape[0], x.shape[1]
    size = path.shape[1]
    classes: cython.Py_ssize_t = size // max(dimensions, 1)
    if classes * dimensions != size or not size or strength.shape[0] != dimensions:
        raise ValueError("weights, dimensions and strengths do not fit together")
    if outcome.shape[0] != rows or (row_weights.shape[0] > 0 and row_weights.shape[0] != rows):
        raise ValueError("not one class and one weight for every row")
    if values.shape[0] != path.shape[0] or values.shape[1] != 2 or not path.shape[0]:
        raise ValueError("not one pair of values for every step")
    if gradients.shape[0] != path.shape[0] or gradients.shape[1] != size:
        raise ValueError("not one gradient for every step")
    if hessian.shape[0] != size or hessian.shape[1] != size:
        raise ValueError("Hessian and weights do not fit together")
    scores: OutNumberTable = np.empty((rows, classes))
    residual: OutNumberTable = np.empty((rows, classes))
    factor: OutNumberTable = np.empty((size, size))
    root: OutNumbers = np.empty(size)
    step: OutNumbers = np.empty(size)
    around: OutNumberTable = np.empty((size, size))
    taken: cython.Py_ssize_t = 0
    with cython.nogil:
        evaluate(x, outcome, row_weights, strength, shared, path, 0, scores, residual, values, gradients, hessian)
        while taken + 1 < path.shape[0]:
            slope: cython.double = 0.0
            for i in range(size):
                slope = max(slope, fabs(gradients[taken, i]))
            if slope <= least_slope and least_gain == INFINITY:
                break
            if not solve(hessian, gradients, taken, flat, root, factor, step):
                break
            derivative: cython.double = 0.0
            for i in range(size):
                derivative += gradients[taken, i] * step[i]
            noise: cython.double = rounding * fabs(values[taken, 1])
            if not derivative > 0.0 or (slope <= least_slope and 0.5 * derivative <= max(least_gain, noise)):
                break
            for i in range(size):
                path[taken + 1, i] = path[taken, i] + step[i]
            there: cython.Py_ssize_t = taken + 1
            evaluate(
                x, outcome, row_weights, strength, shared, path, there, scores, residual, values, gradients, around
            )
            if not values[there, 1] >= values[taken, 1] + enough * derivative - noise:
                break
            hessian[:, :] = around
            taken = there
    return taken


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def evaluate(
    x: NumberTable,
    outcome: Codes,
    row_weights: Numbers,
    strength: Numbers,
    shared: cython.double,
    path: NumberTable,
    at: cython.Py_ssize_t,
    scores: OutNumberTable,
    residual: OutNumberTable,
    values: OutNumberTable,
    gradients: OutNumberTable,
    hessian: OutNumberTable,
) -> cython.void:
    """The log-likelihood, the value, the gradient and the Hessian at one point of the path."""
    rows, dimensions, classes = x.shape[0], x.shape[1], scores.shape[1]
    is_weighted: cython.bint = row_weights.shape[0] > 0
    for i in range(rows):
        for k in range(classes):
            score: cython.double = 0.0
            for j in range(dimensions):
                score += x[i, j] * path[at, k * dimensions + j]
            scores[i, k] = score
    values[at, 0] = weigh_block(scores, outcome, row_weights, 0, rows, residual, x[:0])
    for i in range(classes * dimensions):
        gradients[at, i] = 0.0
        for j in range(classes * dimensions):
            hessian[i, j] = 0.0
    for i in range(rows):
        weight = row_weights[i] if is_weighted else 1.0
        for k in range(classes):
            for j in range(dimensions):
                gradients[at, k * dimensions + j] += residual[i, k] * x[i, j]
            for m in range(k, classes):
                own = weight * scores[i, k] * (1.0 - scores[i, k] if m == k else -scores[i, m])
                for j in range(dimensions):
                    part = own * x[i, j]
                    for other in range(j, dimensions):
                        hessian[k * dimensions + j, m * dimensions + other] += part * x[i, other]
    add_penalty(strength, shared, path, at, classes, values, gradients, hessian)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_penalty(
    strength: Numbers,
    shared: cython.double,
    path: NumberTable,
    at: cython.Py_ssize_t,
    classes: cython.Py_ssize_t,
    values: OutNumberTable,
    gradients: OutNumberTable,
    hessian: OutNumberTable,
) -> cython.void:
    """The penalty's part of value, gradient and Hessian; of this the other half of every block is filled in."""
    dimensions = strength.shape[0]
    penalty: cython.double = 0.0
    for j in range(dimensions):
        total: cython.double = 0.0
        for k in range(classes):
            total += path[at, k * dimensions + j]
        for k in range(classes):
            place = k * dimensions + j
            pull = strength[j] * (path[at, place] - shared * total)
            penalty += path[at, place] * pull
            gradients[at, place] -= pull
            for m in range(k, classes):
                hessian[place, m * dimensions + j] += strength[j] * ((1.0 if m == k else 0.0) - shared)
    values[at, 1] = values[at, 0] - 0.5 * penalty
    for k in range(classes):
        for m in range(k, classes):
            for j in range(dimensions):
                for other in range(j, dimensions):
                    own = hessian[k * dimensions + j, m * dimensions + other]
                    hessian[k * dimensions + other, m * dimensions + j] = own
                    hessian[m * dimensions + j, k * dimensions + other] = own
                    hessian[m * dimensions + other, k * dimensions + j] = own


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def solve(
    matrix: NumberTable,
    right: NumberTable,
    at: cython.Py_ssize_t,
    flat: cython.double,
    root: OutNumbers,
    factor: OutNumberTable,
    solution: OutNumbers,
) -> cython.bint:
    """Cholesky, every dimension scaled to one: matrix·solution = a row of the right side; whether it is definite."""
    size = matrix.shape[0]
    for i in range(size):
        if not matrix[i, i] > 0.0:
            return False
        root[i] = sqrt(matrix[i, i])
    for i in range(size):
        for j in range(i + 1):
            rest: cython.double = matrix[i, j] / root[i] / root[j]
            for k in range(j):
                rest -= factor[i, k] * factor[j, k]
            if i == j:
                if not rest > flat:
                    return False
                factor[i, i] = sqrt(rest)
            else:
                factor[i, j] = rest / factor[j, j]
    for i in range(size):
        rest = right[at, i] / root[i]
        for k in range(i):
            rest -= factor[i, k] * solution[k]
        solution[i] = rest / factor[i, i]
    for i in range(size - 1, -1, -1):
        rest = solution[i]
        for k in range(i + 1, size):
            rest -= factor[k, i] * solution[k]
        solution[i] = rest / factor[i, i]
    for i in range(size):
        solution[i] /= root[i]
    return True
