"""Whether what a model keeps of a table fits into memory: asked before any work, for many classes make it large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from suffice.errors import Message, Setting, SettingError
from suffice.machine.memory import NUMBER, free_memory, size_text
from suffice.sources.reading import column_name

if TYPE_CHECKING:
    from suffice.estimators.predictor import Predictor
    from suffice.sources import Rows

ALWAYS_FITS = 100e6  # bytes


def require_memory(estimator: Predictor, table: Rows, folds: int = 1) -> None:
    """An error with the estimate, unless the target is named in `keep`."""
    name = table.schema.target.name
    reason = lack_of_memory(estimator, table, folds)
    if reason and name not in {column_name(column, table.names) for column in estimator._reading().keep}:
        raise SettingError(
            Message(
                f"{type(estimator).__name__}: {reason}. Choose a target of fewer classes, fewer columns, or a model "
                "that keeps less. ",
                Setting("keep", [name]),
                " tries it all the same.",
            )
        )


def lack_of_memory(estimator: Predictor, table: Rows, folds: int = 1) -> str | None:
    """Why a model cannot be learned from a table, with the estimate; None where there is enough memory."""
    schema = table.schema
    size = _bytes(estimator, table, folds)
    free = free_memory() if size > ALWAYS_FITS else None
    if free is None or size <= free:
        return None
    classes = f"{schema.class_count:,} classes and " if schema.classes else ""
    cause = f"{classes}{len(schema.columns):,} columns" + (f" in {folds} folds" if folds > 1 else "")
    return f"{cause} would take about {size_text(size)} of memory, and {size_text(free)} are free"


def always_fits(estimator: Predictor, table: Rows, folds: int) -> bool:
    """Whether a model takes so little that nobody has to ask."""
    return _bytes(estimator, table, folds) <= ALWAYS_FITS


def _bytes(estimator: Predictor, table: Rows, folds: int) -> float:
    posteriors = (table.rows or 0) * table.schema.class_count if folds > 1 else 0
    return NUMBER * (estimator._numbers_at_once(table, folds) + posteriors)
