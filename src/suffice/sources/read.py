"""Reading a table: its rows with their target and weights, under a schema that is found or already known."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.errors import Message, NoColumnError, Setting, TableError, did_you_mean, warn_user
from suffice.schema import Column, LeftOut, Level, Nominal, Numeric, Profile, RawColumn, Schema, Target, Text, Values
from suffice.schema.columns import united_levels
from suffice.schema.disguise import COMMA
from suffice.schema.disguise_notes import target_note
from suffice.schema.profile import READS_NO_TEXT, TextColumns, target_column, target_notes
from suffice.schema.spelling import Content, content_of_numbers, same_level
from suffice.sources.labels import Beside, Labels, require_weights
from suffice.sources.local import Local
from suffice.sources.many_classes import require_few_classes
from suffice.sources.open import open_reader
from suffice.sources.reader import CHUNK_ROWS, Renamed
from suffice.sources.readers.array import ArrayReader, plain_cell
from suffice.sources.source import Engine, Source, is_engine
from suffice.sources.survey import Survey, surveyed
from suffice.sources.table import Table
from suffice.sources.target import coded_target, numeric_target, require_no_fractions, written_differently

DROPPED = "was dropped, as asked"
ARRAY_ROWS = 2 * CHUNK_ROWS  # slices of an array cost no memory, and fewer of them less time


@dataclass(frozen=True)
class Reading:
    """How the columns of a table are to be read: the settings every estimator has, and whether it predicts numbers."""

    nominal: tuple[Any, ...] = ()
    missing_values: tuple[Level, ...] = ()
    keep: tuple[Any, ...] = ()
    all_nominal: bool = False
    numeric_target: bool = False
    reads_text: bool = False
    text: tuple[Any, ...] = ()  # columns to read as text, whatever they look like
    levels_or_text: tuple[Any, ...] = ()  # columns to read as levels, unless they look like text
    drop: tuple[Any, ...] = ()  # columns to leave out
    beside: tuple[str, ...] = ()  # columns to hand on as they are spelled

    @property
    def spellings(self) -> tuple[Level, ...]:
        """The further spellings of missing, without those that are missing everywhere anyway."""
        return tuple(value for value in self.missing_values if plain_cell(value) is not None)


def spellings(values: Any) -> tuple[Level, ...]:
    """Spellings of missing; a single one need not stand in a list."""
    return (values,) if isinstance(values, (str, int, float)) else tuple(values or ())


def column_names(columns: Any) -> tuple[Any, ...]:
    """Names of columns; a single one need not stand in a list."""
    return (columns,) if isinstance(columns, str) else tuple(columns or ())


def column_name(column: Any, names: Collection[str]) -> str:
    """A column as it is called; a number may be the name of a frame's column, or count an array's x0, x1, …

    >>> column_name(1, ("x0", "x1")), column_name(1, ("0", "1"))
    ('x1', '1')
    """
    name = str(column)
    return f"x{name}" if isinstance(column, (int, np.integer)) and name not in names else name


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
    if isinstance(target, (int, np.integer)):
        target = str(target)  # a frame's columns may be called by numbers
    rows = opened(table, reading.spellings)
    reading = _named(reading, rows.names, target)
    require_droppable(reading, rows.names, target, weights)
    engine, labels = _labelled(rows, target, weights, reading, target_name)
    schema, count = _schema(engine, labels, reading)
    labels = _writing(labels, schema)
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


def opened(
    table: Any, missing_values: Collection[Level] = (), text: Collection[str] = (), names: tuple[str, ...] | None = None
) -> Engine:
    """The engine that has a table's rows: itself if it is one, else this machine's; `names` renames the columns."""
    if is_engine(table):
        return table
    opened = reader = open_reader(table, missing_values, text)
    if names is not None and reader.names != names:
        reader = Renamed(reader, names)
    chunk_rows = ARRAY_ROWS if isinstance(opened, ArrayReader) else CHUNK_ROWS
    kind, is_text = getattr(opened, "frame_kind", "pyarrow"), getattr(opened, "is_text", False)
    return Local(reader, kind, chunk_rows, is_text, getattr(opened, "rows", None))


def _named(reading: Reading, names: tuple[str, ...], target: Any) -> Reading:
    """The same reading, its columns as the table calls them."""
    reading = replace(
        reading,
        nominal=tuple(column_name(column, names) for column in reading.nominal),
        keep=tuple(column_name(column, names) for column in reading.keep),
        text=tuple(column_name(column, names) for column in reading.text),
        levels_or_text=tuple(column_name(column, names) for column in reading.levels_or_text),
        drop=tuple(column_name(column, names) for column in reading.drop),
    )
    if not reading.all_nominal:
        return reading
    every = tuple(name for name in names if not (isinstance(target, str) and name == target))
    return replace(reading, nominal=every, levels_or_text=every)


def read_as(
    schema: Schema,
    table: Any,
    target: Any = None,
    weights: Any = None,
    reading: Reading | None = None,
    names: tuple[str, ...] | None = None,
) -> Table:
    """Open a table under a schema that is already known; `names` says what its columns are called, in order."""
    reading = replace(reading or Reading(), numeric_target=isinstance(schema.target, Numeric))
    if isinstance(target, (int, np.integer)):
        target = str(target)
    rows = opened(table, reading.spellings, (*_read_as_text(schema, target), *reading.beside), names)
    engine, labels = _labelled(rows, target, weights, reading)
    read = Table(engine, _writing(labels, schema), schema, beside=reading.beside)
    require_columns("column", reading.beside, read.names)
    present = {*read.names}
    absent = [name for name in schema.names if name not in present]
    if absent:
        raise TableError(
            f"The table lacks the column{'s' if len(absent) > 1 else ''} {_listed(absent)}, which the model reads. "
            f"It has {_listed(read.names)}."
        )
    return read


def extended(table: Source) -> Source:
    """The same table under its schema united with the levels and classes its own rows bring; a source has its own."""
    if not isinstance(table, Table):
        return table
    known = table.schema
    survey = surveyed(table.engine, table.labels, [column.name for column in known.nominal])
    texts = TextColumns(named=[column.name for column in known.text])
    profile, target, _ = _found(survey, table.engine, table.labels)
    return table.with_schema(known.unite(_like(profile.schema(target, known.names, known.names, texts), known)))


# Whether the cells of a CSV file are numbers is judged anew in every file. Under a known schema the judgement is
# not the file's: levels that were text stay text, and so do numbers with a decimal comma, as 1.234 may look plain.
# Everything else the encoder matches: 1 and "1" are the same level.


def _read_as_text(schema: Schema, target: Any) -> tuple[str, ...]:
    """The columns whose levels are text, or numbers with a decimal comma."""
    levels = {column.name: column.levels for column in schema.nominal}
    if isinstance(target, str):
        levels[target] = schema.classes
    named = tuple(name for name in levels if any(isinstance(level, str) for level in levels[name]))
    numbers = [*schema.numeric, *([schema.target] if isinstance(schema.target, Numeric) else [])]
    commas = (column.name for column in numbers if column.decimal == COMMA)
    return (*named, *commas, *(column.name for column in schema.text))


# Who the columns are ------------------------------------------------------------------------------------------------


def _labelled(
    rows: Engine, target: Any, weights: Any, reading: Reading, target_name: str = ""
) -> tuple[Engine, Labels]:
    """Target and weights: columns are taken from every chunk, arrays stand beside the rows of this machine."""
    require_columns("target", [target], rows.names)
    require_columns("column of weights", [weights], rows.names)
    require_columns(named_in("nominal"), reading.nominal, rows.names)
    require_columns(named_in("text"), reading.text, rows.names)
    beside = () if isinstance(target, str) else (target_name or _beside_name(reading.numeric_target),)
    require_columns(named_in("keep"), reading.keep, (*rows.names, *beside))
    named = Labels(
        target if isinstance(target, str) else None,
        weights if isinstance(weights, str) else None,
        reading.spellings,
        reading.numeric_target,
        reading.drop,
    )
    if target is not None and named.target is None:
        target = numeric_target(target) if reading.numeric_target else coded_target(target)
    return with_arrays(rows, None if named.target else target, None if named.weights else weights), named


def with_arrays(rows: Engine, target: RawColumn | None, weights: Any) -> Engine:
    """The same rows with a target and weights beside them, where they are given."""
    if not isinstance(rows, Local):
        for what, given in (("target", target), ("sample_weight", weights)):
            if given is not None:
                raise TableError(
                    f"The rows are not on this machine, so the {what} cannot be an array beside them. Put it into the "
                    "table, and give the name of its column."
                )
        return rows
    if weights is not None:
        weights = np.asarray(weights)
        weights = require_weights(np.full(rows.rows, weights) if weights.ndim == 0 and rows.rows else weights)
    return replace(rows, reader=Beside(rows.reader, target, weights))


def require_droppable(reading: Reading, names: tuple[str, ...], target: Any = None, weights: Any = None) -> None:
    """Columns that are dropped must be there, and needed for nothing else."""
    require_columns(named_in("drop"), reading.drop, names)
    for what, name in (("target", target), ("column of weights", weights)):
        if isinstance(name, str) and name in reading.drop:
            said = f"{name!r} is the {what} and cannot be dropped. Take it out of "
            raise TableError(Message(said, Setting("drop"), ", or name another."))
    both = [name for name in reading.drop if name in (*reading.keep, *reading.text)]
    if both:
        other = Setting("keep" if both[0] in reading.keep else "text")
        said = f"Column {both[0]!r} is named in "
        raise TableError(Message(said, Setting("drop"), " and in ", other, ". Take it out of one of them."))


def named_in(setting: str) -> Message:
    """A column, and the setting that names it."""
    return Message("column (named in ", Setting(setting), ")")


def require_columns(what: str, wanted: Iterable[Any], names: tuple[str, ...]) -> None:
    """Every column that is given by its name must be in the table."""
    for name in wanted:
        if isinstance(name, str) and name not in names:
            hint = did_you_mean(name, names)
            rest = f" {name!r} in the table.{hint} Its columns are {_listed(names)}."
            raise TableError(Message("There is no ", what, rest))


def _listed(names: Collection[str]) -> str:
    listed = ", ".join(map(repr, list(names)[:20]))
    return f"{listed}, … ({len(names)} in all)" if len(names) > 20 else listed


# What the columns are -----------------------------------------------------------------------------------------------


def _schema(engine: Engine, labels: Labels, reading: Reading) -> tuple[Schema, int]:
    """What the columns are, and how many rows count."""
    if isinstance(engine, Local) and _declares_everything(engine, reading):
        target, rows = _declared_target(engine, labels)
        columns = tuple(Numeric(name) for name in labels.used(engine.names))
        return Schema(columns, target, as_left_out(reading.drop), target_notes(target)), rows
    survey = surveyed(engine, labels, (*reading.nominal, *reading.levels_or_text))
    profile, target, notes = _found(survey, engine, labels)
    texts = TextColumns(reading.text, reading.levels_or_text) if reading.reads_text else None
    schema = profile.schema(target, labels.used(engine.names), reading.keep, texts)
    left_out = (*as_left_out(reading.drop), *schema.left_out)
    return replace(schema, left_out=left_out, notes=(*notes, *schema.notes)), profile.rows


def as_left_out(dropped: Iterable[str]) -> tuple[LeftOut, ...]:
    """Columns that the user leaves out."""
    return tuple(LeftOut(name, DROPPED) for name in dict.fromkeys(dropped))


def dropped_columns(schema: Schema) -> tuple[str, ...]:
    """The columns that were left out because the user said so."""
    return tuple(left_out.name for left_out in schema.left_out if left_out.reason == DROPPED)


def _declares_everything(engine: Local, reading: Reading) -> bool:
    """A numeric array with its target beside it needs no scan."""
    beside = engine.reader
    if not isinstance(beside, Beside) or not isinstance(beside.reader, ArrayReader):
        return False
    chunk = next(beside.reader.chunks(1), None)
    is_matrix = chunk is not None and chunk.matrix is not None and chunk.matrix.dtype.kind == "f"
    return is_matrix and not reading.nominal and beside.target is not None


def _declared_target(engine: Local, labels: Labels) -> tuple[Target, int]:
    """The target beside a table and the rows that count; only classes that have rows with weight do."""
    beside, name = engine.reader, _target_name(labels)
    assert isinstance(beside, Beside)
    target, weights = beside.target, beside.weights
    assert target is not None
    assert engine.rows is not None
    beside.require_length(engine.rows)
    if isinstance(target, Values):
        content = content_of_numbers(target.data, target.time)
        return Numeric(name, target.time, content in (Content.WHOLE, Content.DATE)), len(target)
    if weights is None:
        return Nominal(name, target.levels), len(target)
    counting = target.codes[weights > 0]
    return Nominal(name, tuple(target.levels[code] for code in np.unique(counting))), len(counting)


def _target_name(labels: Labels) -> str:
    return labels.target or _beside_name(labels.numeric_target)


def _beside_name(is_numeric: bool) -> str:
    """What a target is called that stands beside the table."""
    return "y" if is_numeric else "class"


def _writing(labels: Labels, schema: Schema) -> Labels:
    """The labels, once it is known how the numbers to predict are written."""
    return replace(labels, written=schema.target) if isinstance(schema.target, Numeric) else labels


def _found(survey: Survey, engine: Engine, labels: Labels) -> tuple[Profile, Target, tuple[str, ...]]:
    """What a survey found of the columns and of the target, with what is to be said of it; rows without are counted."""
    what = "value" if labels.numeric_target else "class"
    if survey.profile is None or survey.target is None:
        raise _nothing_to_learn(survey.rows, survey.without_target, what)
    name = _target_name(labels)
    _warn_of_rows_without_target(survey.without_target, survey.rows, name, what)
    target = target_column(survey.target, name, getattr(engine, "is_text", False))
    if isinstance(target, Nominal) and labels.numeric_target:
        raise written_differently(name)
    if isinstance(target, Nominal):
        require_no_fractions(target.levels)
        return survey.profile, target, ()
    return survey.profile, target, target_note(target, survey.target.writing)


def _nothing_to_learn(rows: int, without_target: int, what: str) -> TableError:
    if rows and without_target < rows:
        return TableError("All weights are zero, so no row counts. Give at least some rows a weight above zero.")
    reason = f"the target is missing in all {rows} rows" if rows else "the table has no rows"
    return TableError(
        f"Found array with 0 sample(s) with a {what} (a minimum of 1 is required): {reason}. "
        "Check the file, the filter that made the table, and the target."
    )


def _like(found: Schema, known: Schema) -> Schema:
    """What was found, read as the known schema reads it: a numeric column stays numeric, a level keeps its spelling."""
    columns = tuple(_column_like(theirs, mine) for mine, theirs in zip(known.columns, found.columns, strict=True))
    target = replace(found.target, name=known.target.name)
    if isinstance(target, Nominal) and isinstance(known.target, Nominal):
        target = _levels_like(target, known.target)
    return replace(found, columns=columns, target=target)


def _column_like(found: Column, known: Column) -> Column:
    if isinstance(known, Text):
        return known
    if isinstance(known, Numeric):
        is_whole = known.is_whole and getattr(found, "is_whole", False)
        return replace(known, is_whole=is_whole, is_empty=known.is_empty and getattr(found, "is_empty", False))
    return _levels_like(found, known) if isinstance(found, Nominal) and isinstance(known, Nominal) else found


def _levels_like(found: Nominal, known: Nominal) -> Nominal:
    """Levels that the known column has are spelled as there; others as text where its levels are text."""
    spelled, is_text = set(known.levels), any(isinstance(level, str) for level in known.levels)
    levels: list[Level] = []
    for level in found.levels:
        same = same_level(level, spelled)
        levels.append(same if same is not None else str(level) if is_text else level)
    return replace(found, levels=tuple(dict.fromkeys(levels)))


def require_training_schema(schema: Schema) -> None:
    """A model is learned from at least one column, and a classifier from at least two classes."""
    if isinstance(schema.target, Nominal) and schema.class_count < 2:
        only = f"one class only, {schema.classes[0]!r}" if schema.classes else "no class"
        raise TableError(
            f"The target has {only}. A classifier needs rows of at least 2 classes; check the target column."
        )
    if not schema.columns:
        texts = [left_out.name for left_out in schema.left_out if left_out.reason == READS_NO_TEXT]
        if texts:
            raise NoColumnError(
                f"No column is left to learn from: {_listed(texts)} {'hold' if len(texts) > 1 else 'holds'} text, "
                "which this model does not read. NaiveBayes and LogisticRegression do."
            )
        advice = (
            Message("Take columns out of ", Setting("drop"), ".")
            if dropped_columns(schema)
            else Message("Name columns in ", Setting("keep"), " to use them although they look like identifiers.")
            if schema.left_out
            else "Give a table with columns beside the target."
        )
        raise NoColumnError(
            Message(
                "Found array with 0 feature(s) (a minimum of 1 is required): no column is left to learn from. ", advice
            )
        )


# What a careful user would want to know -----------------------------------------------------------------------------


def warn_of_left_out(schema: Schema) -> None:
    """Name the columns that are not used, although nobody said so."""
    for left_out in schema.left_out:
        if left_out.reason == DROPPED:
            continue
        is_text = left_out.reason == READS_NO_TEXT
        use = "reads every text as a level of its own" if is_text else "uses it after all"
        kept = Setting("keep", [left_out.name])
        warn_user(Message(f"Column {left_out.name!r} is left out: it ", left_out.reason, ". ", kept, f" {use}."))


def _warn_of_rows_without_target(count: int, rows: int, target: str, what: str) -> None:
    if count:
        warn_user(
            f"{count} of {rows} rows {'has' if count == 1 else 'have'} no {what} ({target!r} is missing there) and "
            f"{'is' if count == 1 else 'are'} left out. Fill the target in, or take these rows out of the table."
        )
