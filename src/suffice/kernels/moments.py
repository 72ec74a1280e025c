"""Weight, mean and centred sum of squares of each numeric column within each class."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, fabs
from cython.cimports.suffice.kernels.arrays import Codes, Numbers, NumberTable, OutNumberTable
from cython.cimports.suffice.kernels.fetching_formulas import AHEAD, fetch_row

FAR_FROM_ZERO = cython.declare(cython.double, 1e-8)  # a variance below this part of the squared mean
LOOKED_AT_ONCE = cython.declare(cython.Py_ssize_t, 4096)


def measure_moments(
    x: NumberTable,
    classes: Codes,
    weights: Numbers,
    tile_rows: cython.Py_ssize_t,
    weight: OutNumberTable,
    mean: OutNumberTable,
    scatter: OutNumberTable,
) -> None:
    """Shifted one-pass moments, tile by tile, around the means so far; where that is not safe, two-pass moments.

    Never a raw sum of squares, and the memory is read once. After a missing value more are to be expected.
    """
    require_same_shape(weight, mean, scatter, x.shape[1])
    if classes.shape[0] != x.shape[0] or (weights.shape[0] > 0 and weights.shape[0] != x.shape[0]):
        raise ValueError("not one class and weight for every row")
    shape = (weight.shape[0], weight.shape[1])
    more: OutNumberTable = np.empty(shape)
    rest: OutNumberTable = np.empty(shape)
    squares: OutNumberTable = np.empty(shape)
    off: OutNumberTable = np.empty(shape)
    has_gaps: cython.bint = False
    with cython.nogil:
        for tile in range((x.shape[0] + tile_rows - 1) // tile_rows):
            begin = tile * tile_rows
            end = min(begin + tile_rows, x.shape[0])
            if not has_gaps:
                clear(more, rest, squares)
                look_around(x, begin, end, classes, weights, mean, more, rest, squares)
                if add_look(weight, mean, scatter, more, rest, squares):
                    continue
            clear(more, rest, squares)
            has_gaps = mean_of_tile(x, begin, end, classes, weights, more, rest)
            scatter_of_tile(x, begin, end, classes, weights, rest, squares)
            if some_far_from_zero(more, rest, squares):
                correct_tile(x, begin, end, classes, weights, more, rest, squares, off)
            merge_tables(weight, mean, scatter, more, rest, squares)


def merge_cells(
    weight: OutNumberTable,
    mean: OutNumberTable,
    scatter: OutNumberTable,
    more: NumberTable,
    more_mean: NumberTable,
    more_scatter: NumberTable,
) -> None:
    """Chan's merge, cell by cell and in place: δ = mean_b − mean_a, S = S_a + S_b + δ²·n_a·n_b/n."""
    require_same_shape(weight, mean, scatter, weight.shape[1])
    require_same_shape(more, more_mean, more_scatter, weight.shape[1])
    if more.shape[0] != weight.shape[0]:
        raise ValueError("moments of other classes")
    with cython.nogil:
        merge_tables(weight, mean, scatter, more, more_mean, more_scatter)


def is_far_from_zero(weight: NumberTable, mean: NumberTable, scatter: NumberTable) -> bool:
    """Cancellation check: whether some column lies so far from zero, in its deviations, that its mean was rounded."""
    require_same_shape(weight, mean, scatter, weight.shape[1])
    return some_far_from_zero(weight, mean, scatter)


