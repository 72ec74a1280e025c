"""Where rows come from: arrays, data frames, files, DuckDB relations."""

from suffice.sources.open import open_reader
from suffice.sources.read import Reading, column_names, dropped_columns, extended, read_as, read_table, spellings
from suffice.sources.table import Source, Table
from suffice.sources.task import suggested_task
from suffice.sources.whole import whole_batch

__all__ = [
    "Reading",
    "Source",
    "Table",
    "column_names",
    "dropped_columns",
    "extended",
    "open_reader",
    "read_as",
    "read_table",
    "spellings",
    "suggested_task",
    "whole_batch",
]
