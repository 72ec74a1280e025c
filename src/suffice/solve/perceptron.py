"""Perceptron learning: for every mistake, add the row to the right θ and take it from the wrong one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.statistics.climb import scores
from suffice.statistics.climb_kernels import score_block
from suffice.statistics.compiled import compiled
from suffice.statistics.design import Design
from suffice.statistics.design_block import Terms, fill_dense, find_places, terms_of


@compiled
def correct_rows(
    terms: Terms,
    numeric: Array,
    codes: Codes,
    classes: Codes,
    row_weights: Array,
    order: AnyArray,
    weights: Array,
    coded_weights: Array,
) -> int:
    """One epoch: θ_y += w·x and θ_wrong −= w·x for every row that is taken for a wrong class; how many there were."""
    count, width = weights.shape
    dense = np.empty((1, width))
    places = np.empty((1, terms.coded.shape[0]), dtype=np.int32)
    factors, mistakes = terms.factors, 0
    found = np.empty((1, count))
    for step in range(order.shape[0]):
        i = order[step]
        fill_dense(terms, numeric, i, dense)
        find_places(terms, codes, i, places)
        score_block(dense, places, factors, weights, coded_weights, found)
        best = 0
        for k in range(1, count):
            if found[0, k] > found[0, best]:
                best = k
        y = classes[i]
        if best != y:
            mistakes += 1
            w = row_weights[i] if row_weights.size > 0 else 1.0
            for j in range(width):
                weights[y, j] += w * dense[0, j]
                weights[best, j] -= w * dense[0, j]
            for t in range(places.shape[1]):
                if places[0, t] >= 0:
                    coded_weights[places[0, t], y] += w * dense[0, factors[t]]
                    coded_weights[places[0, t], best] -= w * dense[0, factors[t]]
    return mistakes


@dataclass(frozen=True)
class Taught:
    """The best θ that were found (class, dimension), and how good they are."""

    weights: Array
    mistakes: int
    epochs: int


def teach(design: Design, batch: Batch, most_epochs: int, seed: int) -> Taught:
    """Go through the rows, in another order each time, until none is mistaken; else the best of all epochs is kept."""
    terms, random = terms_of(design), np.random.default_rng(seed)
    numeric, codes = np.ascontiguousarray(batch.numeric), np.ascontiguousarray(batch.codes)
    row_weights = np.empty(0) if batch.weights is None else np.ascontiguousarray(batch.weights)
    count = batch.schema.class_count
    dense, coded = np.zeros((count, design.dense_count)), np.zeros((design.dimensions, count))
    best = Taught(np.zeros((count, design.dimensions)), batch.rows + 1, 0)
    for epoch in range(1, most_epochs + 1):
        order = random.permutation(batch.rows)
        corrected = correct_rows(terms, numeric, codes, batch.class_codes(), row_weights, order, dense, coded)
        weights = np.ascontiguousarray(coded.T)
        weights[:, : len(design.used_dense)] = dense[:, design.used_dense]
        mistakes = _mistakes(design, batch, weights) if corrected else 0
        if mistakes < best.mistakes:
            best = Taught(weights, mistakes, epoch)
        if not mistakes:
            return best
    return Taught(best.weights, best.mistakes, most_epochs)


def _mistakes(design: Design, batch: Batch, weights: Array) -> int:
    return int(np.count_nonzero(scores(design, batch, weights).argmax(axis=1) != batch.class_codes()))
