"""Pooled moments: weight, mean and variance of columns over all classes, and whether a column varies at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Array
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.moments.magnitudes import SAME, require_squares
from suffice.statistics.moments.matrix_moments import MatrixMoments
from suffice.statistics.quotient import quotient

EVERY = slice(None)
ROUNDING = 4 * np.finfo(float).eps  # of the numbers' size: a deviation below is none


@dataclass(frozen=True, slots=True)
class WithinClasses:
    """Moments of some columns within each class."""

    columns: AnyArray | slice  # which ones of all that are pooled
    weight: Array  # (class, column), of the known values
    mean: Array  # (class, column)
    scatter: Array  # (class, column), Σ w·(x − mean)²

    @classmethod
    def of_matrix(cls, columns: AnyArray, moments: MatrixMoments) -> WithinClasses:
        """Those of rows that know all of the columns."""
        weight = np.broadcast_to(moments.weight[:, None], moments.mean.shape)
        return cls(columns, weight, moments.mean, np.diagonal(moments.scatter, 0, 1, 2))


@dataclass(frozen=True, slots=True)
class Pooled:
    """The columns over all classes."""

    weight: Array  # (column,), of the known values
    mean: Array  # 0 where nothing is known
    squares: Array  # Σ w·(x − mean)², within classes plus between them
    varies: AnyArray  # truth values: whether the variance is more than rounding
    are_apart: AnyArray  # truth values: whether means differ, even where their squares have vanished

    @property
    def variance(self) -> Array:
        """The variance σ², 0 where nothing is known."""
        return quotient(self.squares, self.weight)

    def require_squares(self, names: Sequence[str]) -> None:
        """The first columns, which have these names, are not so large or small that their squares are no numbers."""
        own = np.s_[: len(names)]
        require_squares(names, self.weight[own], self.squares[own], (self.varies | self.are_apart)[own])


@np.errstate(over="ignore", invalid="ignore")  # columns too large are named by `require_squares`
def pooled(parts: Sequence[WithinClasses], columns: int) -> Pooled:
    """The moments of so many columns over all classes, from parts of the rows, each of which knows some columns."""
    weight, total, squares, magnitude, apart = np.zeros((5, columns))
    for part in parts:
        weight[part.columns] += part.weight.sum(axis=0)
        total[part.columns] += (part.weight * part.mean).sum(axis=0)
        size = np.where(part.weight > 0, np.abs(part.mean), 0.0)
        magnitude[part.columns] = np.maximum(magnitude[part.columns], size.max(axis=0, initial=0.0))
    mean = quotient(total, weight)
    for part in parts:
        off = part.mean - mean[part.columns]
        squares[part.columns] += part.scatter.sum(axis=0) + (part.weight * off**2).sum(axis=0)
        size = np.where(part.weight > 0, np.abs(off), 0.0)
        apart[part.columns] = np.maximum(apart[part.columns], size.max(axis=0, initial=0.0))
    return Pooled(weight, mean, squares, squares > weight * (ROUNDING * magnitude) ** 2, apart > SAME * magnitude)


def pooled_columns(moments: Moments) -> Pooled:
    """The numeric columns of a table over all classes; too large or too small ones are an error."""
    count = len(moments.schema.numeric)
    found = pooled([WithinClasses(EVERY, moments.weight, moments.mean, moments.scatter)], count)
    found.require_squares([column.name for column in moments.schema.numeric])
    return found
