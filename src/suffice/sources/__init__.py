"""Where rows come from: arrays, data frames, files, DuckDB relations."""

from suffice.sources.keeping.kept import gathered
from suffice.sources.known_schema import extended, read_as
from suffice.sources.open import open_reader
from suffice.sources.reading import Reading, column_names, spellings
from suffice.sources.rows import Rows
from suffice.sources.source import Engine, Source
from suffice.sources.table import Table
from suffice.sources.targets.task import suggested_task
from suffice.sources.training.training_schema import dropped_columns
from suffice.sources.training.training_table import read_table

__all__ = [
    "Engine",
    "Reading",
    "Rows",
    "Source",
    "Table",
    "column_names",
    "dropped_columns",
    "extended",
    "gathered",
    "open_reader",
    "read_as",
    "read_table",
    "spellings",
    "suggested_task",
]
