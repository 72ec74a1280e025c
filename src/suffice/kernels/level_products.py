"""Sparse cross-products of indicators with numbers and each other: a row has one level a column, not many zeros."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import (
    Codes,
    CodeTable,
    Numbers,
    NumberTable,
    OutNumbers,
    OutNumberTable,
    OutPlaces,
)


def add_level_products(
    x: NumberTable,
    codes: CodeTable,
    places: Codes,
    offsets: Codes,
    classes: Codes,
    weights: Numbers,
    mean: NumberTable,
    sums: OutNumberTable,
    pairs: OutNumberTable,
    rest: OutNumberTable,
) -> None:
    """For a row of class k with levels a ≤ b and weight w: sums[k, a] += w·(x − mean_k), pairs[k, a, b] += w.

    `places` are those of the levels of each column in turn, -1 for one that is not asked for; of two columns the
    later one's are larger. Classes and levels stand in one dimension: row k·width + a. `rest` is Σ w·(x − mean_k).
    """
    rows, numbers, columns, width = x.shape[0], x.shape[1], codes.shape[0], pairs.shape[1]
    is_weighted: cython.bint = weights.shape[0] > 0
    if codes.shape[1] != rows or classes.shape[0] != rows or (is_weighted and weights.shape[0] != rows):
        raise ValueError("not as many rows everywhere")
    if offsets.shape[0] != columns + 1 or offsets[columns] != places.shape[0]:
        raise ValueError("offsets and places do not fit together")
    if mean.shape[1] != numbers or rest.shape[1] != numbers or sums.shape[1] != numbers:
        raise ValueError("not as many numbers everywhere")
    if rest.shape[0] != mean.shape[0] or sums.shape[0] != mean.shape[0] * width or pairs.shape[0] != sums.shape[0]:
        raise ValueError("not as many classes and levels everywhere")
    away: OutNumbers = np.empty(numbers)
    present: OutPlaces = np.empty(columns, dtype=np.int64)
    with cython.nogil:
        for i in range(rows):
            k = classes[i]
            w = weights[i] if is_weighted else 1.0
            for j in range(numbers):
                away[j] = w * (x[i, j] - mean[k, j])
                rest[k, j] += away[j]
            found: cython.Py_ssize_t = 0
            for q in range(columns):
                code = codes[q, i]
                place = places[offsets[q] + code] if code >= 0 else -1
                if place >= 0:
                    present[found] = place
                    found += 1
            for a in range(found):
                row = k * width + present[a]
                for j in range(numbers):
                    sums[row, j] += away[j]
                for b in range(a, found):
                    pairs[row, present[b]] += w


def centre_level_products(
    weight: Numbers,
    sums: NumberTable,
    pairs: NumberTable,
    rest: NumberTable,
    mean: OutNumberTable,
    scatter: OutNumberTable,
) -> None:
    """The means of indicators, and their centred products: Σ w·(x−μ)·(1_a−p_a) and Σ w·(1_a−p_a)·(1_b−p_b).

    The last is n_ab − n_a·p_b, which is 0 to the last bit where all rows have one of the two levels. `mean` is (class,
    dimension) and `scatter` (class · dimension, dimension), numbers first; those of the numbers are there already.
    """
    classes, numbers, width = weight.shape[0], rest.shape[1], pairs.shape[1]
    dimensions = numbers + width
    if sums.shape[0] != classes * width or pairs.shape[0] != classes * width or sums.shape[1] != numbers:
        raise ValueError("sums and pairs do not fit together")
    if rest.shape[0] != classes or mean.shape[0] != classes or mean.shape[1] != dimensions:
        raise ValueError("means do not fit")
    if scatter.shape[0] != classes * dimensions or scatter.shape[1] != dimensions:
        raise ValueError("cross-products do not fit")
    with cython.nogil:
        for k in range(classes):
            if weight[k] <= 0.0:
                continue
            for a in range(width):
                mean[k, numbers + a] = pairs[k * width + a, a] / weight[k]
            for a in range(width):
                row, out = k * width + a, k * dimensions + numbers + a
                count, share = pairs[row, a], mean[k, numbers + a]
                for j in range(numbers):
                    product = sums[row, j] - share * rest[k, j]
                    scatter[out, j] = product
                    scatter[k * dimensions + j, numbers + a] = product
                for b in range(a, width):
                    other = pairs[k * width + b, b] if share == 1.0 else count * mean[k, numbers + b]
                    product = pairs[row, b] - other
                    scatter[out, numbers + b] = product
                    scatter[k * dimensions + numbers + b, numbers + a] = product
