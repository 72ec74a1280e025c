"""Which cells of a row are missing, and which only read so because their level is new."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from suffice.explain.shown import TOP
from suffice.schema import Batch
from suffice.shown import listed


def is_missing(row: Batch, name: str) -> bool:
    """Whether the first row has no value in a column."""
    if name in row.schema.numeric_position:
        return bool(np.isnan(row.numbers(name)[0]))
    if name in row.schema.text_position:
        return bool(row.bags(name).is_missing[0])
    return bool(row.level_codes(name)[0] < 0)


def missing_columns(row: Batch, but: Collection[str]) -> list[str]:
    """The columns in which the first row has no value, but for some."""
    return [name for name in row.schema.names if name not in but and is_missing(row, name)]


def unseen_columns(row: Batch) -> list[str]:
    """The columns whose level was never seen in training, so that it reads as missing."""
    return [name for name in row.unknown.levels if is_missing(row, name)]


def unseen_note(names: list[str]) -> str:
    """What to say of them."""
    return f"level never seen in training, read as missing: {listed(names, TOP)}"
