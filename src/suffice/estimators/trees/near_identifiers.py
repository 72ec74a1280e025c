"""High-cardinality columns: of so many levels that two subsets of them can fit anything."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, TableError, warn_user
from suffice.schema import Batch, LeftOut, Schema
from suffice.shown import quoted
from suffice.sources.reading import column_name
from suffice.statistics.level_weights import FEWEST_LEVELS, LevelWeights

MANY_LEVELS = 0.3  # of the rows with a value: C4.5, too, counts such columns apart


def without_near_identifiers(batch: Batch, keep: tuple[Any, ...]) -> Batch:
    """The batch without nominal columns that have nearly as many levels as rows, and a warning that names them.

    With 300 levels in 400 rows some two subsets of levels part any classes: the split says nothing about new rows.
    """
    return batch.narrowed(schema_without_near_identifiers(LevelWeights.of(batch), keep))


def schema_without_near_identifiers(found: LevelWeights, keep: tuple[Any, ...]) -> Schema:
    """The schema of the columns that stay."""
    schema = found.schema
    kept = {column_name(name, schema.names) for name in keep}
    left_out = []
    for column, weights in zip(schema.nominal, found.weights, strict=True):
        levels, known = int(np.count_nonzero(weights)), float(weights.sum())
        if column.name not in kept and levels > FEWEST_LEVELS and levels >= MANY_LEVELS * known:
            left_out.append(
                LeftOut(column.name, f"has {levels} levels in {known:.0f} rows, which some two subsets fit to anything")
            )
    if not left_out:
        return schema
    names = {column.name for column in left_out}
    columns = [column for column in schema.columns if column.name not in names]
    if not columns:
        raise TableError(
            Message(
                f"Every column has very many levels ({quoted(sorted(names))}). Name columns in ",
                Setting("keep"),
                " to use them, or use ",
                Setting("splits", "multiway"),
                ".",
            )
        )
    warn_user(_warning(found, left_out))
    return replace(schema.with_columns(columns), left_out=(*schema.left_out, *left_out))


def _warning(found: LevelWeights, left_out: list[LeftOut]) -> Message:
    """One for all columns; in a comparison it stands beside models that use them."""
    weights = dict(zip((column.name for column in found.schema.nominal), found.weights, strict=True))
    counts = ((gone.name, weights[gone.name]) for gone in left_out)
    named = ", ".join(
        f"{name!r} ({int(np.count_nonzero(each)):,} levels in {each.sum():,.0f} rows)" for name, each in counts
    )
    are, it = ("is", "it") if len(left_out) == 1 else ("are", "them")
    return Message(
        f"{named} {are} left out of trees that split in two, as cart does: so many levels have two sets that fit "
        "anything. ",
        Setting("keep", [gone.name for gone in left_out]),
        f" uses {it} after all.",
    )
