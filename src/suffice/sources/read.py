"""Reading a table: its rows with their target and weights, under a schema that is found or already known."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.errors import Message, NoColumnError, Setting, TableError, did_you_mean, warn_user
from suffice.schema import (
    Coded,
    Column,
    ColumnProfile,
    LeftOut,
    Level,
    Nominal,
    Numeric,
    Profile,
    Schema,
    Target,
    Text,
    Values,
)
from suffice.schema.columns import united_levels
from suffice.schema.disguise import COMMA
from suffice.schema.disguise_notes import target_note
from suffice.schema.profile import READS_NO_TEXT, TextColumns, target_column, target_notes
from suffice.schema.spelling import Content, content_of_numbers, same_level
from suffice.sources.labelled import Labelled, Renamed, counting_rows, require_weights
from suffice.sources.many_classes import require_few_classes
from suffice.sources.open import open_reader
from suffice.sources.readers.array import ArrayReader, plain_cell
from suffice.sources.table import CHUNK_ROWS, WHOLE, Reader, Table
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
    reader = open_reader(table, reading.spellings)
    reading = replace(
        reading,
        nominal=tuple(column_name(column, reader.names) for column in reading.nominal),
        keep=tuple(column_name(column, reader.names) for column in reading.keep),
        text=tuple(column_name(column, reader.names) for column in reading.text),
        levels_or_text=tuple(column_name(column, reader.names) for column in reading.levels_or_text),
        drop=tuple(column_name(column, reader.names) for column in reading.drop),
    )
    if reading.all_nominal:
        every = tuple(name for name in reader.names if not (isinstance(target, str) and name == target))
        reading = replace(reading, nominal=every, levels_or_text=every)
    require_droppable(reading, reader.names, target, weights)
    labelled = _labelled(reader, target, weights, reading, target_name)
    schema, rows = _schema(labelled, reading)
    if isinstance(schema.target, Numeric):
        labelled = replace(labelled, written=schema.target)
    if target_name and not isinstance(target, str):
        schema = schema.with_target(replace(schema.target, name=target_name))
    if isinstance(schema.target, Nominal) and not is_part:
        require_few_classes(schema.target, rows, reading.keep)
    if classes is not None:
        declared = Nominal(schema.target.name, coded_target(classes).levels)
        schema = schema.with_target(united_levels(schema.nominal_target, declared))
    _require_training_table(schema)
    warn_of_left_out(schema)
    return replace(_table(labelled, schema, reader), rows=rows)


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
    as_text = (*_read_as_text(schema, target), *reading.beside)
    opened = reader = open_reader(table, reading.spellings, as_text)
    if names is not None and reader.names != names:
        reader = Renamed(reader, names)
    labelled = _labelled(reader, target, weights, reading)
    if isinstance(schema.target, Numeric):
        labelled = replace(labelled, written=schema.target)
    require_columns("column", reading.beside, labelled.names)
    present = set(labelled.names)
    absent = [name for name in schema.names if name not in present]
    if absent:
        raise TableError(
            f"The table lacks the column{'s' if len(absent) > 1 else ''} {_listed(absent)}, which the model reads. "
            f"It has {_listed(labelled.names)}."
        )
    return replace(_table(labelled, schema, opened), beside=reading.beside)


def _table(labelled: Labelled, schema: Schema, opened: Reader) -> Table:
    rows = ARRAY_ROWS if isinstance(opened, ArrayReader) else CHUNK_ROWS
    return Table(labelled, schema, getattr(opened, "frame_kind", "pyarrow"), rows)


def extended(table: Table) -> Table:
    """The same table under its schema united with the levels and classes its own rows bring."""
    assert isinstance(table.reader, Labelled)
    profile, target, _ = _profile(table.reader, tuple(column.name for column in table.schema.nominal))
    names = table.schema.names
    texts = TextColumns(named=[column.name for column in table.schema.text])
    found = profile.schema(target, names, names, texts)
    return table.with_schema(table.schema.unite(_like(found, table.schema)))


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


def _labelled(reader: Reader, target: Any, weights: Any, reading: Reading, target_name: str = "") -> Labelled:
    require_columns("target", [target], reader.names)
    require_columns("column of weights", [weights], reader.names)
    require_columns(named_in("nominal"), reading.nominal, reader.names)
    require_columns(named_in("text"), reading.text, reader.names)
    beside = () if isinstance(target, str) else (target_name or _beside_name(reading.numeric_target),)
    require_columns(named_in("keep"), reading.keep, (*reader.names, *beside))
    if target is not None and not isinstance(target, str):
        target = numeric_target(target) if reading.numeric_target else coded_target(target)
    if weights is not None and not isinstance(weights, str):
        rows = getattr(reader, "rows", None)
        weights = np.asarray(weights)
        weights = require_weights(np.full(rows, weights) if weights.ndim == 0 and rows else weights)
    return Labelled(reader, target, weights, reading.spellings, reading.numeric_target, reading.drop)


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


def _schema(labelled: Labelled, reading: Reading) -> tuple[Schema, int]:
    """What the columns are, and how many rows count."""
    if isinstance(labelled.reader, ArrayReader) and _declares_everything(labelled, reading):
        target, rows = _declared_target(labelled)
        columns = tuple(Numeric(name) for name in labelled.names if name not in reading.drop)
        return Schema(columns, target, as_left_out(reading.drop), target_notes(target)), rows
    profile, target, notes = _profile(labelled, (*reading.nominal, *reading.levels_or_text))
    texts = TextColumns(reading.text, reading.levels_or_text) if reading.reads_text else None
    names = [name for name in labelled.names if name not in reading.drop]
    schema = profile.schema(target, names, reading.keep, texts)
    left_out = (*as_left_out(reading.drop), *schema.left_out)
    return replace(schema, left_out=left_out, notes=(*notes, *schema.notes)), profile.rows


def as_left_out(dropped: Iterable[str]) -> tuple[LeftOut, ...]:
    """Columns that the user leaves out."""
    return tuple(LeftOut(name, DROPPED) for name in dict.fromkeys(dropped))


def dropped_columns(schema: Schema) -> tuple[str, ...]:
    """The columns that were left out because the user said so."""
    return tuple(left_out.name for left_out in schema.left_out if left_out.reason == DROPPED)


def _declares_everything(labelled: Labelled, reading: Reading) -> bool:
    """A numeric array with its target beside it needs no scan."""
    chunk = next(labelled.reader.chunks(1), None)
    is_matrix = chunk is not None and chunk.matrix is not None and chunk.matrix.dtype.kind == "f"
    return is_matrix and not reading.nominal and not isinstance(labelled.target, (str, type(None)))


def _declared_target(labelled: Labelled) -> tuple[Target, int]:
    """The target beside a table and the rows that count; only classes that have rows with weight do."""
    target, name = labelled.target, _target_name(labelled)
    assert target is not None
    assert not isinstance(target, str)
    labelled.require_length(labelled.reader.rows)  # type: ignore[attr-defined]
    if isinstance(target, Values):
        content = content_of_numbers(target.data, target.time)
        return Numeric(name, target.time, content in (Content.WHOLE, Content.DATE)), len(target)
    if labelled.weights is None or isinstance(labelled.weights, str):
        return Nominal(name, target.levels), len(target)
    counting = target.codes[labelled.weights > 0]
    return Nominal(name, tuple(target.levels[code] for code in np.unique(counting))), len(counting)


def _target_name(labelled: Labelled) -> str:
    return labelled.target if isinstance(labelled.target, str) else _beside_name(labelled.numeric_target)


def _beside_name(is_numeric: bool) -> str:
    """What a target is called that stands beside the table."""
    return "y" if is_numeric else "class"


def _profile(labelled: Labelled, nominal: Collection[str]) -> tuple[Profile, Target, tuple[str, ...]]:
    """What the columns hold, what the target is, and what is to be said of it."""
    total: Profile | None = None
    target: ColumnProfile | None = None
    rows = without_target = 0
    for chunk in labelled.every_row(WHOLE):
        assert chunk.target is not None
        rows += chunk.rows
        without_target += int(np.count_nonzero(chunk.target.is_missing))
        counting = counting_rows(chunk)
        if counting.rows and counting.target is not None:
            is_whole = chunk.rows == getattr(labelled.reader, "rows", None)
            part = Profile.of(counting, nominal, is_whole)
            is_levels = isinstance(counting.target, Coded) and not labelled.numeric_target
            found = ColumnProfile.of(counting.target, as_levels=is_levels)
            total = part if total is None else total.merge(part)
            target = found if target is None else target.merge(found)
    what = "value" if labelled.numeric_target else "class"
    if total is None or target is None:
        raise _nothing_to_learn(rows, without_target, what)
    name = _target_name(labelled)
    _warn_of_rows_without_target(without_target, rows, name, what)
    found_target = target_column(target, name, getattr(labelled.reader, "is_text", False))
    if isinstance(found_target, Nominal) and labelled.numeric_target:
        raise written_differently(name)
    if isinstance(found_target, Nominal):
        require_no_fractions(found_target.levels)
        return total, found_target, ()
    return total, found_target, target_note(found_target, target.writing)


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
        return replace(known, is_whole=known.is_whole and getattr(found, "is_whole", False))
    return _levels_like(found, known) if isinstance(found, Nominal) and isinstance(known, Nominal) else found


def _levels_like(found: Nominal, known: Nominal) -> Nominal:
    """Levels that the known column has are spelled as there; others as text where its levels are text."""
    spelled, is_text = set(known.levels), any(isinstance(level, str) for level in known.levels)
    levels: list[Level] = []
    for level in found.levels:
        same = same_level(level, spelled)
        levels.append(same if same is not None else str(level) if is_text else level)
    return replace(found, levels=tuple(dict.fromkeys(levels)))


def _require_training_table(schema: Schema) -> None:
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
