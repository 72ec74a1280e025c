"""Records: a table without a target, as density estimation reads it; all columns are alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from suffice.errors import Message, Setting, TableError
from suffice.schema import EVERY_RECORD, Schema
from suffice.sources.given_source import source_of_records
from suffice.sources.open import opened
from suffice.sources.reading import Reading, require_asked_for, require_columns
from suffice.sources.rows import Rows
from suffice.sources.source import is_source, no_rows
from suffice.sources.table import Table
from suffice.sources.targets.labelled import with_arrays
from suffice.sources.targets.labels import Labels
from suffice.sources.training.survey import surveyed
from suffice.sources.training.training_schema import as_left_out, warn_of_left_out


def read_records(table: Any, weights: Any, reading: Reading, only_numbers: bool = False) -> Rows:
    """Open a table without a target and find its schema; where only numbers are wanted, nothing is said of the rest."""
    if is_source(table):
        return source_of_records(table, weights, replace(reading, reads_text=only_numbers))
    rows = opened(table, reading.missing_values)
    reading = reading.named(rows.names)
    require_columns("column of weights", [weights], rows.names)
    require_asked_for(reading, rows.names, weights=weights)
    labels = Labels(None, weights if isinstance(weights, str) else None, reading.missing_values, dropped=reading.drop)
    engine = with_arrays(rows, None, None if labels.weights else weights)
    profile = surveyed(engine, labels, reading.nominal, passes_over=only_numbers).profile
    if profile is None:
        raise no_rows()
    names = tuple(name for name in labels.used(engine.names) if name in profile.columns)
    schema = profile.schema(EVERY_RECORD, names, reading.keep)
    schema = replace(schema, left_out=(*as_left_out(reading.drop), *schema.left_out))
    if not only_numbers:
        _require_columns_to_count(schema)
        warn_of_left_out(schema)
    return Table(engine, labels, schema)


def _require_columns_to_count(schema: Schema) -> None:
    if not schema.columns:
        use = Message("Name columns in ", Setting("keep"), " to use them although they look like ids.")
        raise TableError(Message("No column is left to count. ", use))
