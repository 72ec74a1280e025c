"""The folds that pruning needs: rows are dealt by what is in them, so that their order does not matter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.schema import AnyArray, Batch, Codes
from suffice.solve.folds import Folds
from suffice.solve.trees.training_rows import TrainingRows


def folds_of_rows(rows: TrainingRows, count: int, classifies: bool, seed: int) -> Codes:
    """Which fold each row belongs to; every fold has its share of every class, and none is empty.

    A row is in one fold whatever it weighs: a tree must not be judged by rows it was grown from.
    """
    if rows.count < 2:
        return np.zeros(rows.count, dtype=np.int32)
    classes = rows.outcome.astype(np.int32) if classifies else np.zeros(rows.count, dtype=np.int32)
    weight = rows.weight if len(rows.weight) else classes
    order = np.lexsort((weight, rows.outcome, content_keys(rows.batch, seed), classes))
    fold = np.empty(rows.count, dtype=np.int32)
    fold[order] = Folds(count, int(classes.max()) + 1, seed).deal(classes[order])
    return np.unique(fold, return_inverse=True)[1].astype(np.int32)


def content_keys(batch: Batch, seed: int) -> AnyArray:
    """A number for every row that depends on its cells only: the same for equal rows, otherwise as if drawn."""
    keys = _mixed(np.full(batch.rows, seed % 2**64, dtype=np.uint64))
    for cells in _as_bits(batch):
        if (cells != cells[:1]).any():  # a column without variation changes nothing
            keys = _mixed(keys ^ cells)
    return keys


def _as_bits(batch: Batch) -> Iterator[AnyArray]:
    for numbers in batch.numeric.T:
        known = np.where(np.isnan(numbers), np.nan, numbers + 0.0)  # of all spellings of missing, and of zero, one
        yield known.view(np.uint64)
    for codes in batch.codes:
        yield codes.astype(np.uint64)


def _mixed(keys: AnyArray) -> AnyArray:
    """Every bit of the result depends on every bit of the key: the last steps of SplitMix64."""
    keys = keys + np.uint64(0x9E3779B97F4A7C15)
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: AnyArray = keys ^ (keys >> np.uint64(31))
    return mixed
