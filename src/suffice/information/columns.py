"""Entropies of columns, one or two at a time; numbers count as levels, and rows without a value do not count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Array
from suffice.solve.stated_probabilities import stated_probabilities
from suffice.sources.readers.frames.column import level_codes
from suffice.sources.targets.weights import require_weights
from suffice.statistics.entropy import entropies


def entropy(x: Any, weights: Any = None) -> float:
    """H(X) = −Σ P(x)·log2 P(x), in bits, of a column or of a distribution {outcome: probability}.

    >>> entropy(["Trek", "Trek", "Specialized", "Cervelo"])
    1.5
    >>> entropy({"Trek": 0.5, "Specialized": 0.25, "Cervelo": 0.125, "Serrota": 0.125})
    1.75
    """
    if isinstance(x, Mapping):
        return float(entropies(stated_probabilities(x, [*map(float, x.values())])))
    return _Levels.of([x], weights).entropy(0)


def conditional_entropy(y: Any, x: Any, weights: Any = None) -> float:
    """H(Y | X) = H(X, Y) − H(X), in bits, over the rows in which both are known.

    >>> bikes = ["Trek", "Trek", "Specialized", "Cervelo", "Trek", "Trek", "Specialized", "Serrota"]
    >>> conditional_entropy(bikes, ["black"] * 4 + ["white"] * 4)
    1.5
    """
    levels = _Levels.of([x, y], weights)
    return max(0.0, levels.entropy(0, 1) - levels.entropy(0))


def mutual_information(x: Any, y: Any, weights: Any = None) -> float:
    """I(X; Y) = H(X) + H(Y) − H(X, Y), in bits, over the rows in which both are known; 0 if they are independent.

    >>> bikes = ["Trek", "Trek", "Specialized", "Cervelo", "Trek", "Trek", "Specialized", "Serrota"]
    >>> mutual_information(bikes, ["black"] * 4 + ["white"] * 4)
    0.25
    """
    levels = _Levels.of([x, y], weights)
    return max(0.0, levels.entropy(0) + levels.entropy(1) - levels.entropy(0, 1))


def require_known(is_known: AnyArray) -> None:
    """An error where no row is known."""
    if not is_known.any():
        raise TableError("No row has a known value in every column, so there is nothing to measure.")


@dataclass(frozen=True)
class _Levels:
    """Columns as codes of their levels, in the rows in which all of them are known."""

    codes: list[AnyArray]
    weight: Array | None

    @classmethod
    def of(cls, columns: list[Any], weights: Any) -> _Levels:
        codes = [level_codes(column).codes for column in columns]
        rows = len(codes[0])
        if any(len(column) != rows for column in codes):
            lengths = " and ".join(str(len(column)) for column in codes)
            raise TableError(f"The columns have {lengths} values. Give columns of the same rows.")
        weight = None if weights is None else require_weights(np.asarray(weights, dtype=np.float64))
        if weight is not None and len(weight) != rows:
            raise TableError(f"There are {len(weight)} weights for {rows} rows. Give one weight for every row.")
        is_known = np.logical_and.reduce([column >= 0 for column in codes])
        require_known(is_known)
        return cls([column[is_known] for column in codes], None if weight is None else weight[is_known])

    def entropy(self, *positions: int) -> float:
        """H of some of the columns together."""
        key = np.zeros(len(self.codes[0]), dtype=np.int64)
        for position in positions:
            key = key * (int(self.codes[position].max()) + 1) + self.codes[position]
        _, key = np.unique(key, return_inverse=True)
        return float(entropies(np.bincount(key, self.weight).astype(np.float64)))
