"""Answers for rows that are elsewhere: a lazy frame there, the table's own columns with the answers beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.sample import free_name
from suffice.schema import AnyArray, Batch, Level
from suffice.sources import Rows, Table

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class AsColumns:
    """An array of answers as columns of these names."""

    work: Callable[[Batch], AnyArray]
    names: tuple[str, ...]

    def __call__(self, batch: Batch) -> pa.Table:
        """The answers for a batch."""
        return self.table(self.work(batch))

    def table(self, answers: AnyArray) -> pa.Table:
        """The array itself as a column, or each of its columns."""
        import pyarrow as pa  # which most programs never ask for

        columns = answers.reshape(len(answers), len(self.names)).T
        return pa.table([pa.array(np.ascontiguousarray(column)) for column in columns], list(self.names))


def with_answers(table: Rows, work: Callable[[Batch], AnyArray], nothing: AnyArray, what: str) -> Any:
    """The frame of a table with answers beside its columns; `nothing` is the answer for no rows."""
    assert isinstance(table, Table)
    taken = table.engine.names
    names = answer_names(what, table.schema.classes, nothing)
    answer = AsColumns(work, tuple(free_name(name, taken) for name in names))
    return table.with_columns(answer, answer.table(nothing).schema, taken)


def answer_names(what: str, classes: tuple[Level, ...], nothing: AnyArray) -> tuple[str, ...]:
    """A column of that name, or one for every class.

    >>> answer_names("P", ("no", "yes"), np.empty((0, 2))), answer_names("leaf", (), np.empty(0))
    (('P(no)', 'P(yes)'), ('leaf',))
    """
    if nothing.ndim == 1:
        return (what,)
    if len(classes) == nothing.shape[1]:
        return tuple(f"{what}({label})" for label in classes)
    return tuple(f"{what}{place + 1}" for place in range(nothing.shape[1]))
