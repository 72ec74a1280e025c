"""Log-scale histograms of numeric columns within each class: fine bins of about the same relative width."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.kernels.shapes import tally_rounded
from suffice.schema import Alignment, AnyArray, Array, Batch, Schema
from suffice.soundness import require_a, require_codes, require_numbers
from suffice.statistics.class_weights import remaining
from suffice.statistics.moments.tails import Tails
from suffice.statistics.totals import require_numeric_columns, require_same_columns

CODE_BITS = 18  # of a double's 64, of which 6 are the fraction's: 64 steps from one power of two to the next
CODES = 1 << CODE_BITS
BLOCK = 64  # codes that the kernel looks at together, and such blocks
MOST_CELLS = 1 << 20  # 16 MB of room for the cells of some columns, of which few are used
LOOKED_AT = 2_048  # rows that tell whether a column of a large table looks Gaussian
FAR_FROM_GAUSSIAN = 30.0  # of Jarque and Bera's statistic, which is about 2 of Gaussian values


@dataclass(frozen=True, slots=True)
class Shapes:
    """Log-scale histograms per class of some numeric columns: the weight of every bin that is not empty.

    A cell is (place of the column · classes + class) · 2¹⁸ + code, in ascending order; codes are rounded values, in
    the order of the values.
    """

    schema: Schema
    columns: tuple[str, ...]
    cells: AnyArray  # (cell,), whole numbers
    weight: Array  # (cell,), above 0

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_numeric_columns(self.columns, self.schema)
        require_a("cells", self.cells, np.ndarray)
        most = len(self.columns) * self.schema.class_count * CODES - 1
        require_codes("cells", self.cells, (self.cells.size,), 0, most, np.int64)
        require_numbers("weights of values", self.weight, self.cells.shape, 0.0)
        if not np.all(self.cells[1:] > self.cells[:-1]) or not np.all(self.weight > 0):
            raise ValueError("the cells are not in ascending order, or one has no weight")
        if not np.isfinite(self.values).all():
            raise ValueError("some values are not finite")

    @property
    def values(self) -> Array:
        """The rounded value of each cell."""
        return numbers_of(self.cells & (CODES - 1))

    @property
    def groups(self) -> AnyArray:
        """Place of the column · classes + class, of each cell."""
        return self.cells >> CODE_BITS

    def merge(self, other: Shapes) -> Shapes:
        """Add cell by cell."""
        cells, mine, theirs = self._beside(other)
        return replace(self, cells=cells, weight=mine + theirs)

    def without(self, other: Shapes) -> Shapes:
        """Subtract cell by cell, exactly; one with no weight left is gone."""
        cells, mine, theirs = self._beside(other)
        weight = remaining(mine, theirs)
        return replace(self, cells=cells[weight > 0], weight=weight[weight > 0])

    def weighed(self, factors: Array) -> Shapes:
        """The same rows, those of each class counting for as much as its factor says."""
        weight = self.weight * factors[self.groups % self.schema.class_count]
        return replace(self, cells=self.cells[weight > 0], weight=weight[weight > 0])

    def align(self, alignment: Alignment) -> Shapes:
        """Pick the classes of another schema, and the columns that are numbers there."""
        numbers = tuple(name for name in self.columns if name in alignment.schema.numeric_position)
        if numbers != self.columns:
            return self.of_columns(numbers).align(alignment)
        place, own = np.divmod(self.groups, self.schema.class_count)
        code = self.cells & (CODES - 1)
        picked = [np.flatnonzero(own == k) for k in alignment.classes]
        new = np.repeat(np.arange(len(picked)), [len(cells) for cells in picked])
        old = np.concatenate(picked)
        cells = (place[old] * len(picked) + new) << CODE_BITS | code[old]
        order = np.argsort(cells)
        return Shapes(alignment.schema, self.columns, cells[order], self.weight[old][order])

    def of_columns(self, names: tuple[str, ...]) -> Shapes:
        """The cells of some columns, in their order here."""
        kept = np.array([name in names for name in self.columns], dtype=bool)
        place, own = np.divmod(self.cells, self.schema.class_count * CODES)
        is_kept = kept[place]
        cells = (np.cumsum(kept) - 1)[place] * (self.schema.class_count * CODES) + own
        columns = tuple(name for name in self.columns if name in names)
        return Shapes(self.schema, columns, cells[is_kept], self.weight[is_kept])

    def _beside(self, other: Shapes) -> tuple[AnyArray, Array, Array]:
        """All cells, and the weight of each in both."""
        require_same_columns(self.columns, other.columns, "binned or Gaussian")
        cells, place = united(np.concatenate([self.cells, other.cells]))
        mine, theirs = np.zeros(len(cells)), np.zeros(len(cells))
        mine[place[: len(self.cells)]] = self.weight
        theirs[place[len(self.cells) :]] = other.weight
        return cells, mine, theirs


@dataclass(frozen=True, slots=True)
class MeasureShapes:
    """Measures the histograms of the named columns, every value rounded down to 7 binary digits.

    How a value is rounded depends on nothing but the value, so that the shapes of any rows merge.
    """

    columns: tuple[str, ...]

    def of(self, batch: Batch) -> Shapes:
        """Weigh the values of a batch."""
        if not self.columns:
            return Shapes(batch.schema, (), np.empty(0, dtype=np.int64), np.empty(0))
        classes, count = batch.class_codes(), batch.schema.class_count
        rows = np.argsort(classes.astype(np.int16) if count < 1 << 15 else classes, kind="stable")
        ends = np.cumsum(np.bincount(classes, minlength=count))
        weights = batch.given_weights()
        totals, is_used = np.zeros(CODES), np.zeros(CODES // BLOCK + CODES // BLOCK**2, dtype=np.int64)
        columns = np.array([batch.schema.numeric_position[name] for name in self.columns])
        at_once = max(1, MOST_CELLS // max(batch.rows, 1))
        most = batch.rows * min(at_once, len(columns))
        cells, weight = np.empty(most, dtype=np.int64), np.empty(most)
        bits = batch.numeric.view(np.int64)
        found: list[tuple[AnyArray, Array]] = []
        for start in range(0, len(columns), at_once):
            some = columns[start : start + at_once]
            n = tally_rounded(bits, some, rows, ends, weights, totals, is_used, cells, weight)
            found.append((cells[:n] + start * count * CODES, weight[:n].copy()))
        every, their_weight = (np.concatenate(part) for part in zip(*found, strict=True))
        return Shapes(batch.schema, self.columns, every, their_weight)


def united(runs: AnyArray) -> tuple[AnyArray, AnyArray]:
    """The distinct whole numbers of some ascending runs, and the place of each number among them: in one walk.

    >>> [part.tolist() for part in united(np.array([1, 5, 9, 0, 5]))]
    [[0, 1, 5, 9], [1, 2, 3, 0, 2]]
    """
    order = np.argsort(runs, kind="stable")
    ascending = runs[order]
    is_new = np.ones(len(runs), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
    place = np.empty(len(runs), dtype=np.int64)
    place[order] = np.cumsum(is_new) - 1
    return ascending[is_new], place


_ALL = np.int64(0x7FFFFFFFFFFFFFFF)


def numbers_of(codes: AnyArray) -> Array:
    """The rounded value of each code."""
    steps: AnyArray = codes - CODES // 2
    steps <<= 64 - CODE_BITS
    steps ^= (steps >> 63) & _ALL  # the bits of negative doubles fall as they rise
    return steps.view(np.float64)


@dataclass(frozen=True, slots=True)
class Look:
    """Result of a normality test (Jarque–Bera) of the first rows."""

    rows: int
    far_from_gaussian: tuple[str, ...]


@np.errstate(invalid="ignore")  # a class without rows has no kurtosis
def look_at_shapes(batch: Batch) -> Look:
    """The Jarque–Bera test of a batch's first rows: by skewness and kurtosis, which columns are far from Gaussian."""
    first = replace(batch.take(np.s_[:LOOKED_AT]), weights=None)
    tails = Tails.of(first)
    statistic = tails.weight / 6 * (tails.skewness**2 + (tails.kurtosis - 3.0) ** 2 / 4)
    is_far_in_class = (tails.weight >= 8) & ~(statistic < FAR_FROM_GAUSSIAN)
    is_far: AnyArray = np.asarray(np.vstack([is_far_in_class, np.isnan(first.numeric)]).any(axis=0))
    names = tuple(column.name for column, far in zip(batch.schema.numeric, is_far, strict=True) if far)
    return Look(batch.rows, names)


def of_common_columns(first: Shapes, second: Shapes) -> tuple[Shapes, Shapes]:
    """Both, of the columns that both have: large tables are measured where their rows did not look Gaussian."""
    both = tuple(name for name in first.columns if name in second.columns)
    return first.of_columns(both), second.of_columns(both)
