"""Reading a table under a schema that is already known: to predict, to judge, to learn more rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from suffice.errors import Message, Setting, TableError, nearest
from suffice.schema import EVERY_RECORD, Column, ColumnProfile, Nominal, Numeric, Profile, Schema, Target, Text
from suffice.schema.disguise import COMMA
from suffice.schema.profile import TextColumns
from suffice.schema.spelling import spelled_as
from suffice.shown import quoted
from suffice.sources.given_source import known_source
from suffice.sources.open import opened
from suffice.sources.reading import Reading, lacking, named_column, require_columns
from suffice.sources.rows import Rows
from suffice.sources.source import is_source, no_rows
from suffice.sources.table import Table
from suffice.sources.targets.labelled import labelled
from suffice.sources.training.survey import Survey, surveyed
from suffice.sources.training.training_schema import found_schema, warn_of_rows_without_target


def read_as(
    schema: Schema,
    table: Any,
    target: Any = None,
    weights: Any = None,
    reading: Reading | None = None,
    names: tuple[str, ...] | None = None,
    adds: bool = False,
) -> Rows:
    """Open a table under a schema that is already known; `names` says what its columns are called, in order.

    A source has a schema of its own, and may have other levels and classes where it `adds` rows.
    """
    reading = reading or Reading()
    if is_source(table):
        read = known_source(table, schema, target, weights, adds).handing_on(reading.beside)
        if isinstance(read, Table):
            _require_columns(read)
        return read
    reading = replace(reading, numeric_target=isinstance(schema.target, Numeric))
    target = named_column(target)
    rows = opened(table, reading.missing_values, (*_read_as_text(schema, target), *reading.beside), names)
    engine, labels = labelled(rows, target, weights, reading)
    read = Table(engine, labels.as_written(schema.target), schema, beside=reading.beside)
    require_columns("column", reading.beside, read.names)
    _require_columns(read)
    return read


def _require_columns(read: Table) -> None:
    """A table has all columns of the schema, none of them as its target or weights."""
    present = {*read.names}
    absent = [name for name in read.schema.names if name not in present]
    for what, name in (("target", read.labels.target), ("weights", read.labels.weights)):
        if name in absent:
            raise TableError(f"Column {name!r} cannot be the {what}: the model reads it. Name another column.")
    if absent:
        others = [name for name in read.names if name not in read.schema.names]
        said = f"{lacking('The table', absent, 'the model reads')} It has {quoted(read.names)}."
        raise TableError(said + (_nameless(read.schema.names, absent, others) or _renamed(absent, others)))


def _nameless(names: Sequence[str], absent: Sequence[str], others: Sequence[str]) -> str:
    """A hint at what columns are called that had no names: those of an array, or of a file without a header.

    >>> _nameless(["x0", "x1"], ["x0", "x1"], ["width", "height"])
    ' The model was trained on columns without names, and calls them x0, x1, … in their order. Rename these.'
    """
    if len(absent) < len(names) or len(others) < len(names) or not all(re.fullmatch("x[0-9]+", name) for name in names):
        return ""
    return " The model was trained on columns without names, and calls them x0, x1, … in their order. Rename these."


def _renamed(absent: Sequence[str], others: Sequence[str]) -> str:
    """A hint at a column that may be one of those that are absent, by another name.

    >>> _renamed(["age", "size"], ["Age", "price"])
    " If 'Age' is 'age', rename it."
    """
    pairs = ((nearest(name, others), name) for name in absent)
    return next((f" If {other!r} is {name!r}, rename it." for other, name in pairs if other is not None), "")


# Whether the cells of a CSV file are numbers is judged anew in every file. Under a known schema the judgement is
# not the file's: levels that were text stay text, and so do numbers with a decimal comma, as 1.234 may look plain.
# Everything else the encoder matches: 1 and "1" are the same level.


def _read_as_text(schema: Schema, target: Any) -> tuple[str, ...]:
    """The columns whose levels are text, or numbers with a decimal comma."""
    nominal = {column.name: column for column in schema.nominal}
    if isinstance(target, str) and isinstance(schema.target, Nominal):
        nominal[target] = schema.target
    named = tuple(name for name, column in nominal.items() if column.has_text)
    numbers = [*schema.numeric, *([schema.target] if isinstance(schema.target, Numeric) else [])]
    commas = (column.name for column in numbers if column.decimal == COMMA)
    return (*named, *commas, *(column.name for column in schema.text))


def extended(table: Rows) -> Rows:
    """The same table under its schema united with the levels and classes its own rows bring; a source has its own."""
    if not isinstance(table, Table):
        return table
    known = table.schema
    engine = table.engine.only((*known.names, *table.labels.taken))
    survey = surveyed(engine, table.labels, [column.name for column in known.nominal])
    texts = TextColumns(named=[column.name for column in known.text])
    profile, target = _found(survey, table)
    warn_of_rows_without_target(survey, table.labels)
    for column in known.empty:
        if profile.columns[column.name].is_prose:
            raise _text_in_empty(column.name)
    found = profile.schema(target, known.names, known.names, texts)
    of_target = None if known.is_of_records else survey.target
    return table.with_schema(known.unite(_like(found, known, profile.columns, of_target)))


def _found(survey: Survey, table: Table) -> tuple[Profile, Target]:
    """What a survey found of the columns and of the target; records have none."""
    if table.schema.target != EVERY_RECORD:
        return found_schema(survey, table.labels)[:2]
    if survey.profile is None:
        raise no_rows()
    return survey.profile, EVERY_RECORD


def _text_in_empty(name: str) -> TableError:
    said = f"Column {name!r} had no value in the rows before, and here it holds text. Fit the first rows with "
    read, left_out = Setting("text", [name]), Setting("drop", [name])
    return TableError(Message(said, read, ", where the model reads text, or with ", left_out, "."))


def _like(
    found: Schema, known: Schema, profiles: Mapping[str, ColumnProfile], of_target: ColumnProfile | None
) -> Schema:
    """What was found, read as the known schema reads it: a numeric column stays numeric, a level keeps its spelling."""
    pairs = zip(known.columns, found.columns, strict=True)
    columns = tuple(_column_like(theirs, mine, profiles[mine.name]) for mine, theirs in pairs)
    target = replace(found.target, name=known.target.name)
    if isinstance(target, Nominal) and isinstance(known.target, Nominal) and of_target is not None:
        target = _levels_like(target, known.target, of_target)
    return replace(found, columns=columns, target=target)


def _column_like(found: Column, known: Column, profile: ColumnProfile) -> Column:
    if isinstance(known, Text):
        return known
    if isinstance(found, Numeric) and found.is_empty:
        return known
    if isinstance(known, Numeric):
        is_whole = known.is_whole and isinstance(found, Numeric) and found.is_whole
        return found if known.is_empty else replace(known, is_whole=is_whole)
    if isinstance(found, Nominal) and isinstance(known, Nominal):
        return _levels_like(found, known, profile)
    return found


def _levels_like(found: Nominal, known: Nominal, profile: ColumnProfile) -> Nominal:
    """Levels that the known column has are spelled as there; others as they are written, as text, where it has text."""
    written = profile.levels if known.has_text and not found.declared else None
    levels = spelled_as(found.levels if written is None else written, (*known.levels, *known.absent))
    if known.has_text:
        spelled = {*known.levels, *known.absent}
        levels = tuple(level if level in spelled else str(level) for level in levels)
    return replace(found, levels=tuple(dict.fromkeys(levels)))
