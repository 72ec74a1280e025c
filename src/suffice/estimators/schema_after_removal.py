"""What is left of a schema when rows are taken out."""

from __future__ import annotations

from suffice.errors import ForgetError
from suffice.schema import Array, Level, Nominal, Schema
from suffice.statistics.statistic import Together


def remaining_schema(statistic: Together) -> Schema:
    """The schema without the classes and found levels that have no rows left; declared levels stay."""
    schema = statistic.schema
    weight = statistic.parts["classes"].weight
    counts = statistic.parts.get("counts")  # which a model of numbers alone need not have
    classes = tuple(label for label, left in zip(schema.classes, weight, strict=True) if left > 0)
    if len(classes) < 2:
        raise ForgetError(
            "Without these rows fewer than two classes would be left. Fit a new model instead; this one is unchanged."
        )
    columns = []
    for column in schema.columns:
        if counts is not None and isinstance(column, Nominal) and not column.declared:
            table = counts.column(schema.nominal_position[column.name])
            column = Nominal(column.name, _left(column.levels, table))
        columns.append(column)
    return schema.with_columns(columns).with_target(Nominal(schema.target.name, classes))


def _left(levels: tuple[Level, ...], table: Array) -> tuple[Level, ...]:
    return tuple(level for level, row in zip(levels, table, strict=True) if row.any())
