"""Sparse cross-products: moments of numbers and indicators from the levels; nothing is multiplied that is zero."""

from __future__ import annotations

import numpy as np

from suffice.kernels.level_products import add_level_products, centre_level_products
from suffice.schema import Array, Codes
from suffice.statistics.moments.matrix_moments import MatrixMoments

LEAST_LEVELS = 3  # of a column on average: with fewer, products of matrices are quicker


def with_levels(
    moments: MatrixMoments,
    x: Array,
    codes: Codes,
    places: Codes,
    offsets: Codes,
    row_classes: Codes,
    weights: Array | None,
) -> MatrixMoments:
    """The moments of rows without missing values, given those of their numbers; `places` are of the indicators.

    The same as those of the numbers and a column of zeros and ones for every level. A row adds to as many cells as
    it has pairs of nominal columns, and not to as many as there are pairs of levels.
    """
    classes, numbers = moments.mean.shape
    width = int(places.max(initial=-1)) + 1
    sums, rest = np.zeros((classes * width, numbers)), np.zeros((classes, numbers))
    pairs = np.zeros((classes * width, width))
    row_weights = np.empty(0) if weights is None else np.ascontiguousarray(weights)
    own_classes, means = np.ascontiguousarray(row_classes), np.ascontiguousarray(moments.mean)
    x, codes = np.ascontiguousarray(x), np.ascontiguousarray(codes)
    add_level_products(x, codes, places, offsets, own_classes, row_weights, means, sums, pairs, rest)
    mean = np.zeros((classes, numbers + width))
    scatter = np.zeros((classes, numbers + width, numbers + width))
    mean[:, :numbers], scatter[:, :numbers, :numbers] = moments.mean, moments.scatter
    flat = scatter.reshape(classes * (numbers + width), numbers + width)
    centre_level_products(np.ascontiguousarray(moments.weight), sums, pairs, rest, mean, flat)
    return MatrixMoments(moments.weight, mean, scatter)
