"""Perceptron learning: for every mistake, add the row to the right θ and take it from the wrong one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.statistics.compiled import compiled_inline, compiled_sum
from suffice.statistics.design import Design
from suffice.statistics.design_block import fill_dense, find_places, terms_of

PATIENCE = 10  # epochs without a better θ
MANY_VISITS = 500_000  # of rows, after which patience ends


@compiled_sum
def correct_rows(
    dense: Array,
    places: Codes,
    classes: Codes,
    row_weights: Array,
    order: AnyArray,
    weights: Array,
    coded_weights: Array,
    scores: Array,
) -> int:
    """One epoch: θ_y += w·x and θ_wrong −= w·x for every row that is taken for a wrong class; how many there were.

    Rows are dense terms (row, dense term) and the places of their levels' weights (row, nominal column), -1 for none.
    """
    width, mistakes = weights.shape[1], 0
    for step in range(order.shape[0]):
        i = order[step]
        best = _taken_for(dense, places, i, weights, coded_weights, scores)
        y = classes[i]
        if best != y:
            mistakes += 1
            w = row_weights[i] if row_weights.size > 0 else 1.0
            for j in range(width):
                weights[y, j] += w * dense[i, j]
                weights[best, j] -= w * dense[i, j]
            for t in range(places.shape[1]):
                place = places[i, t]
                if place >= 0:
                    coded_weights[place, y] += w
                    coded_weights[place, best] -= w
    return mistakes


@compiled_sum
def count_mistakes(
    dense: Array,
    places: Codes,
    classes: Codes,
    row_weights: Array,
    weights: Array,
    coded_weights: Array,
    enough: float,
    scores: Array,
) -> tuple[int, float]:
    """How many rows are taken for a wrong class, and their weight; from `enough` on the others are not looked at."""
    mistakes, weight = 0, 0.0
    is_weighted = row_weights.size > 0
    for i in range(dense.shape[0]):
        if _taken_for(dense, places, i, weights, coded_weights, scores) != classes[i]:
            mistakes += 1
            weight += row_weights[i] if is_weighted else 1.0
            if weight >= enough:
                break
    return mistakes, weight


@compiled_inline
def _taken_for(dense: Array, places: Codes, i: int, weights: Array, coded_weights: Array, scores: Array) -> int:
    """The class with the largest θ·x, the first of equals; of two classes one θ is the other's negative."""
    width = weights.shape[1]
    count = 1 if weights.shape[0] == 2 else weights.shape[0]
    for k in range(count):
        score = 0.0
        for j in range(width):
            score += weights[k, j] * dense[i, j]
        scores[k] = score
    for t in range(places.shape[1]):
        place = places[i, t]
        if place >= 0:
            for k in range(count):
                scores[k] += coded_weights[place, k]
    if weights.shape[0] == 2:
        return 0 if scores[0] >= 0.0 else 1
    best = 0
    for k in range(1, count):
        if scores[k] > scores[best]:
            best = k
    return best


@dataclass(frozen=True)
class Taught:
    """The best θ that were found (class, dimension), and how good they are."""

    weights: Array
    mistakes: int
    epochs: int


def teach(design: Design, batch: Batch, most_epochs: int, seed: int, patience: int | None = None) -> Taught:
    """Go through the rows, in another order each time, until none is mistaken; else the best of all epochs is kept.

    The design is one of degree 1: levels stand for themselves.
    With `patience`, so many epochs without a better θ are the end, once rows were visited very often.
    """
    terms, random = terms_of(design), np.random.default_rng(seed)
    rows, places = np.empty((batch.rows, design.dense_count)), np.empty((batch.rows, len(terms.coded)), dtype=np.int32)
    fill_dense(terms, np.ascontiguousarray(batch.numeric), 0, rows)
    find_places(terms, np.ascontiguousarray(batch.codes), 0, places)
    row_weights = np.empty(0) if batch.weights is None else np.ascontiguousarray(batch.weights)
    count, classes = batch.schema.class_count, batch.class_codes()
    dense, coded, scores = np.zeros((count, design.dense_count)), np.zeros((design.dimensions, count)), np.empty(count)
    best, found_in, epoch = np.zeros((count, design.dimensions)), 0, 0
    fewest, least = batch.rows + 1, np.inf
    while epoch < most_epochs and fewest:
        if patience is not None and epoch - found_in >= patience and epoch * batch.rows >= MANY_VISITS:
            break
        epoch += 1
        order = random.permutation(batch.rows)
        corrected = correct_rows(rows, places, classes, row_weights, order, dense, coded, scores)
        mistakes, weight = 0, 0.0
        if corrected:
            mistakes, weight = count_mistakes(rows, places, classes, row_weights, dense, coded, least, scores)
        if weight < least:
            best, fewest, least, found_in = np.ascontiguousarray(coded.T), mistakes, weight, epoch
            best[:, : len(design.used_dense)] = dense[:, design.used_dense]
    return Taught(best, fewest, epoch)
