"""The kernels of the climb: a few rows at a time, filled, weighed and summed while they are in the fastest cache."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array, Codes
from suffice.statistics.compiled import compiled, compiled_sum
from suffice.statistics.design_block import Terms, fill_dense, find_places

AT_ONCE = 64  # rows
LARGE_PRODUCT = 1e300


@compiled_sum
def score_block(dense: Array, places: Codes, factors: Codes, weights: Array, coded_weights: Array, out: Array) -> None:
    """w_k·x of a few rows: dense weights are (class, dense term), coded ones (dimension, class)."""
    classes, width = weights.shape
    for i in range(dense.shape[0]):
        for k in range(classes):
            score = 0.0
            for j in range(width):
                score += weights[k, j] * dense[i, j]
            out[i, k] = score
        for t in range(places.shape[1]):
            place = places[i, t]
            if place >= 0:
                factor = dense[i, factors[t]]
                for k in range(classes):
                    out[i, k] += coded_weights[place, k] * factor


@compiled_sum
def sum_block(dense: Array, places: Codes, factors: Codes, numbers: Array, sums: Array, coded_sums: Array) -> None:
    """Σ r_k·x of a few rows with numbers r (row, class); over the cells of coded terms these are histogram sums."""
    classes, width = sums.shape
    rows = dense.shape[0]
    fours = rows - rows % 4
    for i in range(0, fours, 4):  # a sum is read and written once for four rows
        for k in range(classes):
            a, b, c, d = numbers[i, k], numbers[i + 1, k], numbers[i + 2, k], numbers[i + 3, k]
            for j in range(width):
                pair = a * dense[i, j] + b * dense[i + 1, j]
                sums[k, j] += pair + (c * dense[i + 2, j] + d * dense[i + 3, j])
    for i in range(fours, rows):
        for k in range(classes):
            number = numbers[i, k]
            for j in range(width):
                sums[k, j] += number * dense[i, j]
    for i in range(rows):
        for t in range(places.shape[1]):
            place = places[i, t]
            if place >= 0:
                factor = dense[i, factors[t]]
                for k in range(classes):
                    coded_sums[place, k] += numbers[i, k] * factor


@compiled
def weigh_two_classes(scores: Array, outcome: Codes, weights: Array, begin: int, residual: Array) -> float:
    """`weigh_block` with one exponential a row and one logarithm for many: Σ ln(1+e) is the ln of a product."""
    is_weighted = weights.size > 0
    total, product = 0.0, 1.0
    for i in range(scores.shape[0]):
        score = scores[i, 0]
        odds = np.exp(-abs(score))
        larger = 1.0 / (1.0 + odds)
        p = larger if score >= 0.0 else odds * larger
        y = 1.0 if outcome[begin + i] == 0 else 0.0
        w = weights[begin + i] if is_weighted else 1.0
        scores[i, 0] = p
        residual[i, 0] = w * (y - p)
        total += w * (y * score - max(score, 0.0))
        if is_weighted:
            total -= w * np.log(1.0 + odds)
        else:
            product *= 1.0 + odds
            if product > LARGE_PRODUCT:
                total -= np.log(product)
                product = 1.0
    return total - float(np.log(product))


@compiled
def weigh_block(scores: Array, outcome: Codes, weights: Array, begin: int, residual: Array) -> float:
    """Turn scores into probabilities; w·(1[y=k] − p_k) of every row; and Σ w·ln P(y | x). The reference has y = -1."""
    if scores.shape[1] == 1:
        return weigh_two_classes(scores, outcome, weights, begin, residual)
    is_weighted = weights.size > 0
    total = 0.0
    for i in range(scores.shape[0]):
        largest = 0.0  # the reference's score
        for k in range(scores.shape[1]):
            largest = max(largest, scores[i, k])
        y = outcome[begin + i]
        own = scores[i, y] if y >= 0 else 0.0
        sum_of_odds = np.exp(-largest)
        for k in range(scores.shape[1]):
            odds = np.exp(scores[i, k] - largest)
            scores[i, k] = odds
            sum_of_odds += odds
        w = weights[begin + i] if is_weighted else 1.0
        total += w * (own - largest - np.log(sum_of_odds))
        for k in range(scores.shape[1]):
            p = scores[i, k] / sum_of_odds
            scores[i, k] = p
            residual[i, k] = w * ((1.0 if y == k else 0.0) - p)
    return total


@compiled
def score_rows(terms: Terms, numeric: Array, codes: Codes, weights: Array, coded_weights: Array, out: Array) -> None:
    """The scores (row, class) of all rows."""
    dense = np.empty((AT_ONCE, weights.shape[1]))
    places = np.empty((AT_ONCE, terms.coded.shape[0]), dtype=np.int32)
    for begin in range(0, numeric.shape[0], AT_ONCE):
        count = min(AT_ONCE, numeric.shape[0] - begin)
        fill_dense(terms, numeric, begin, dense[:count])
        find_places(terms, codes, begin, places[:count])
        score_block(dense[:count], places[:count], terms.factors, weights, coded_weights, out[begin : begin + count])


@compiled
def climb_rows(
    terms: Terms,
    numeric: Array,
    codes: Codes,
    outcome: Codes,
    row_weights: Array,
    weights: Array,
    coded_weights: Array,
    sums: Array,
    coded_sums: Array,
    probability: Array,
) -> float:
    """Log-likelihood of all rows; its gradient goes to the sums, P(class | x) to `probability`."""
    dense = np.empty((AT_ONCE, weights.shape[1]))
    places = np.empty((AT_ONCE, terms.coded.shape[0]), dtype=np.int32)
    residual = np.empty((AT_ONCE, weights.shape[0]))
    total = 0.0
    for begin in range(0, numeric.shape[0], AT_ONCE):
        count = min(AT_ONCE, numeric.shape[0] - begin)
        scores = probability[begin : begin + count]
        fill_dense(terms, numeric, begin, dense[:count])
        find_places(terms, codes, begin, places[:count])
        score_block(dense[:count], places[:count], terms.factors, weights, coded_weights, scores)
        total += weigh_block(scores, outcome, row_weights, begin, residual[:count])
        sum_block(dense[:count], places[:count], terms.factors, residual[:count], sums, coded_sums)
    return total


@compiled
def turn_rows(
    terms: Terms,
    numeric: Array,
    codes: Codes,
    row_weights: Array,
    probability: Array,
    direction: Array,
    coded_direction: Array,
    sums: Array,
    coded_sums: Array,
) -> None:
    """The curvature times a direction: Σ w·p_k·(s_k − Σ_l p_l·s_l)·x with s the direction's scores."""
    dense = np.empty((AT_ONCE, direction.shape[1]))
    places = np.empty((AT_ONCE, terms.coded.shape[0]), dtype=np.int32)
    slope = np.empty((AT_ONCE, direction.shape[0]))
    for begin in range(0, numeric.shape[0], AT_ONCE):
        count = min(AT_ONCE, numeric.shape[0] - begin)
        fill_dense(terms, numeric, begin, dense[:count])
        find_places(terms, codes, begin, places[:count])
        score_block(dense[:count], places[:count], terms.factors, direction, coded_direction, slope[:count])
        for i in range(count):
            mean = 0.0
            for k in range(slope.shape[1]):
                mean += probability[begin + i, k] * slope[i, k]
            w = row_weights[begin + i] if row_weights.size > 0 else 1.0
            for k in range(slope.shape[1]):
                slope[i, k] = w * probability[begin + i, k] * (slope[i, k] - mean)
        sum_block(dense[:count], places[:count], terms.factors, slope[:count], sums, coded_sums)