def has_infinity(numbers: Numbers) -> bool:
    """Whether any number of a line is infinite."""
    count: cython.Py_ssize_t = 0
    with cython.nogil:
        for part in range((numbers.shape[0] + LOOKED_AT_ONCE - 1) // LOOKED_AT_ONCE):
            begin = part * LOOKED_AT_ONCE
            for i in range(begin, min(begin + LOOKED_AT_ONCE, numbers.shape[0])):
                count += fabs(numbers[i]) == INFINITY
            if count > 0:
                break
    return count > 0


@cython.cfunc
def require_same_shape(one: NumberTable, two: NumberTable, three: NumberTable, columns: cython.Py_ssize_t) -> None:
    """An error where three tables are not of one shape, with so many columns."""
    rows = one.shape[0]
    if two.shape[0] != rows or three.shape[0] != rows:
        raise ValueError("moments of different classes")
    if one.shape[1] != columns or two.shape[1] != columns or three.shape[1] != columns:
        raise ValueError("moments of different columns")


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear(one: OutNumberTable, two: OutNumberTable, three: OutNumberTable) -> cython.void:
    """Begin a tile."""
    one[:, :] = 0.0
    two[:, :] = 0.0
    three[:, :] = 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_tables(
    weight: OutNumberTable,
    mean: OutNumberTable,
    scatter: OutNumberTable,
    more: NumberTable,
    more_mean: NumberTable,
    more_scatter: NumberTable,
) -> cython.void:
    """Chan's merge, unchecked."""
    for k in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            added = more[k, j]
            if added > 0.0:
                total = weight[k, j] + added
                delta = more_mean[k, j] - mean[k, j]
                scatter[k, j] += more_scatter[k, j] + delta * delta * (weight[k, j] * (added / total))
                mean[k, j] += delta * (added / total)
                weight[k, j] = total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def look_around(
    x: NumberTable,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    classes: Codes,
    weights: Numbers,
    mean: NumberTable,
    weight: OutNumberTable,
    rest: OutNumberTable,
    squares: OutNumberTable,
) -> cython.void:
    """Shifted one-pass sums of a tile: weights, deviations from the means so far, and their squares."""
    is_weighted: cython.bint = weights.shape[0] > 0
    for i in range(begin, end):
        fetch_row(x, i + AHEAD)
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        weight[k, 0] += w
        for j in range(x.shape[1]):
            deviation = x[i, j] - mean[k, j]
            rest[k, j] += w * deviation
            squares[k, j] += w * deviation * deviation


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_look(
    weight: OutNumberTable,
    mean: OutNumberTable,
    scatter: OutNumberTable,
    more: NumberTable,
    rest: NumberTable,
    squares: NumberTable,
) -> cython.bint:
    """Add shifted sums, R of deviations and Q of squares, to the moments: mean + R/n, S + Q − R²/n.

    Refused, with nothing changed, where a value was missing or the difference could lose more than a bit: where most
    rows of a class are new and lie far from its mean so far.
    """
    for k in range(weight.shape[0]):
        if more[k, 0] > 0.0:
            for j in range(weight.shape[1]):
                moved = rest[k, j] * (rest[k, j] / (weight[k, j] + more[k, 0]))
                if not moved <= 0.5 * squares[k, j]:  # nor where it is not a number
                    return False
    for k in range(weight.shape[0]):
        if more[k, 0] > 0.0:
            for j in range(weight.shape[1]):
                weight[k, j] += more[k, 0]
                off = rest[k, j] / weight[k, j]
                scatter[k, j] += squares[k, j] - rest[k, j] * off
                mean[k, j] += off
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mean_of_tile(
    x: NumberTable,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    classes: Codes,
    weights: Numbers,
    weight: OutNumberTable,
    mean: OutNumberTable,
) -> cython.bint:
    """Two-pass moments, first pass: weights and means per class. Whether values are missing in some columns only."""
    is_weighted: cython.bint = weights.shape[0] > 0
    has_gaps: cython.bint = False
    for i in range(begin, end):
        fetch_row(x, i + AHEAD)
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        for j in range(x.shape[1]):  # to add zero needs no jump
            value = x[i, j]
            weight[k, j] += w if value == value else 0.0
            mean[k, j] += w * value if value == value else 0.0
    for k in range(weight.shape[0]):
        for j in range(x.shape[1]):
            has_gaps |= weight[k, j] != weight[k, 0]
            if weight[k, j] > 0.0:
                mean[k, j] /= weight[k, j]
    return has_gaps


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scatter_of_tile(
    x: NumberTable,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    classes: Codes,
    weights: Numbers,
    mean: NumberTable,
    scatter: OutNumberTable,
) -> cython.void:
    """Two-pass moments, second pass: centred squares around the tile's own means."""
    is_weighted: cython.bint = weights.shape[0] > 0
    for i in range(begin, end):
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        for j in range(x.shape[1]):
            deviation = x[i, j] - mean[k, j]
            scatter[k, j] += w * deviation * deviation if deviation == deviation else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def some_far_from_zero(weight: NumberTable, mean: NumberTable, scatter: NumberTable) -> cython.bint:
    """Cancellation check: whether some mean was rounded noticeably."""
    for k in range(mean.shape[0]):
        for j in range(mean.shape[1]):
            if 0.0 < scatter[k, j] < FAR_FROM_ZERO * weight[k, j] * mean[k, j] * mean[k, j]:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def correct_tile(
    x: NumberTable,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    classes: Codes,
    weights: Numbers,
    weight: NumberTable,
    mean: OutNumberTable,
    scatter: OutNumberTable,
    rest: OutNumberTable,
) -> cython.void:
    """Compensated (corrected two-pass) moments: add to the means the mean of their residuals, where it is needed."""
    is_weighted: cython.bint = weights.shape[0] > 0
    rest[:, :] = 0.0
    for i in range(begin, end):
        k = classes[i]
        w = weights[i] if is_weighted else 1.0
        for j in range(x.shape[1]):
            deviation = x[i, j] - mean[k, j]
            rest[k, j] += w * deviation if deviation == deviation else 0.0
    for k in range(mean.shape[0]):
        for j in range(mean.shape[1]):
            if weight[k, j] > 0.0:
                off = rest[k, j] / weight[k, j]
                mean[k, j] += off
                scatter[k, j] = max(scatter[k, j] - rest[k, j] * off, 0.0)
