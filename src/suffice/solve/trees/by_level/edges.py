"""Quantile sketch: edges of intervals from one pass, all values of a column that has few, else a sample's quantiles.

The sample is a bottom-k sketch: of the distinct rows those with the smallest keys, each with how often it occurs. Keys
depend on what is in a row only, so every partition, order and engine gives the same sample, and the same edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Array, Batch, Schema
from suffice.solve.trees.counted.coding import MOST_INTERVALS, SAMPLE
from suffice.solve.trees.training_rows import RowReading
from suffice.statistics.quantiles import ends_of_runs
from suffice.statistics.row_keys import row_keys

MOST_VALUES = 1024  # a column of more is cut at quantiles
PREFIX = 4096  # values that tell of most columns whether they are many


@dataclass(frozen=True)
class ValueSketch:
    """A quantile sketch: the values of every numeric column while they are few, and a sample of the rows."""

    values: tuple[Array | None, ...]  # (numeric column,) rising; None: too many
    keys: AnyArray  # (sampled row,) rising
    times: AnyArray  # (sampled row,) how often it occurs
    sample: Array  # (sampled row, numeric column)

    def merge(self, other: ValueSketch) -> ValueSketch:
        """All values; of both samples the rows with the smallest keys."""
        values = tuple(_united(mine, theirs) for mine, theirs in zip(self.values, other.values, strict=True))
        keys, times = np.concatenate([self.keys, other.keys]), np.concatenate([self.times, other.times])
        return ValueSketch(values, *_smallest(keys, times, np.concatenate([self.sample, other.sample])))

    def edges(self, schema: Schema) -> Edges:
        """The edges of every column's intervals."""
        found, is_exact = [], []
        for name in schema.names:
            position = schema.numeric_position.get(name)
            if position is None:
                found.append(np.empty(0))
                is_exact.append(True)
                continue
            values = self.values[position]
            inner = _quantiles(self.sample[:, position], self.times) if values is None else values
            found.append(np.append(inner, np.inf))
            is_exact.append(values is not None)
        return Edges(tuple(found), tuple(is_exact))


@dataclass(frozen=True)
class Edges:
    """Where the intervals of every column end."""

    edges: tuple[Array, ...]  # (column,) rising, the last infinite; of a nominal column nothing
    is_exact: tuple[bool, ...]  # (column,) whether they are all values the column has


@dataclass(frozen=True)
class MeasureValues:
    """Sketches the numeric columns."""

    reading: RowReading

    def of(self, batch: Batch) -> ValueSketch:
        """The sketch of one batch."""
        batch = self.reading.counting(batch).batch
        values = tuple(_united(np.empty(0), column) for column in batch.numeric.T)
        keys = row_keys(batch, seed=0, with_target=True)
        return ValueSketch(values, *_smallest(keys, np.ones(len(keys), dtype=np.int64), batch.numeric))


def _united(first: Array | None, second: Array | None) -> Array | None:
    """The values of both, unless they are many; not a number is none."""
    if first is None or second is None or _are_many(second[:PREFIX]):
        return None
    values = np.unique(np.concatenate([first, second]) + 0.0)  # where 0.0 and -0.0 are one
    return None if _are_many(values) else values[: len(values) - np.count_nonzero(np.isnan(values))]


def _are_many(values: Array) -> bool:
    known = np.unique(values)
    return len(known) - int(np.isnan(known[-1:]).sum()) > MOST_VALUES


def _smallest(keys: AnyArray, times: AnyArray, rows: Array) -> tuple[AnyArray, AnyArray, Array]:
    """The smallest distinct keys, how often each occurs, and their rows."""
    if len(keys) > 4 * SAMPLE:
        few = np.flatnonzero(keys <= np.partition(keys, 4 * SAMPLE)[4 * SAMPLE])
        if len(np.unique(keys[few])) > SAMPLE:  # equal rows might fill them
            keys, times, rows = keys[few], times[few], rows[few]
    distinct, first, place = np.unique(keys, return_index=True, return_inverse=True)
    together = np.bincount(place, times, len(distinct)).astype(np.int64)
    return distinct[:SAMPLE], together[:SAMPLE], rows[first[:SAMPLE]]


def _quantiles(sample: Array, times: AnyArray) -> Array:
    """At most 254 values of a sample that part its rows into about equal runs."""
    known = np.flatnonzero(~np.isnan(sample))
    if not len(known):
        return np.empty(0)
    order = known[np.argsort(sample[known], kind="stable")]
    return ends_of_runs(sample[order], np.cumsum(times[order]), MOST_INTERVALS)
