"""Shapes of numeric columns: a histogram of each within each class, and which look Gaussian at a glance."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Alignment, AnyArray, Array, Batch, Schema
from suffice.soundness import require_a
from suffice.statistics.chosen_columns import require_numeric_columns, require_same_columns
from suffice.statistics.histograms import Histograms
from suffice.statistics.moments.higher_moments import Tails

MOST_NUMBERS = 1 << 20  # 8 MB of numbers of some columns, that are tallied at once
LOOKED_AT = 2_048  # rows that tell whether a column of a large table looks Gaussian
FAR_FROM_GAUSSIAN = 30.0  # of Jarque and Bera's statistic, which is about 2 of Gaussian values


@dataclass(frozen=True, slots=True)
class Shapes:
    """Histograms per class of some numeric columns; a group is place of the column · classes + class."""

    schema: Schema
    columns: tuple[str, ...]
    histograms: Histograms

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_numeric_columns(self.columns, self.schema)
        require_a("histograms", self.histograms, Histograms)
        if len(self.histograms.ends) != len(self.columns) * self.schema.class_count:
            raise ValueError("there is not one histogram for every column and class")

    def merge(self, other: Shapes) -> Shapes:
        """Add cell by cell."""
        require_same_columns(self.columns, other.columns, "binned or Gaussian")
        return replace(self, histograms=self.histograms.merge(other.histograms))

    def without(self, other: Shapes) -> Shapes:
        """Subtract cell by cell, exactly."""
        require_same_columns(self.columns, other.columns, "binned or Gaussian")
        return replace(self, histograms=self.histograms.without(other.histograms))

    def weighed(self, factors: Array) -> Shapes:
        """The same rows, those of each class counting for as much as its factor says."""
        return replace(self, histograms=self.histograms.weighed(np.tile(factors, len(self.columns))))

    def align(self, alignment: Alignment) -> Shapes:
        """Pick the classes of another schema, and the columns that are numbers there."""
        places = self._places(tuple(alignment.schema.numeric_position))
        classes = alignment.classes.astype(np.int64)
        groups = np.where(classes < 0, -1, places[:, None] * self.schema.class_count + classes)
        columns = tuple(self.columns[place] for place in places)
        return Shapes(alignment.schema, columns, self.histograms.picked(groups.ravel()))

    def of_columns(self, names: tuple[str, ...]) -> Shapes:
        """Those of some columns, in their order here."""
        places = self._places(names)
        return replace(
            self, columns=tuple(self.columns[place] for place in places), histograms=self.histograms_of(places)
        )

    def histograms_of(self, places: AnyArray) -> Histograms:
        """The histograms of the columns at some places."""
        classes = self.schema.class_count
        return self.histograms.picked((places[:, None] * classes + np.arange(classes)).ravel())

    def _places(self, names: tuple[str, ...]) -> AnyArray:
        wanted = set(names)
        return np.array([place for place, name in enumerate(self.columns) if name in wanted], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class MeasureShapes:
    """Measures the histograms of the named columns."""

    columns: tuple[str, ...]

    def of(self, batch: Batch) -> Shapes:
        """Weigh the values of a batch."""
        if not self.columns:
            return Shapes(batch.schema, (), Histograms.side_by_side([]))
        classes, count = batch.class_codes(), batch.schema.class_count
        rows = np.argsort(classes.astype(np.int16) if count < 1 << 15 else classes, kind="stable")
        ends = np.cumsum(np.bincount(classes, minlength=count))
        weights = np.empty(0) if batch.weights is None else batch.weights[rows]
        columns = np.array([batch.schema.numeric_position[name] for name in self.columns], dtype=np.int64)
        at_once = max(1, MOST_NUMBERS // max(batch.rows, 1))
        together = [columns[start : start + at_once] for start in range(0, len(columns), at_once)]
        parts = [Histograms.of(_by_column(batch.numeric, some, rows), ends, weights) for some in together]
        return Shapes(batch.schema, self.columns, Histograms.side_by_side(parts))


def _by_column(numbers: Array, columns: AnyArray, rows: AnyArray) -> Array:
    """Some columns of a table (row, column), one after the other, their rows in a given order."""
    return np.ascontiguousarray(numbers[:, columns].take(rows, axis=0).T)


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
