"""Stratified folds for pruning: rows are dealt by what is in them, so that their order does not matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.schema import AnyArray, Batch, Codes
from suffice.solve.folds import dealt
from suffice.solve.trees.training_rows import TrainingRows
from suffice.statistics.row_keys import row_keys


def folds_of_rows(rows: TrainingRows, count: int, classifies: bool, seed: int) -> Codes:
    """Which fold each row belongs to; every fold has its share of every class, and none is empty.

    A row is in one fold whatever it weighs: a tree must not be judged by rows it was grown from.
    """
    if rows.count < 2:
        return np.zeros(rows.count, dtype=np.int32)
    classes = rows.outcome.astype(np.int32) if classifies else np.zeros(rows.count, dtype=np.int32)
    weight = rows.weight if len(rows.weight) else classes
    keys = content_keys(rows.batch, seed)

    def in_order(own: AnyArray) -> AnyArray:
        return own[np.lexsort((weight[own], rows.outcome[own], keys[own]))]

    return np.unique(dealt(classes, count, seed, in_order), return_inverse=True)[1].astype(np.int32)


def content_keys(batch: Batch, seed: int) -> AnyArray:
    """The keys of rows by the columns that vary: a column without variation changes nothing."""
    numeric = batch.numeric[:, [_varies(np.nan_to_num(numbers, nan=np.inf)) for numbers in batch.numeric.T]]
    codes = batch.codes[[_varies(codes) for codes in batch.codes]] if len(batch.codes) else batch.codes
    return row_keys(replace(batch, numeric=numeric, codes=codes, texts=()), seed)


def _varies(cells: AnyArray) -> bool:
    return bool((cells != cells[:1]).any())
