"""Reading a training table: it is opened with its target and weights, and has a schema once its rows were surveyed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from suffice.schema import Nominal, Schema
from suffice.sources.engines.raw_rows import RawRows
from suffice.sources.given_source import training_source
from suffice.sources.open import opened
from suffice.sources.reading import Reading, named_column, require_asked_for
from suffice.sources.rows import Rows
from suffice.sources.source import is_source
from suffice.sources.table import Table
from suffice.sources.targets.labelled import labelled
from suffice.sources.targets.labels import Labels
from suffice.sources.targets.many_classes import require_few_classes
from suffice.sources.training.survey import Survey, surveyed
from suffice.sources.training.training_schema import (
    declared_schema,
    require_training_schema,
    training_schema,
    warn_of_left_out,
    warn_of_rows_without_target,
    with_declared_classes,
)


def read_table(
    table: Any, target: Any, weights: Any = None, reading: Reading | None = None, classes: Any = None
) -> Rows:
    """Open a table with its target and find its schema, unless it is a source, which has one."""
    return open_table(table, target, weights, reading, classes).table()


def open_table(
    table: Any,
    target: Any,
    weights: Any = None,
    reading: Reading | None = None,
    classes: Any = None,
    is_part: bool = False,
    target_name: str = "",
) -> OpenedTable | Rows:
    """Open a table with its target; no row is read yet, but those that tell what a file is. A source is its rows.

    `classes` may name classes that no row has yet. A part of a larger table may have few rows of each class.
    `target_name` says what a target that is given beside the table is called.
    """
    reading = reading or Reading()
    if is_source(table):
        return training_source(table, target, weights, reading, classes)
    target = named_column(target, table)
    rows = opened(table, reading.missing_values)
    reading = reading.named(rows.names, target)
    engine, labels = labelled(rows, target, weights, reading)
    require_asked_for(reading, rows.names, target, weights, target_name or labels.target_name)
    beside = "" if isinstance(target, str) else target_name
    return OpenedTable(engine, SchemaRules(labels, reading, beside, classes, is_part))


@dataclass(frozen=True)
class OpenedTable:
    """Rows, and what is said of them; what the columns are is not known yet."""

    engine: RawRows
    rules: SchemaRules

    def table(self) -> Table:
        """The table under the schema that one scan finds, unless the types declare everything."""
        declared = declared_schema(self.engine, self.rules.labels, self.rules.reading)
        if declared is None:
            return self.surveyed(surveyed(self.engine, self.rules.labels, self.rules.as_levels))
        return self._under(*self.rules.checked(*declared))

    def surveyed(self, survey: Survey) -> Table:
        """The table under the schema that a survey of all rows found."""
        schema, count = self.rules.schema(survey, self.engine.names)
        warn_of_rows_without_target(survey, self.rules.labels)
        return self._under(schema, count)

    def _under(self, schema: Schema, count: int) -> Table:
        warn_of_left_out(schema)
        return Table(self.engine, self.rules.labels.as_written(schema.target), schema, rows=count)


@dataclass(frozen=True)
class SchemaRules:
    """What is said of rows, and makes a schema of what is found in them."""

    labels: Labels
    reading: Reading
    target_name: str
    classes: Any
    is_part: bool

    @property
    def as_levels(self) -> tuple[str, ...]:
        """Columns that are surveyed as levels, whatever their type."""
        return (*self.reading.nominal, *self.reading.levels_or_text)

    def schema(self, survey: Survey, names: tuple[str, ...]) -> tuple[Schema, int]:
        """The schema of rows with these columns that a survey found, and how many of them count."""
        return self.checked(*training_schema(survey, names, self.labels, self.reading))

    def checked(self, schema: Schema, count: int) -> tuple[Schema, int]:
        """A schema with the target as it is called, and all its classes; one that no model could learn is refused."""
        if self.target_name:
            schema = schema.with_target(replace(schema.target, name=self.target_name))
        if isinstance(schema.target, Nominal) and not self.is_part:
            require_few_classes(schema.target, count, self.reading.keep)
        schema = with_declared_classes(schema, self.classes)
        require_training_schema(schema)
        return schema, count
