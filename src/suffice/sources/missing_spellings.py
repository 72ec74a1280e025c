"""Further spellings of missing, which users name: cells that are spelled so are missing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from suffice.schema import Chunk, Coded, Level, RawColumn
from suffice.schema.chunk import without_levels
from suffice.schema.spelling import as_number


def blanked(chunk: Chunk, spellings: Collection[Level]) -> Chunk:
    """A chunk with further spellings of missing read as missing: numbers by value, text by letter."""
    known = (as_number(spelling) for spelling in spellings if not isinstance(spelling, bool))
    numbers = [number for number in known if number is not None]
    columns = {name: _blanked(column, spellings, numbers) for name, column in chunk.columns.items()}
    matrix = chunk.matrix
    if matrix is not None and numbers:
        matrix = np.where(np.isin(matrix, numbers), np.nan, matrix)
    return replace(chunk, columns=columns, matrix=matrix)


def _blanked(column: RawColumn, spellings: Collection[Level], numbers: list[float]) -> RawColumn:
    if isinstance(column, Coded):
        words = {*spellings, *map(str, spellings)}
        truths = {spelling for spelling in spellings if isinstance(spelling, bool)}  # 0 is not a spelling of False
        gone = {level for level in column.levels if level in (truths if isinstance(level, bool) else words)}
        if numbers:
            gone |= {level for level in column.levels if isinstance(level, str) and as_number(level) in numbers}
        return without_levels(column, gone) if gone else column
    if not numbers:
        return column
    return replace(column, stored=np.where(np.isin(column.stored, numbers), np.nan, column.stored))
