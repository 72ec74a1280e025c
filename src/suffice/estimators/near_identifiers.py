"""Columns of very many levels, which two subsets can fit to anything."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, TableError, warn_user
from suffice.schema import Batch, LeftOut
from suffice.sources.read import column_name

MANY_LEVELS = 0.3  # of the rows with a value: C4.5, too, counts such columns apart
FEWEST_LEVELS = 20  # fewer are not very many, however few rows there are


def without_near_identifiers(batch: Batch, keep: tuple[Any, ...]) -> Batch:
    """The batch without nominal columns that have nearly as many levels as rows, and a warning that names them.

    With 300 levels in 400 rows some two subsets of levels part any classes: the split says nothing about new rows.
    """
    schema = batch.schema
    kept = {column_name(name, schema.names) for name in keep}
    left_out = []
    for position, column in enumerate(schema.nominal):
        if column.name in kept or len(column.levels) <= FEWEST_LEVELS:
            continue
        present = np.bincount(batch.codes[position] + 1, batch.weights, minlength=len(column.levels) + 1)[1:]
        levels, known = int(np.count_nonzero(present)), float(present.sum())
        if levels > FEWEST_LEVELS and levels >= MANY_LEVELS * known:
            left_out.append(
                LeftOut(column.name, f"has {levels} levels in {known:.0f} rows, too many for a split in two")
            )
    if not left_out:
        return batch
    names = {column.name for column in left_out}
    columns = [column for column in schema.columns if column.name not in names]
    if not columns:
        raise TableError(
            Message(
                f"Every column has very many levels ({', '.join(sorted(names))}). Name columns in ",
                Setting("keep"),
                " to use them, or use splits='multiway'.",
            )
        )
    for gone in left_out:
        use = Message(Setting("keep", [gone.name]), " uses it after all.")
        warn_user(Message(f"Column {gone.name!r} is left out: it {gone.reason}. ", use))
    codes = batch.codes[[position for position, column in enumerate(schema.nominal) if column.name not in names]]
    usable = replace(schema.with_columns(columns), left_out=(*schema.left_out, *left_out))
    counts = zip(schema.with_unseen, batch.unseen, strict=False)
    unseen = tuple(count for column, count in counts if column.name not in names)
    return replace(batch, schema=usable, codes=np.ascontiguousarray(codes), unseen=unseen)
