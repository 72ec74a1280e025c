"""What every column explains of the target on its own: a one-column model, cross-validated from counts alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Array, Batch, Codes, Nominal
from suffice.statistics.tally import Tally

MOST_INTERVALS = 64
MOST_COUNTS = 50_000_000  # of a column: a level of each class in each fold
TINY = 1e-15


@dataclass(frozen=True, slots=True)
class SingleColumn:
    """A column, the share of the target's entropy (of its variance, if it is a number) that it explains alone.

    `known` has the rows of each class in which it has a value, where the target has classes; `values` says how many
    different ones there are, or intervals of numbers. `accuracy` is that of the classes it predicts, not a number where
    there are none.
    """

    name: str
    explained: float
    accuracy: float
    known: Array
    values: int


def single_columns(batch: Batch, fold: Codes) -> Iterator[SingleColumn]:
    """Every numeric and nominal column of some rows, judged on the folds they were dealt to.

    The model of a column is a table: the target's distribution (its mean) in every level, in every interval between
    quantiles, and where it is missing, pulled toward that of all rows with the weight of one. Without fold k it is the
    table of all rows less that of fold k, so the rows are counted once.
    """
    weights = batch.row_weights()
    count = _class_counts if isinstance(batch.schema.target, Nominal) else _sums
    folds = int(fold.max()) + 1
    baseline = count(batch, fold, np.zeros(batch.rows, dtype=np.int64), 1, folds, weights)
    for name, codes, levels in _coded(batch):
        if folds * levels * max(batch.schema.class_count, 1) > MOST_COUNTS:
            continue
        table = count(batch, fold, codes, levels, folds, weights)
        (loss, right), (without, _) = _judged(batch, table), _judged(batch, baseline)
        explained = 1 - loss / without if without > 0 else 0.0
        yield SingleColumn(name, explained, right / weights.sum(), table[:, 1:].sum(axis=(0, 1)), _values(table))


def _values(table: Array) -> int:
    return int(np.count_nonzero(table[:, 1:].any(axis=(0, 2))))


def _coded(batch: Batch) -> Iterator[tuple[str, AnyArray, int]]:
    """Each column's codes, 0 where it is missing, and how many there are."""
    intervals = min(MOST_INTERVALS, max(2, int(np.sqrt(batch.rows))))
    for position, column in enumerate(batch.schema.numeric):
        cells = batch.numeric[:, position]
        is_known = np.isfinite(cells)
        tally = Tally.of(cells[is_known], None if batch.weights is None else batch.weights[is_known])
        if len(tally.values):
            edges = tally.quantile_cuts(intervals)
            codes = np.where(is_known, np.searchsorted(edges, cells) + 1, 0)
            yield column.name, codes, len(edges) + 2
    for position, nominal in enumerate(batch.schema.nominal):
        yield nominal.name, batch.codes[position].astype(np.int64) + 1, len(nominal.levels) + 1


def _class_counts(batch: Batch, fold: Codes, codes: AnyArray, levels: int, folds: int, weights: Array) -> Array:
    """(fold, level, class): how many rows."""
    classes = batch.schema.class_count
    cells = (fold.astype(np.int64) * levels + codes) * classes + batch.class_codes()
    counts = np.bincount(cells, weights, folds * levels * classes).astype(np.float64)
    return counts.reshape(folds, levels, classes)


def _sums(batch: Batch, fold: Codes, codes: AnyArray, levels: int, folds: int, weights: Array) -> Array:
    """(fold, level, power): Σ w, Σ w·y, Σ w·y², of the target around its mean."""
    response = batch.responses() - np.average(batch.responses(), weights=weights)
    cells = fold.astype(np.int64) * levels + codes
    sums = [np.bincount(cells, weights * response**power, folds * levels) for power in range(3)]
    table: Array = np.stack(sums, axis=1)
    return table.reshape(folds, levels, 3)


def _judged(batch: Batch, table: Array) -> tuple[float, float]:
    """The log loss, or the squared error, of every fold under the table of the others; and the rows that are right."""
    others = table.sum(axis=0) - table
    every = others.sum(axis=1, keepdims=True)  # of all levels
    if batch.schema.classes:
        prior = every / every.sum(axis=2, keepdims=True)
        chance = (np.maximum(others, 0) + prior) / (others.sum(axis=2, keepdims=True) + 1)
        right = np.take_along_axis(table, chance.argmax(axis=2)[..., None], axis=2)
        return float(-(table * np.log(np.maximum(chance, TINY))).sum()), float(right.sum())
    mean = every[..., 1] / np.maximum(every[..., 0], TINY)
    predicted = (others[..., 1] + mean) / (others[..., 0] + 1)
    error = table[..., 2] - 2 * predicted * table[..., 1] + predicted**2 * table[..., 0]
    return float(error.sum()), float("nan")
