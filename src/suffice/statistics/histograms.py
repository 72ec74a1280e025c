"""Histograms of groups of numbers: of as many binary digits as leave few cells, whatever the numbers' range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from suffice.kernels.histograms import find_cells, tally_groups
from suffice.schema import AnyArray, Array
from suffice.soundness import require_codes, require_numbers
from suffice.statistics.binary_digits import LEAST_DIGITS, MOST_DIGITS, rounded_down
from suffice.statistics.class_weights import remaining

MOST_CELLS = 512  # of a group that keeps more than the fewest digits


@dataclass(frozen=True, slots=True)
class Histograms:
    """Histograms of groups of numbers: the lowest number and the weight of each cell, ascending within a group.

    A cell is all numbers with the same first binary digits. How many digits a group keeps depends on nothing but its
    numbers: as many as leave at most 512 cells, and at least 7. More numbers never leave fewer cells; so whatever
    digits some of the numbers lost, all of them lose too, and histograms of any rows merge to that of all.
    """

    digits: AnyArray  # (group,)
    ends: AnyArray  # (group,), where its cells end
    values: Array  # (cell,), the lowest number
    weight: Array  # (cell,), above 0

    def require_sound(self) -> None:
        """What a file may have wrong."""
        groups = self.digits.size if isinstance(self.digits, np.ndarray) else 0
        require_codes("numbers of digits", self.digits, (groups,), LEAST_DIGITS, MOST_DIGITS, np.int64)
        cells = self.values.size if isinstance(self.values, np.ndarray) else 0
        require_codes("ends of groups", self.ends, (groups,), 0, cells, np.int64)
        require_numbers("numbers of cells", self.values, (cells,), -np.inf, np.inf)
        require_numbers("weights of cells", self.weight, (cells,), 0.0)
        if np.any(self.sizes < 0) or cells != (self.ends[-1] if groups else 0):
            raise ValueError("the groups are not in order, or some cells are in none")
        if not np.all(np.isfinite(self.values)) or not np.all(self.weight > 0):
            raise ValueError("a cell has no number, or no weight")
        is_first = np.diff(self.groups, prepend=-1) > 0
        if not np.all(is_first[1:] | (self.values[1:] > self.values[:-1])):
            raise ValueError("the cells are not in ascending order")
        if not np.array_equal(rounded_down(self.values, self.digits[self.groups]), self.values):
            raise ValueError("a cell has more digits than its group")

    @classmethod
    def of(cls, numbers: Array, ends: AnyArray, weights: Array, digits: AnyArray | None = None) -> Histograms:
        """Weigh numbers (column, row): of each column, the rows up to each of the ends are a group.

        `weights` has one for every row, or none; `digits` is how many each group may keep.
        """
        groups = len(numbers) * len(ends)
        kept = np.full(groups, MOST_DIGITS, dtype=np.int64) if digits is None else digits.copy()
        sizes = np.empty(groups, dtype=np.int64)
        cells, weight = np.empty(numbers.size, dtype=np.int64), np.empty(numbers.size)
        found = tally_groups(numbers.view(np.int64), ends, weights, MOST_CELLS, kept, sizes, cells, weight)
        return cls(kept, np.cumsum(sizes), cells[:found].view(np.float64).copy(), weight[:found].copy())

    @classmethod
    def side_by_side(cls, parts: Sequence[Histograms]) -> Histograms:
        """The groups of all parts, one part after the other."""
        whole, none = np.empty(0, dtype=np.int64), np.empty(0)
        digits, sizes, values, weight = (
            np.concatenate([empty, *(getattr(part, name) for part in parts)])
            for name, empty in (("digits", whole), ("sizes", whole), ("values", none), ("weight", none))
        )
        return cls(digits, np.cumsum(sizes), values, weight)

    @property
    def sizes(self) -> AnyArray:
        """How many cells each group has."""
        sizes = self.ends.copy()
        sizes[1:] -= self.ends[:-1]  # numpy's own difference would take longer to get ready than this
        return sizes

    @property
    def groups(self) -> AnyArray:
        """The group of each cell."""
        return np.repeat(np.arange(len(self.ends)), self.sizes)

    def merge(self, other: Histograms) -> Histograms:
        """Add cell by cell, of the digits that both have, and fewer where there are too many cells."""
        if not len(self.ends):
            return self
        order = np.argsort(np.concatenate([self.groups, other.groups]), kind="stable")
        values, weight = (
            np.concatenate(part)[order] for part in ((self.values, other.values), (self.weight, other.weight))
        )
        return Histograms.of(values[None], self.ends + other.ends, weight, np.minimum(self.digits, other.digits))

    def without(self, other: Histograms) -> Histograms:
        """Subtract cell by cell, exactly; a cell with no weight left is gone. Digits that were dropped stay so."""
        both = self.merge(other)
        left = replace(both, weight=remaining(self._weight_in(both), other._weight_in(both)))
        return left._of_cells(left.weight > 0)

    def weighed(self, factors: Array) -> Histograms:
        """The same numbers, those of each group counting for as much as its factor says."""
        weight = self.weight * factors[self.groups]
        return replace(self, weight=weight)._of_cells(weight > 0)

    def picked(self, groups: AnyArray) -> Histograms:
        """Some of the groups, in a given order; −1 is one without numbers."""
        if not len(groups):
            return Histograms.side_by_side([])
        digits, begins, sizes = (  # of one more group, which is empty
            np.append(part, last)[groups]
            for part, last in ((self.digits, MOST_DIGITS), (self.ends - self.sizes, 0), (self.sizes, 0))
        )
        ends = np.cumsum(sizes)
        cells = np.arange(sizes.sum()) + np.repeat(begins - (ends - sizes), sizes)
        return Histograms(digits, ends, self.values[cells], self.weight[cells])

    def joined(self, together: int) -> Histograms:
        """Every so many groups as one: the numbers of all classes, say."""
        digits = self.digits.reshape(-1, together).min(axis=1)
        return Histograms.of(self.values[None], self._ends_of(together), self.weight, digits)

    def places_in(self, whole: Histograms) -> AnyArray:
        """Where each cell is among those of groups that hold the same numbers, and maybe others."""
        places = np.empty(len(self.values), dtype=np.int64)
        together = len(self.ends) // len(whole.ends) if len(whole.ends) else 1
        find_cells(self.values, self._ends_of(together), whole.values, whole.ends, places)
        return places

    def _ends_of(self, together: int) -> AnyArray:
        return np.ascontiguousarray(self.ends[together - 1 :: together])

    def _weight_in(self, whole: Histograms) -> Array:
        weight: Array = np.bincount(self.places_in(whole), self.weight, len(whole.values)).astype(np.float64)
        return weight

    def _of_cells(self, is_kept: AnyArray) -> Histograms:
        """Some of the cells; a group without any has lost no digits."""
        sizes = np.bincount(self.groups[is_kept], minlength=len(self.ends))
        digits = np.where(sizes == 0, MOST_DIGITS, self.digits)
        return Histograms(digits, np.cumsum(sizes), self.values[is_kept], self.weight[is_kept])
