"""Alignment: where the classes and levels of one schema stand in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.schema.arrays import Array, Codes
from suffice.schema.columns import Level
from suffice.schema.schema import Schema


@dataclass(frozen=True, slots=True)
class Alignment:
    """For each class, level and numeric column of `schema`: its position in the old schema, or -1.

    A statistic is moved to a new schema by picking these positions; a position of -1 picks zeros.
    """

    schema: Schema
    classes: Codes
    levels: tuple[Codes, ...]

    @classmethod
    def between(cls, old: Schema, new: Schema) -> Alignment:
        """Match classes and levels by label, columns by name; a column of levels may have been empty before.

        >>> from suffice.schema import Nominal
        >>> old = Schema((), Nominal("play", ("No",)))
        >>> Alignment.between(old, Schema((), Nominal("play", ("Maybe", "No")))).classes.tolist()
        [-1, 0]
        """
        return cls(
            new,
            positions(old.classes, new.classes),
            tuple(positions(_levels(old, column.name), column.levels) for column in new.nominal),
        )

    @classmethod
    def renaming(cls, old: Schema, new: Schema) -> Alignment:
        """Every class and level stays where it is, and is called as the new schema says."""
        return cls.of_classes(range(old.class_count), new)

    @classmethod
    def of_classes(cls, chosen: Sequence[int], new: Schema) -> Alignment:
        """Pick classes by position; the levels stay as they are."""
        levels = tuple(np.arange(len(column.levels), dtype=np.int32) for column in new.nominal)
        return cls(new, np.asarray(chosen, dtype=np.int32), levels)


def _levels(schema: Schema, name: str) -> tuple[Level, ...]:
    position = schema.nominal_position.get(name)
    return () if position is None else schema.nominal[position].levels


def positions(old: tuple[Level, ...], new: tuple[Level, ...]) -> Codes:
    """For each new level its position among the old ones, or -1."""
    if old == new:
        return np.arange(len(new), dtype=np.int32)
    where = {level: position for position, level in enumerate(old)}
    return np.array([where.get(level, -1) for level in new], dtype=np.int32)


def picked(array: Array, where: Codes, axis: int = 0) -> Array:
    """`array` at the given positions along an axis, zero where the position is -1."""
    taken = np.take(array, np.maximum(where, 0), axis=axis) if array.shape[axis] else None
    shape = list(array.shape)
    shape[axis] = len(where)
    result = np.zeros(shape) if taken is None else taken
    index: list[slice | Codes] = [slice(None)] * array.ndim
    index[axis] = np.flatnonzero(where < 0).astype(np.int32)
    result[tuple(index)] = 0.0
    return result
