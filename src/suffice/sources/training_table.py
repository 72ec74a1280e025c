"""Reading a training table: its rows with their target and weights, under the schema that is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from suffice.schema import Nominal
from suffice.schema.columns import united_levels
from suffice.sources.labelled import labelled
from suffice.sources.local import Local
from suffice.sources.many_classes import require_few_classes
from suffice.sources.open import opened
from suffice.sources.reading import Reading, named_column, require_asked_for
from suffice.sources.table import Table
from suffice.sources.target import coded_target
from suffice.sources.training_schema import require_training_schema, training_schema, warn_of_left_out


def read_table(
    table: Any,
    target: Any,
    weights: Any = None,
    reading: Reading | None = None,
    classes: Any = None,
    is_part: bool = False,
    target_name: str = "",
) -> Table:
    """Open a table with its target and find its schema; one scan, unless the types declare everything.

    `classes` may name classes that no row has yet. A part of a larger table may have few rows of each class.
    `target_name` says what a target that is given beside the table is called.
    """
    reading = reading or Reading()
    target = named_column(target)
    rows = opened(table, reading.missing_values)
    reading = reading.named(rows.names, target)
    engine, labels = labelled(rows, target, weights, reading)
    require_asked_for(reading, rows.names, target, weights, target_name or labels.target_name)
    engine = engine.without(reading.drop) if isinstance(engine, Local) else engine
    schema, count = training_schema(engine, labels, reading)
    labels = labels.as_written(schema.target)
    if target_name and not isinstance(target, str):
        schema = schema.with_target(replace(schema.target, name=target_name))
    if isinstance(schema.target, Nominal) and not is_part:
        require_few_classes(schema.target, count, reading.keep)
    if classes is not None:
        declared = Nominal(schema.target.name, coded_target(classes).levels)
        schema = schema.with_target(united_levels(schema.nominal_target, declared))
    require_training_schema(schema)
    warn_of_left_out(schema)
    return Table(engine, labels, schema, rows=count)
