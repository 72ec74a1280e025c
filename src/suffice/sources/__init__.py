"""Where rows come from: arrays, data frames, files, DuckDB relations."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.errors import SufficeWarning, TableError
from suffice.schema import ColumnProfile, Level, Nominal, Numeric, Profile, Schema
from suffice.schema.columns import united_levels
from suffice.schema.profile import target_column
from suffice.sources.array import ArrayReader
from suffice.sources.labelled import Labelled, Renamed, require_weights
from suffice.sources.table import WHOLE, Reader, Source, Table
from suffice.sources.target import coded_target

__all__ = ["Reading", "Source", "Table", "extended", "open_reader", "read_as", "read_table"]


@dataclass(frozen=True)
class Reading:
    """How the columns of a table are to be read: the settings every estimator has."""

    nominal: tuple[str, ...] = ()
    missing_values: tuple[Level, ...] = ()
    keep: tuple[str, ...] = ()
    all_nominal: bool = False


def open_reader(table: Any, missing_values: Collection[Level] = ()) -> Reader:
    """A reader for whatever the table is."""
    if isinstance(table, (str, os.PathLike)):
        return _file_reader(table, missing_values)
    if isinstance(table, ArrayReader):
        return table
    if isinstance(table, np.ndarray):
        return ArrayReader(table)
    if type(table).__module__.split(".")[0] in ("duckdb", "_duckdb"):
        from suffice.sources.files import RelationReader

        return RelationReader(table)
    if isinstance(table, (list, tuple)):
        return ArrayReader(_array_of_rows(table))
    from suffice.sources.frame import FrameReader, is_frame

    if is_frame(table):
        return FrameReader(table)
    if hasattr(table, "__array__"):
        return ArrayReader(np.asarray(table))
    raise TableError(
        f"A table cannot be read from {type(table).__name__!r}. Give an array, a data frame (pandas, Polars, "
        "PyArrow), the path of a CSV, Parquet, JSON-lines or ARFF file, or a DuckDB relation."
    )


def read_table(
    table: Any, target: Any, weights: Any = None, reading: Reading | None = None, classes: Any = None
) -> Table:
    """Open a table with its target and find its schema; one scan, unless the types declare everything.

    `classes` may name classes that no row has yet.
    """
    reading = reading or Reading()
    reader = open_reader(table, reading.missing_values)
    if reading.all_nominal:
        reading = replace(reading, nominal=tuple(name for name in reader.names if name != target))
    labelled = _labelled(reader, target, weights, reading)
    schema = _schema(labelled, reading)
    if classes is not None:
        declared = Nominal(schema.target.name, coded_target(classes).levels)
        schema = schema.with_target(united_levels(schema.target, declared))
    _require_training_table(schema)
    _warn_of_left_out(schema)
    return Table(labelled, schema, getattr(reader, "frame_kind", "pyarrow"))


def read_as(
    schema: Schema,
    table: Any,
    target: Any = None,
    weights: Any = None,
    reading: Reading | None = None,
    names: tuple[str, ...] | None = None,
) -> Table:
    """Open a table under a schema that is already known; `names` says what its columns are called, in order."""
    reading = reading or Reading()
    reader = open_reader(table, reading.missing_values)
    if names is not None and reader.names != names:
        reader = Renamed(reader, names)
    labelled = _labelled(reader, target, weights, reading)
    absent = [name for name in schema.names if name not in labelled.names]
    if absent:
        raise TableError(
            f"The table lacks the column{'s' if len(absent) > 1 else ''} {', '.join(map(repr, absent))}, which the "
            f"model reads. It has {', '.join(map(repr, labelled.names))}."
        )
    return Table(labelled, schema, getattr(reader, "frame_kind", "pyarrow"))


def extended(table: Table) -> Table:
    """The same table under its schema united with the levels and classes its own rows bring."""
    labelled = table.reader
    profile, target = _profile(labelled, _nominal_names(table.schema))
    names = table.schema.names
    found = profile.schema(target, names, keep=names)
    return table.with_schema(table.schema.unite(_like(found, table.schema)))


def _file_reader(path: str | os.PathLike[str], missing_values: Collection[Level]) -> Reader:
    from suffice.sources.files import FileReader, file_kind, matching_files

    files = matching_files(os.fspath(path))
    if file_kind(files[0]) == "arff":
        from suffice.sources.arff import ArffReader

        if len(files) > 1:
            raise TableError(f"{os.fspath(path)!r} matches {len(files)} ARFF files. Give one file.")
        return ArffReader(files[0], missing_values)
    return FileReader(path, missing_values)


def _array_of_rows(rows: Any) -> Any:
    try:
        array = np.asarray(rows)
    except ValueError as error:
        raise TableError("The rows of the table do not all have the same length.") from error
    return np.array(rows, dtype=object) if array.dtype.kind in "US" else array


def _labelled(reader: Reader, target: Any, weights: Any, reading: Reading) -> Labelled:
    for what, name in (("target", target), ("column of weights", weights)):
        if isinstance(name, str) and name not in reader.names:
            raise TableError(_no_such_column(what, name, reader.names))
    for what, names in (("nominal", reading.nominal), ("keep", reading.keep)):
        unknown = [name for name in names if name not in reader.names]
        if unknown:
            raise TableError(f"`{what}` names " + _no_such_column("column", unknown[0], reader.names))
    coded = target if target is None or isinstance(target, str) else coded_target(target)
    if weights is not None and not isinstance(weights, str):
        rows = getattr(reader, "rows", None)
        weights = np.full(rows, float(weights)) if np.isscalar(weights) and rows else weights
        weights = require_weights(np.asarray(weights))
    return Labelled(reader, coded, weights, reading.missing_values)


def _no_such_column(what: str, name: str, names: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, names, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    listed = ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "")
    return f"There is no {what} {name!r} in the table.{hint} Its columns are {listed}."


def _schema(labelled: Labelled, reading: Reading) -> Schema:
    if isinstance(labelled.reader, ArrayReader) and _declares_everything(labelled, reading):
        assert not isinstance(labelled.target, (str, type(None)))
        target = Nominal("class", _classes_with_weight(labelled))
        return Schema(tuple(Numeric(name) for name in labelled.names), target)
    profile, target = _profile(labelled, reading.nominal)
    return profile.schema(target, labelled.names, reading.keep)


def _declares_everything(labelled: Labelled, reading: Reading) -> bool:
    """A numeric array with its labels beside it needs no scan."""
    chunk = next(labelled.reader.chunks(1), None)
    is_matrix = chunk is not None and chunk.matrix is not None and chunk.matrix.dtype.kind == "f"
    return is_matrix and not reading.nominal and not isinstance(labelled.target, (str, type(None)))


def _classes_with_weight(labelled: Labelled) -> tuple[Level, ...]:
    coded = labelled.target
    assert coded is not None
    assert not isinstance(coded, str)
    labelled._require_length(labelled.reader.rows)  # type: ignore[attr-defined]
    if labelled.weights is None or isinstance(labelled.weights, str):
        return coded.levels
    present = np.unique(coded.codes[labelled.weights > 0])
    return tuple(coded.levels[code] for code in present)


def _profile(labelled: Reader, nominal: Collection[str]) -> tuple[Profile, Nominal]:
    total: Profile | None = None
    target: ColumnProfile | None = None
    for chunk in labelled.chunks(WHOLE):
        part = Profile.of(chunk, nominal)
        classes = ColumnProfile.of(chunk.target) if chunk.target is not None else None
        total = part if total is None else total.merge(part)
        target = classes if target is None or classes is None else target.merge(classes)
    if total is None or target is None:
        raise TableError(
            "Found array with 0 sample(s): the table has no rows with a class (a minimum of 1 is required). "
            "Check the file, the filter that made the table, and the target."
        )
    name = getattr(labelled, "target", None)
    return total, target_column(target, name if isinstance(name, str) else "class")


def _nominal_names(schema: Schema) -> tuple[str, ...]:
    return tuple(column.name for column in schema.nominal)


def _like(found: Schema, known: Schema) -> Schema:
    """What was found, read as the known schema reads it: a numeric column stays numeric."""
    columns = tuple(
        mine if isinstance(mine, Numeric) else theirs for mine, theirs in zip(known.columns, found.columns, strict=True)
    )
    return replace(found, columns=columns, target=replace(found.target, name=known.target.name))


def _require_training_table(schema: Schema) -> None:
    if schema.class_count < 2:
        only = f"one class only, {schema.classes[0]!r}" if schema.classes else "no class"
        raise TableError(
            f"The target has {only}. A classifier needs rows of at least 2 classes; check the target column."
        )
    if not schema.columns:
        raise TableError(
            "Found array with 0 feature(s) (a minimum of 1 is required): no column is left to learn from. "
            "Name columns in `keep` to use them although they look like identifiers."
        )


def _warn_of_left_out(schema: Schema) -> None:
    for left_out in schema.left_out:
        warnings.warn(
            f"Column {left_out.name!r} is left out: it {left_out.reason}. keep=[{left_out.name!r}] uses it after all.",
            SufficeWarning,
            stacklevel=_outside(),
        )


def _outside() -> int:
    """The stack level of the first caller outside suffice, so that warnings point at the user's line."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("suffice"):
        frame = frame.f_back
        level += 1
    return level
