"""Fast kernel sums: Σ of Gaussian kernels of width 1 (bumps) on many points, in two dimensions and more.

Past 1,024 points, those in a cell a quarter of the bandwidth wide become one bump, corrected for their variance. Points
and queries stand in boxes of 64. For a box of queries, the boxes of points are taken nearest first, a matrix product
for each thousand, until all that are left can add no more than a part in 10,000 to any sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from suffice.schema import AnyArray, Array

MOST_POINTS = 1_024  # fewer are never put together
CELL = 0.25
BOX_POINTS, BOX_QUERIES = 64, 64
BLOCK = 1_024  # points at a time: the block of exponents stays in the cache
SMALLEST_PART = np.log(1e-4)
LARGEST_CELL = 2.0**62
WIDEST = 1e5  # a box of queries: squares of larger distances would drown what is near


@dataclass(frozen=True)
class KernelSums:
    """Gaussian kernels on weighted points, in units of the bandwidth and in boxes.

    A bump is w·exp(−½·t²)·(1 + ½·v·(t² − d)), with t the distance from the mean of its points and v their variance in
    each of d dimensions: what the bumps of the points themselves add up to, but for third powers of their distances.
    """

    centre: Array  # (bump, dimension)
    log_weight: Array
    variance: Array
    start: AnyArray  # where each box begins; one more than boxes
    low: Array  # (box, dimension)
    high: Array
    log_total: Array  # of the weights in a box
    most_variance: Array  # in a box
    is_exact: bool

    @classmethod
    def of(cls, points: Array, weight: Array) -> KernelSums:
        """The bumps of weighted points."""
        is_exact = len(points) <= MOST_POINTS
        variance = np.zeros(len(points))
        if not is_exact:
            points, weight, variance = in_cells(points, weight)
        order, start = boxes(points, BOX_POINTS)
        points, variance, log_weight = points[order], variance[order], np.log(weight[order])
        first = start[:-1]
        return cls(
            points,
            log_weight,
            variance,
            start,
            np.minimum.reduceat(points, first),
            np.maximum.reduceat(points, first),
            np.logaddexp.reduceat(log_weight, first),
            np.maximum.reduceat(variance, first),
            is_exact,
        )

    @np.errstate(over="ignore", invalid="ignore", divide="ignore")  # queries beyond all numbers have density 0
    def log_sums(self, queries: Array) -> Array:
        """Log kernel sums ln Σ w_i·exp(−½·|x − p_i|²) of every query x."""
        out = np.empty(len(queries))
        order, start = boxes(queries, BOX_QUERIES, WIDEST)
        for begin, end in pairwise(start):
            rows = order[begin:end]
            out[rows] = self._box_sums(queries[rows])
        return out

    def _box_sums(self, x: Array) -> Array:
        nearest_first, beyond = self._nearest_first(x.min(axis=0), x.max(axis=0))
        kind = np.float64 if self.is_exact else np.float32  # enough digits beside what gathering loses
        middle = np.median(x, axis=0)  # which a query far away does not move
        x = x - middle
        square = np.einsum("ij,ij->i", x, x)
        augmented = np.column_stack([x, np.ones(len(x))])
        largest, total = np.full(len(x), -np.inf), np.zeros(len(x))
        for begin in range(0, len(nearest_first), BLOCK):
            if beyond[begin] <= (np.log(total) + largest - 0.5 * square).min() + SMALLEST_PART:
                break
            bumps = nearest_first[begin : begin + BLOCK]
            points = self.centre[bumps] - middle
            constant = self.log_weight[bumps] - 0.5 * np.einsum("ij,ij->i", points, points)
            exponent = augmented @ np.column_stack([points, constant]).T  # and −½·|x|², for every bump
            nearer = np.maximum(largest, exponent.max(axis=1))
            below = np.empty(exponent.shape, dtype=kind)
            np.subtract(exponent, nearer[:, None], out=below, casting="same_kind")
            total = total * np.exp(largest - nearer) + self._summed(below, nearer - 0.5 * square, bumps)
            largest = nearer
        log: Array = np.log(total) + largest - 0.5 * square
        log[np.isnan(log)] = -np.inf
        return log

    def _summed(self, exponent: Array, shift: Array, bumps: AnyArray) -> Array:
        """Second-order kernel sums Σ exp(e)·(1 + ½·v·(t² − d)), where t² = 2·(ln w − e − shift)."""
        height = np.exp(exponent)
        if self.is_exact:
            return height @ np.ones(len(bumps))
        variance = self.variance[bumps]
        flat = (1.0 + variance * (self.log_weight[bumps] - 0.5 * self.centre.shape[1])).astype(height.dtype)
        slope = variance.astype(height.dtype)
        exponent *= height
        summed: Array = height @ flat - exponent @ slope - shift * (height @ slope)
        return summed

    def _nearest_first(self, low: Array, high: Array) -> tuple[AnyArray, Array]:
        """The kernels (bumps), box by box, first those that can matter most to queries between `low` and `high`.

        And for each bump ln of what those of its box and all later ones can add up to, at most.
        """
        gap = np.maximum(np.maximum(self.low - high, low - self.high), 0.0)
        nearest = np.einsum("ij,ij->i", gap, gap)
        most = self.log_total - 0.5 * nearest + np.log1p(0.5 * self.most_variance * nearest)
        order = np.argsort(-most, kind="stable")
        left = np.logaddexp.accumulate(most[order][::-1])[::-1]
        size = np.diff(self.start)[order]
        end = np.cumsum(size)
        bumps = np.arange(len(self.centre)) + np.repeat(self.start[order] - (end - size), size)
        return bumps, np.repeat(left, size)


def in_cells(points: Array, weight: Array) -> tuple[Array, Array, Array]:
    """Binning: the points of each cell as one, their mean, weight, and variance per dimension."""
    with np.errstate(over="ignore", invalid="ignore"):
        cell = np.floor((points - points.min(axis=0)) / CELL)
    if not np.prod(cell.max(axis=0) + 1.0) < LARGEST_CELL:  # too far apart for cells to have numbers
        return points, weight, np.zeros(len(points))
    key = np.zeros(len(points), dtype=np.int64)
    for column in cell.T:
        key = key * (int(column.max()) + 1) + column.astype(np.int64)
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    points, weight = points[order], weight[order]
    total = np.add.reduceat(weight, first)
    base = points[first]  # deviations from a point of the cell lose no digits
    count = np.diff(first, append=len(points))
    share = weight / np.repeat(total, count)
    deviation = points - np.repeat(base, count, axis=0)
    offset = np.add.reduceat(share[:, None] * deviation, first)
    squares = np.add.reduceat(share * np.einsum("ij,ij->i", deviation, deviation), first)
    variance = np.maximum(squares - np.einsum("ij,ij->i", offset, offset), 0.0) / points.shape[1]
    return base + offset, total, variance


def boxes(points: Array, most: int, widest: float = np.inf) -> tuple[AnyArray, AnyArray]:
    """An order of the points in which those of a box stand together, at most so many, and where each box begins.

    A box with too many points, or wider than it may be, is halved where it is widest.
    """
    order = np.arange(len(points))
    starts, waiting = [], [(0, len(points))] if len(points) else []
    while waiting:
        begin, end = waiting.pop()
        own = order[begin:end]
        inside = points[own]
        extent = inside.max(axis=0) - inside.min(axis=0)
        if end - begin <= most and (extent.max() <= widest or end - begin == 1):
            starts.append(begin)
            continue
        half = (end - begin) // 2
        order[begin:end] = own[np.argpartition(inside[:, int(np.argmax(extent))], half)]
        waiting += [(begin + half, end), (begin, begin + half)]
    return order, np.array([*starts, len(points)])
