"""What is left of a schema when rows are taken out."""

from __future__ import annotations

from dataclasses import replace

from suffice.errors import ForgetError
from suffice.schema import Array, Column, Level, Nominal, Numeric, Schema
from suffice.statistics.joint_counts import JointCounts
from suffice.statistics.known_numbers import known_numbers
from suffice.statistics.statistic import Together


def remaining_schema(statistic: Together) -> Schema:
    """The schema without the classes and found levels that have no rows left; declared levels stay.

    A column of numbers in which no value is left is empty.
    """
    schema = statistic.schema
    weight = statistic.parts["classes"].weight
    classes = tuple(label for label, left in zip(schema.classes, weight, strict=True) if left > 0)
    if len(classes) < 2:
        raise ForgetError(
            "Without these rows fewer than two classes would be left. Fit a new model instead; this one is unchanged."
        )
    known = known_numbers(statistic)
    columns = (_remaining_column(column, statistic, known) for column in schema.columns)
    return schema.with_columns(columns).with_target(replace(schema.nominal_target, levels=classes))


def remaining_record_schema(counts: JointCounts) -> Schema:
    """The schema of records without the found levels of which none is left; declared levels stay."""
    schema = counts.schema
    columns = (
        _with_levels_of(column, counts.level_weights(column.name)) if isinstance(column, Nominal) else column
        for column in schema.columns
    )
    return schema.with_columns(columns)


def _remaining_column(column: Column, statistic: Together, known: frozenset[str]) -> Column:
    parts, schema = statistic.parts, statistic.schema
    if isinstance(column, Numeric):
        return column if column.name in known else Numeric(column.name, is_empty=True)
    counts = parts.get("counts")  # which a model of numbers alone need not have
    if counts is None or not isinstance(column, Nominal):
        return column
    return _with_levels_of(column, counts.column(schema.nominal_position[column.name]))


def _with_levels_of(column: Nominal, weights: Array) -> Nominal:
    """A column with the levels that have some weight, a row each; all of them if they are declared."""
    if column.declared:
        return column
    left: tuple[Level, ...] = tuple(level for level, row in zip(column.levels, weights, strict=True) if row.any())
    return replace(column, levels=left)
