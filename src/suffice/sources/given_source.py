"""Sources of anybody's as tables: rows that have a schema already are trained on, scored and predicted under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from suffice.errors import SettingError, TableError
from suffice.schema import EVERY_RECORD, Batch, Numeric, Schema
from suffice.shown import quoted
from suffice.sources.reading import SETTINGS, Reading
from suffice.sources.rows import Rows
from suffice.sources.source import R, Source
from suffice.sources.table import Table
from suffice.sources.training.training_schema import require_training_schema, with_declared_classes
from suffice.statistics.statistic import M, Measurement


@dataclass(frozen=True)
class GivenSource(Rows):
    """Rows of a source that is not ours."""

    source: Source

    @property
    def schema(self) -> Schema:
        """What the columns and the target are."""
        return self.source.schema

    def measure(self, measurement: Measurement[M]) -> M:
        """One pass."""
        return self.source.measure(measurement)

    def map(self, work: Callable[[Batch], R]) -> Iterator[R]:
        """A function of every batch."""
        return self.source.map(work)

    def has_the_rows_of(self, other: Rows) -> bool:
        """Whether another has the same source."""
        return isinstance(other, GivenSource) and self.source is other.source


def as_rows(source: Source) -> Rows:
    """A source that anybody may have written, with all that is asked of it here."""
    return source if isinstance(source, Rows) else GivenSource(source)


def training_source(source: Source, y: Any, sample_weight: Any, reading: Reading, classes: Any) -> Rows:
    """A source to train on: its schema, target and weights are taken as they are; `classes` may name further ones."""
    _require_own(source, y, sample_weight)
    _require_read(source, reading)
    schema = source.schema
    if reading.numeric_target != isinstance(schema.target, Numeric):
        has, wants = ("numbers", "classes") if isinstance(schema.target, Numeric) else ("classes", "numbers")
        raise TableError(f"The target {schema.target.name!r} of the source is {has}; this model learns {wants}.")
    schema = with_declared_classes(schema, classes)
    require_training_schema(schema)
    return as_rows(source).with_schema(schema)


def source_of_records(source: Source, sample_weight: Any, reading: Reading) -> Rows:
    """A source as records: what it names as its target is none of their columns."""
    _require_own(source, None, sample_weight)
    _require_read(source, reading)
    return as_rows(source).with_schema(Schema(source.schema.columns, EVERY_RECORD))


def _require_read(source: Source, reading: Reading) -> None:
    """A source's columns are read as its schema says, and a model must be able to do so."""
    given = [name for name in SETTINGS if getattr(reading, name) or (name == "nominal" and reading.all_nominal)]
    if given:
        raise SettingError(
            f"{' and '.join(given)} would say how columns are read, but the source has a schema already. Read the "
            "table so when the source is made, or fit on the table itself."
        )
    text = source.schema.text
    if text and not reading.reads_text:
        named = quoted(column.name for column in text)
        raise TableError(f"The source has columns of text ({named}), which this model does not read. Leave them out.")


def known_source(source: Source, schema: Schema, y: Any, sample_weight: Any, adds: bool) -> Rows:
    """A source to answer for, under a model's schema; rows to add may have other levels and classes."""
    _require_own(source, y, sample_weight)
    if isinstance(source, Table):
        return source.with_schema(schema)
    own = Schema(source.schema.columns, EVERY_RECORD) if schema.is_of_records else source.schema
    if adds:
        schema.unite(own)  # an error where the two cannot be learned from together
        return as_rows(source).with_schema(own)
    columns = {column.name: column for column in own.columns}
    read = own.with_columns(columns[name] for name in schema.names if name in columns)
    if not read.has_columns_of(schema):
        raise TableError(
            "The columns of the source are not those the model was trained on, with the same levels. Give the table "
            "itself, which is then read as the model reads it."
        )
    return as_rows(source).with_schema(read)


def _require_own(source: Source, y: Any, sample_weight: Any) -> None:
    own = source.schema.target.name
    if y is not None and y != own:
        given = repr(y) if isinstance(y, str) else f"an object of type {type(y).__name__}"
        raise TableError(f"The target of the source is its column {own!r}; y must be that name, not {given}.")
    if sample_weight is not None:
        raise TableError("A source has its weights already. Name the column of weights when the source is made.")
