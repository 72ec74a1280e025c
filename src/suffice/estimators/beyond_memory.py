"""Trees of tables that do not fit into memory: when that is so, and what is measured before they grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from suffice.errors import TableError
from suffice.estimators.close_values import varies_without_gap, warn_of_no_gap
from suffice.estimators.near_identifiers import LevelWeights, narrowed, schema_without_near_identifiers
from suffice.schema import Batch, Schema
from suffice.solve.trees.by_level.budget import Budget
from suffice.solve.trees.by_level.edges import Edges, MeasureValues
from suffice.solve.trees.row_facts import MeasuredRows, MeasureRows
from suffice.solve.trees.training_rows import RowReading
from suffice.sources import Source, Table
from suffice.sources.local import in_chunks
from suffice.sources.source import row_count
from suffice.statistics.row_sample import RowCount
from suffice.statistics.statistic import M, Measurement, MeasureTogether

R = TypeVar("R")

MOST_LEVELS = 65_535
PASS_ROWS = 65_536  # of a batch in a pass: more would take memory, fewer would add up histograms more often


def fits(table: Source, budget: Budget) -> bool:
    """Whether a tree can be grown from all rows in memory."""
    rows = row_count(table)
    return (table.measure(RowCount).rows if rows is None else rows) <= budget.rows_at_once(table.schema)


def without_columns_like_identifiers(table: Source, keep: tuple[Any, ...] | None) -> Source:
    """The table in slices for passes, without columns that a split in two could fit to anything (None: with them)."""
    _require_codes(table.schema)
    if isinstance(table, Table):
        table = replace(table, engine=in_chunks(table.engine, PASS_ROWS), by_column=True)
    if keep is None:
        return table
    schema = schema_without_near_identifiers(table.measure(LevelWeights), keep)
    if schema == table.schema:
        return table
    return table.with_schema(schema) if isinstance(table, Table) else Narrowed(table, schema)


def _require_codes(schema: Schema) -> None:
    """Levels are counted by codes of two bytes, of which one means missing."""
    for column in schema.nominal:
        if len(column.levels) > MOST_LEVELS:
            raise TableError(
                f"Column {column.name!r} has {len(column.levels):,} levels; a tree that is grown in passes, because "
                f"its rows do not fit into memory, takes at most {MOST_LEVELS:,}. Leave the column out, group its "
                "levels, or give more memory."
            )


def measured(table: Source, reading: RowReading) -> tuple[MeasuredRows, Edges]:
    """What growing asks of all rows, and the edges of every column's intervals: one pass."""
    both = table.measure(MeasureTogether({"rows": MeasureRows(reading), "values": MeasureValues(reading)}))
    return both.parts["rows"], both.parts["values"].edges(table.schema)


def warn_of_close_edges(edges: Edges, schema: Schema) -> None:
    """Name the numeric columns whose edges are nowhere apart by the gap that a cut by gain ratio needs."""
    for column, known in zip(schema.columns, edges.edges, strict=True):
        if varies_without_gap(known[np.isfinite(known)]):
            warn_of_no_gap(column.name)


# A source of fewer columns ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Narrowed:
    """A source without some of its nominal columns."""

    source: Source
    schema: Schema

    def measure(self, measurement: Measurement[M]) -> M:
        """One pass over narrower batches."""
        return self.source.measure(_OfNarrowed(self.schema, measurement.of))

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every narrower batch."""
        return self.source.map(_OfNarrowed(self.schema, work).of)


@dataclass(frozen=True)
class _OfNarrowed(Generic[R]):
    schema: Schema
    work: Callable[[Batch], R]

    def of(self, batch: Batch) -> R:
        """The work of a batch without some of its columns."""
        return self.work(narrowed(batch, self.schema))
