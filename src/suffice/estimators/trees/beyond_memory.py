"""Trees of tables that do not fit into memory: when that is so, and what is measured before they grow."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.errors import TableError
from suffice.estimators.trees.near_identifiers import schema_without_near_identifiers
from suffice.schema import Schema
from suffice.solve.trees.by_level.budget import Budget
from suffice.solve.trees.by_level.edges import Edges, MeasureValues
from suffice.solve.trees.close_values import varies_without_gap, warn_of_no_gap
from suffice.solve.trees.row_facts import MeasuredRows, MeasureRows
from suffice.solve.trees.training_rows import RowReading
from suffice.sources import Rows, Source
from suffice.statistics.level_weights import LevelWeights
from suffice.statistics.row_sample import RowCount
from suffice.statistics.statistic import MeasureTogether

MOST_LEVELS = 65_535
PASS_ROWS = 65_536  # of a batch in a pass: more would take memory, fewer would add up histograms more often


def fits(table: Rows, budget: Budget) -> bool:
    """Whether a tree can be grown from all rows in memory."""
    rows = table.rows
    return (table.measure(RowCount).rows if rows is None else rows) <= budget.rows_at_once(table.schema)


def without_columns_like_identifiers(table: Rows, keep: tuple[Any, ...] | None) -> Rows:
    """The table in slices for passes, without columns that a split in two could fit to anything (None: with them)."""
    _require_codes(table.schema)
    slices = table.in_slices(PASS_ROWS, by_column=True)
    if keep is None:
        return slices
    return slices.with_schema(schema_without_near_identifiers(slices.measure(LevelWeights), keep))


def _require_codes(schema: Schema) -> None:
    """Levels are counted by codes of two bytes, of which one means missing."""
    for column in schema.nominal:
        if len(column.levels) > MOST_LEVELS:
            raise TableError(
                f"Column {column.name!r} has {len(column.levels):,} levels; a tree that is grown in passes, because "
                f"its rows do not fit into memory, takes at most {MOST_LEVELS:,}. Leave the column out, group its "
                "levels, or give more memory."
            )


def facts_and_edges(table: Source, reading: RowReading) -> tuple[MeasuredRows, Edges]:
    """What growing asks of all rows, and the edges of every column's intervals: one pass."""
    both = table.measure(MeasureTogether({"rows": MeasureRows(reading), "values": MeasureValues(reading)}))
    return both.parts["rows"], both.parts["values"].edges(table.schema)


def warn_of_close_edges(edges: Edges, schema: Schema) -> None:
    """Name the numeric columns whose edges are nowhere apart by the gap that a cut by gain ratio needs."""
    for column, known in zip(schema.columns, edges.edges, strict=True):
        if varies_without_gap(known[np.isfinite(known)]):
            warn_of_no_gap(column.name)
