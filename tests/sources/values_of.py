"""A raw column as plain values."""

from __future__ import annotations

from typing import Any

from suffice.schema import Coded, Values


def values_of(column: Values | Coded) -> list[Any]:
    if isinstance(column, Values):
        return [None if number != number else number for number in column.data.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]
