"""Records: a table all of whose columns are alike; none is the target."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, TableError
from suffice.schema import EVERY_RECORD, Profile, Schema
from suffice.sources.labelled import Labelled, counting_rows, require_weights
from suffice.sources.open import open_reader
from suffice.sources.read import (
    Reading,
    as_left_out,
    column_name,
    named_in,
    require_columns,
    require_droppable,
    warn_of_left_out,
)
from suffice.sources.table import WHOLE, Table, no_rows


def read_records(table: Any, weights: Any = None, reading: Reading | None = None, only_numbers: bool = False) -> Table:
    """Open a table without a target and find its schema; where only numbers are wanted, nothing is said of the rest."""
    reading = reading or Reading()
    reader = open_reader(table, reading.spellings)
    nominal = [column_name(column, reader.names) for column in reading.nominal]
    keep = [column_name(column, reader.names) for column in reading.keep]
    drop = tuple(column_name(column, reader.names) for column in reading.drop)
    require_columns("column of weights", [weights], reader.names)
    require_columns(named_in("nominal"), nominal, reader.names)
    require_columns(named_in("keep"), keep, reader.names)
    require_droppable(replace(reading, drop=drop, keep=tuple(keep)), reader.names, weights=weights)
    if weights is not None and not isinstance(weights, str):
        weights = require_weights(np.asarray(weights))
    labelled = Labelled(reader, None, weights, reading.spellings, dropped=drop)
    profile: Profile | None = None
    for chunk in labelled.every_row(WHOLE):
        counting = counting_rows(chunk)
        if counting.rows:
            part = Profile.of(counting, nominal)
            profile = part if profile is None else profile.merge(part)
    if profile is None:
        raise no_rows()
    schema = profile.schema(EVERY_RECORD, [name for name in labelled.names if name not in drop], keep)
    schema = replace(schema, left_out=(*as_left_out(drop), *schema.left_out))
    if not only_numbers:
        _require_columns_to_count(schema)
        warn_of_left_out(schema)
    return Table(labelled, schema, getattr(reader, "frame_kind", "pyarrow"))


def _require_columns_to_count(schema: Schema) -> None:
    if not schema.columns:
        use = Message("Name columns in ", Setting("keep"), " to use them although they look like ids.")
        raise TableError(Message("No column is left to count. ", use))
