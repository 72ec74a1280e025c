"""The target as an array: labels become codes of sorted classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Coded, Codes, Level, RawColumn, Values
from suffice.schema.chunk import coded_numbers
from suffice.schema.columns import sorted_levels
from suffice.sources.array import object_column
from suffice.statistics.compiled import compiled

SMALL_RANGE = 65_536


@compiled
def mark_present(labels: AnyArray, low: int, is_present: AnyArray) -> None:
    """Which labels occur, counted from the lowest."""
    for i in range(labels.shape[0]):
        is_present[labels[i] - low] = True


@compiled
def look_up(labels: AnyArray, low: int, table: Codes, codes: Codes) -> None:
    """codes_i = table[label_i − low]."""
    for i in range(labels.shape[0]):
        codes[i] = table[labels[i] - low]


def coded_target(labels: Any) -> Coded:
    """Labels as codes of their sorted classes.

    >>> coded_target(["Yes", "No", "Yes"])
    Coded(codes=array([1, 0, 1], dtype=int32), levels=('No', 'Yes'), declared=False, had_missing_spelling=False)
    """
    array = np.asarray(labels)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise TableError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    if array.dtype.kind in "iu" and array.size:
        low, high = int(array.min()), int(array.max())
        if high - low < SMALL_RANGE:
            return _small_integers(array, low, high)
    return sorted_classes(object_column(array, "y"))


def sorted_classes(column: RawColumn) -> Coded:
    """A raw column as codes of its sorted levels; fractions are no classes."""
    coded = coded_numbers(column) if isinstance(column, Values) else column
    if any(isinstance(level, float) and not level.is_integer() for level in coded.levels):
        raise TableError(
            "Unknown label type: the target has fractions, so it looks continuous. A classifier needs classes: "
            "cut it into intervals first, or choose another target."
        )
    used = np.unique(coded.codes[coded.codes >= 0])
    present = sorted_levels(coded.levels[code] for code in used)
    where: dict[Level, int] = {level: code for code, level in enumerate(present)}
    table = np.array([where.get(level, -1) for level in coded.levels] + [-1], dtype=np.int32)
    return Coded(table[coded.codes], present)


def _small_integers(labels: AnyArray, low: int, high: int) -> Coded:
    is_present = np.zeros(high - low + 1, dtype=np.bool_)
    mark_present(labels, low, is_present)
    table = (np.cumsum(is_present) - 1).astype(np.int32)
    codes = np.empty(len(labels), dtype=np.int32)
    look_up(labels, low, table, codes)
    return Coded(codes, tuple((np.flatnonzero(is_present) + low).tolist()))
