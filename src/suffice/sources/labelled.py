"""Rows with their target and weights: columns of the table, or arrays beside it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.schema import Level, RawColumn
from suffice.sources.elsewhere import engine_of, require_named
from suffice.sources.labels import Labels, require_weights
from suffice.sources.local import Local
from suffice.sources.open import open_reader
from suffice.sources.reader import CHUNK_ROWS, Renamed
from suffice.sources.readers.array import ArrayReader
from suffice.sources.reading import Reading, require_columns
from suffice.sources.source import Engine
from suffice.sources.target import coded_target, numeric_target

ARRAY_ROWS = 2 * CHUNK_ROWS  # slices of an array cost no memory, and fewer of them less time


def opened(
    table: Any, missing_values: Collection[Level] = (), text: Collection[str] = (), names: tuple[str, ...] | None = None
) -> Engine:
    """The engine that has a table's rows: itself if it is one, else this machine's; `names` renames the columns."""
    engine = engine_of(table)
    if engine is not None:
        return engine
    opened = reader = open_reader(table, missing_values, text)
    if names is not None and reader.names != names:
        reader = Renamed(reader, names)
    chunk_rows = ARRAY_ROWS if isinstance(opened, ArrayReader) else CHUNK_ROWS
    kind, is_text = getattr(opened, "frame_kind", "pyarrow"), getattr(opened, "is_text", False)
    return Local(reader, reader.names, kind, chunk_rows, is_text, getattr(opened, "rows", None))


def labelled(rows: Engine, target: Any, weights: Any, reading: Reading) -> tuple[Engine, Labels]:
    """Target and weights: columns are taken from every chunk, arrays stand beside the rows of this machine."""
    labels = Labels(
        target if isinstance(target, str) else None,
        weights if isinstance(weights, str) else None,
        reading.missing_values,
        reading.numeric_target,
        reading.drop,
    )
    require_columns("target", [target], rows.names)
    require_columns("column of weights", [weights], rows.names)
    if target is not None and labels.target is None:
        target = numeric_target(target) if reading.numeric_target else coded_target(target)
    return with_arrays(rows, None if labels.target else target, None if labels.weights else weights), labels


def with_arrays(rows: Engine, target: RawColumn | None, weights: Any) -> Engine:
    """The same rows with a target and weights beside them, where they are given."""
    if not isinstance(rows, Local):
        require_named(target, weights)
        return rows
    if weights is not None:
        weights = np.asarray(weights)
        weights = require_weights(np.full(rows.rows, weights) if weights.ndim == 0 and rows.rows else weights)
    return replace(rows, target=target, weights=weights)
