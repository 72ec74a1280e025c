"""Bins and levels: what codes stand for, the intervals of numeric columns, the levels of nominal ones."""

from __future__ import annotations

from typing import NamedTuple

from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.counted.packing import Packing

MOST_INTERVALS = 255  # and the missing values: a byte
SAMPLE = 8192  # rows from which quantiles are taken


class Columns(NamedTuple):
    """What the codes of every column stand for; the codes of all columns are stacked."""

    offset: AnyArray  # (column + 1,) where each column's codes begin
    edges: Array  # (code,) the largest number of an interval; the last known one's is infinity
    is_mixed: AnyArray  # (code,) whether an interval holds values other than its edge
    levels: Codes  # (column,) 0 if numeric
    position: AnyArray  # (column,) among the numbers of a batch; -1 if nominal
    packed: Packing  # where the codes of a row stand
