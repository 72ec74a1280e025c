"""Perceptron learning, with a pocket: for every mistake, add the row to the right θ and take it from the wrong one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.perceptron_sums import correct_rows, count_mistakes
from suffice.schema import Array, Batch
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.design_rows import dense_and_places
from suffice.statistics.row_keys import order_of_cells

PATIENCE = 10  # epochs without a better θ
MANY_VISITS = 500_000  # of rows, after which patience ends


@dataclass(frozen=True)
class Pocket:
    """The pocket: the best θ so far (class, dimension), with their mistakes."""

    weights: Array
    mistakes: int
    epochs: int


def pocket(design: Design, batch: Batch, most_epochs: int, seed: int, patience: int | None = None) -> Pocket:
    """The pocket algorithm: epochs over the rows, each in another order, until none is mistaken; the best θ is kept.

    The design is one of degree 1: levels stand for themselves.
    With `patience`, so many epochs without a better θ are the end, once rows were visited very often.
    """
    random = np.random.default_rng(seed)
    rows, places = dense_and_places(design, batch)
    row_weights = batch.given_weights()
    count, classes = batch.schema.class_count, batch.class_codes()
    dense, coded = np.zeros((count, design.dense_count)), np.zeros((design.dimensions, count))
    best, found_in, epoch = np.zeros((count, design.dimensions)), 0, 0
    fewest, least = batch.rows + 1, np.inf
    while epoch < most_epochs and fewest:
        if patience is not None and epoch - found_in >= patience and epoch * batch.rows >= MANY_VISITS:
            break
        epoch += 1
        order = random.permutation(batch.rows)
        corrected = correct_rows(rows, places, classes, row_weights, order, dense, coded)
        mistakes, weight = 0, 0.0
        if corrected:
            mistakes, weight = count_mistakes(rows, places, classes, row_weights, dense, coded, least)
        if weight < least:
            best, fewest, least, found_in = np.ascontiguousarray(coded.T), mistakes, weight, epoch
            best[:, : len(design.used_dense)] = dense[:, design.used_dense]
    return Pocket(best, fewest, epoch)


def lined_up(design: Design, batch: Batch, seed: int) -> Batch:
    """Rows sorted by hashes of their cells: an order that depends neither on where they stand nor on units.

    Standardised numbers are rounded: other units, or another order of summation, change their last digits.
    """
    rows, places = dense_and_places(design, batch)
    rounded = rows.astype(np.float32).astype(np.float64)
    return batch.take(order_of_cells(rounded, np.column_stack([places, batch.class_codes()]).T, seed))
