"""Kernels on small arrays: `python kernel_cases.py FOLDER VARIANT ...` saves what they give in these variants."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from sorted_tree_cases import SORTED_TREE_CASES
from tree_cases import TREE_CASES

Results = list[np.ndarray]
CASES: dict[str, Callable[[np.random.Generator], Results]] = {}


def case(function: Callable[[np.random.Generator], Results]) -> Callable[[np.random.Generator], Results]:
    CASES[function.__name__] = function
    return function


@case
def class_weights(random: np.random.Generator) -> Results:
    from suffice.kernels.class_weights import add_class_weights

    classes, plain, weighted = random.integers(0, 3, 20).astype(np.int32), np.zeros(3), np.zeros(3)
    add_class_weights(classes, np.empty(0), plain)
    add_class_weights(classes, random.random(20), weighted)
    return [plain, weighted]


@case
def counts(random: np.random.Generator) -> Results:
    from suffice.kernels.counts import count_levels

    found = []
    for levels in ([2, 3, 4], [70, 80], [], [5]):
        offsets = np.cumsum([0, *levels]).astype(np.int32)
        codes = np.array([random.integers(-1, count, 30) for count in levels], dtype=np.int32).reshape(-1, 30)
        classes = random.integers(0, 2, 30).astype(np.int32)
        for weights in (np.empty(0), random.random(30)):
            found.append(np.zeros((offsets[-1], 2)))
            count_levels(codes, offsets, classes, weights, found[-1])
    return found


@case
def histograms(random: np.random.Generator) -> Results:
    from suffice.kernels.histograms import find_cells, tally_groups

    odd = np.array([*random.normal(size=25), 0.0, -0.0, np.nan, 1e300, -1e-300])
    numbers = np.stack([odd, random.random(30), 1e6 + random.integers(0, 9, 30)])
    ends = np.array([11, 11, 30])
    found: Results = []
    for most in (2, 4, 100):
        for weights in (np.empty(0), random.integers(0, 3, 30).astype(np.float64)):
            digits, sizes = np.full(9, 53), np.empty(9, dtype=np.int64)
            cells, weight = np.empty(90, dtype=np.int64), np.empty(90)
            n = tally_groups(numbers.view(np.int64), ends, weights, most, digits, sizes, cells, weight)
            places = np.empty(90, dtype=np.int64)
            lowest, of_columns = cells[:n].view(np.float64), np.array([30, 60, 90])
            find_cells(numbers.ravel(), of_columns, lowest, np.cumsum(sizes)[2::3].copy(), places)
            found += [cells[:n], weight[:n], digits, sizes, places]
    return found


@case
def radix_sort(random: np.random.Generator) -> Results:
    from suffice.kernels.radix_sort import order_hashes

    keys, rows = random.integers(0, 2**64, 40, dtype=np.uint64), random.permutation(40)[:30].astype(np.int32)
    keys[rows[7]] = keys[rows[20]]
    found: Results = []
    for given in (keys, np.arange(40, dtype=np.uint64)[::-1].copy()):
        ordered = np.empty(30, dtype=np.uint64), np.empty(30, dtype=np.int32)
        is_done = order_hashes(given, rows, 3, np.empty(8, dtype=np.int32), *ordered)
        found += [np.array([is_done]), *(ordered if is_done else ())]
    return found


@case
def counting_sort(random: np.random.Generator) -> Results:
    from suffice.kernels.counting_sort import order_codes

    ends, rows = np.empty(5, dtype=np.int64), np.empty(30, dtype=np.int32)
    order_codes(random.integers(0, 4, 30).astype(np.int32), ends, rows)
    return [ends, rows]


@case
def dealing(random: np.random.Generator) -> Results:
    from suffice.kernels.dealing import deal_in_turn

    folds = np.full(30, -1, dtype=np.int32)
    deal_in_turn(random.permutation(30)[:20].astype(np.int32), np.array([2, 0, 1], dtype=np.int32), 1, folds)
    return [folds]


@case
def normality(random: np.random.Generator) -> Results:
    from suffice.kernels.normality import jarque_bera

    statistic = np.empty(4)
    jarque_bera(random.normal(size=30), random.random(30), np.array([1, 12, 12, 30]), statistic)
    return [statistic]


@case
def one_column_losses(random: np.random.Generator) -> Results:
    from suffice.kernels.one_column_losses import loss_of_bins, loss_of_gaussian

    table, first = random.integers(0, 4, (20, 3)).astype(np.float64), np.array([0, 8])
    table[:, 0] += 1.0
    of_bins, of_gaussian = np.empty(2), np.empty(2)
    loss_of_bins(table, random.random((20, 3)), first, of_bins)
    loss_of_gaussian(random.normal(size=20), table, first, 0.5, 1e-9, of_gaussian)
    return [of_bins, of_gaussian]


@case
def row_keys(random: np.random.Generator) -> Results:
    from suffice.kernels.row_keys import mix_codes, mix_columns, mix_rows

    numbers, codes = random.choice([0.0, -0.0, np.nan, 2.5], (20, 3)), random.integers(-1, 3, (2, 20)).astype(np.int32)
    keys, by_column = np.zeros((1, 20), dtype=np.uint64), np.zeros((1, 20), dtype=np.uint64)
    mix_rows(numbers.view(np.uint64), np.arange(3), 0, 20, keys)
    mix_rows(numbers.view(np.uint64), np.array([2]), 5, 20, keys)
    mix_columns(np.ascontiguousarray(numbers.T).view(np.uint64), np.array([2, 0]), 0, 20, by_column)
    mix_codes(codes, 5, 20, keys)
    return [keys >> np.uint64(32), keys & np.uint64(2**32 - 1), by_column >> np.uint64(32)]


@case
def posterior(random: np.random.Generator) -> Results:
    from suffice.kernels.posterior import find_shares

    scores = random.normal(0.0, 5.0, (20, 3))
    scores[0], scores[1], scores[2, 1], scores[3, 0] = -np.inf, np.nan, -np.inf, np.inf
    found: Results = []
    for of_some in (scores, np.ascontiguousarray(scores[:, :2])):
        for is_log in (False, True):
            found += [np.empty(of_some.shape)]
            found += [np.array(find_shares(of_some, np.full(of_some.shape[1], 0.5), is_log, found[-1]))]
    return found


def some_terms(random: np.random.Generator) -> Any:
    """Two numbers, one with gaps; a square and a product; levels of two columns, one times a number, and pairs."""
    from suffice.kernels.terms import Terms

    coded = np.array([[0, -1, 0, 6], [1, -1, 0, 10], [0, 1, 3, 13]], dtype=np.int32)
    places = np.arange(25, dtype=np.int32) - 1
    places[[7, 14]] = -1
    products = np.array([[1, 1], [1, 2]], dtype=np.int32)
    numbers = random.random(2), random.random(2) + 0.5, random.random(2)
    return Terms(*numbers, np.array([1], dtype=np.int32), products, coded, np.array([0, 1, 0], dtype=np.int32), places)


def some_rows(random: np.random.Generator, rows: int = 70) -> tuple[np.ndarray, np.ndarray]:
    numeric = random.standard_normal((rows, 2))
    numeric[random.random(rows) < 0.2, 1] = np.nan
    return numeric, np.array([random.integers(-1, 3, rows), random.integers(-1, 2, rows)], dtype=np.int32)


def some_shares(random: np.random.Generator, rows: int = 70, classes: int = 2) -> np.ndarray:
    shares = random.random((rows, classes + 1))
    return np.ascontiguousarray((shares / shares.sum(axis=1, keepdims=True))[:, :classes])


@case
def terms(random: np.random.Generator) -> Results:
    from suffice.kernels.terms import read_rows

    design, (numeric, codes) = some_terms(random), some_rows(random)
    dense, places = np.empty((70, 6)), np.empty((70, 3), dtype=np.int32)
    read_rows(design, numeric, codes, dense, places)
    return [dense, places]


@case
def weighing(random: np.random.Generator) -> Results:
    from suffice.kernels.weighing import weigh_rows

    found = []
    for classes in (1, 3):
        outcome = random.integers(-1, classes, 30).astype(np.int32)
        for weights in (np.empty(0), random.random(30)):
            scores, residual = random.normal(0.0, 30.0, (30, classes)), np.empty((30, classes))
            total = weigh_rows(scores, outcome, weights, residual)
            found += [scores, residual, np.array(total)]
    return found


@case
def newton_steps(random: np.random.Generator) -> Results:
    from suffice.kernels.newton_steps import take_full_steps

    found: Results = []
    for classes in (1, 2):
        x, strength = np.column_stack([np.ones(30), random.normal(size=(30, 2))]), np.array([0.0, 0.5, 0.5])
        outcome, size = random.integers(-1, classes, 30).astype(np.int32), 3 * classes
        for weights, least_gain in ((np.empty(0), np.inf), (random.random(30), 1e-9)):
            path, values = np.zeros((9, size)), np.zeros((9, 2))
            gradients, hessian = np.zeros((9, size)), np.zeros((size, size))
            limits = (1e-6, least_gain, 1e-4, 1e-13, 1e-11)
            taken = take_full_steps(
                x, outcome, weights, strength, (classes - 1) / 3, *limits, path, values, gradients, hessian
            )
            found += [path[taken], values[: taken + 1], gradients[0], hessian]
    return found


@case
def left_out(random: np.random.Generator) -> Results:
    from suffice.kernels.left_out import left_out_loss

    losses = []
    for classes in (1, 3):
        half = random.random((20, classes, classes)) / 4
        leverage = (half @ half.transpose(0, 2, 1)).reshape(20, -1)
        outcome = random.integers(-1, classes, 20).astype(np.int32)
        odds = random.normal(size=(20, classes))
        losses.append(left_out_loss(odds, leverage, np.ones(20), outcome, random.random(20)))
    impossible = left_out_loss(np.zeros((1, 1)), np.full((1, 1), 4.0), np.ones(1), np.zeros(1, np.int32), np.ones(1))
    return [np.array([*losses, impossible])]


@case
def log_likelihood(random: np.random.Generator) -> Results:
    from suffice.kernels.log_likelihood import add_hessian_product, log_likelihood_of_rows, score_rows

    design, (numeric, codes) = some_terms(random), some_rows(random)
    outcome = random.integers(-1, 2, 70).astype(np.int32)
    dense, coded = random.random((2, 6)), random.random((24, 2))
    scores = np.empty((70, 2))
    score_rows(design, numeric, codes, dense, coded, scores)
    found = [scores]
    for weights in (np.empty(0), random.random(70)):
        sums, coded_sums, shares = np.full((2, 6), 100.0), np.full((24, 2), 100.0), np.empty((70, 2))
        total = log_likelihood_of_rows(design, numeric, codes, outcome, weights, dense, coded, sums, coded_sums, shares)
        found += [np.array(total), sums, coded_sums, shares]
        sums, coded_sums = np.full((2, 6), 100.0), np.full((24, 2), 100.0)
        add_hessian_product(design, numeric, codes, weights, shares, dense, coded, sums, coded_sums)
        found += [sums, coded_sums]
    return found


@case
def plain_log_likelihood(random: np.random.Generator) -> Results:
    from suffice.kernels.log_likelihood import log_likelihood_of_plain_rows

    found = []
    for classes, weights in ((1, np.empty(0)), (2, random.random(70))):
        rows, outcome = random.standard_normal((70, 5)), random.integers(-1, classes, 70).astype(np.int32)
        slope, constant = random.random((classes, 5)), random.random(classes)
        sums, totals, shares = np.full((classes, 5), 100.0), np.full(classes, 100.0), np.empty((70, classes))
        total = log_likelihood_of_plain_rows(rows, outcome, weights, slope, constant, sums, totals, shares)
        found += [np.array(total), sums, totals, shares]
    return found


@case
def hessian(random: np.random.Generator) -> Results:
    from suffice.kernels.hessian import add_border, add_coded_hessian, scale_to_pairs, spread_rows

    design, (numeric, codes), shares = some_terms(random), some_rows(random), some_shares(random)
    level, found = random.integers(-1, 4, 70).astype(np.int32), []
    for weights in (np.empty(0), random.random(70)):
        spread, pairs, own_pairs = np.empty((66, 12)), np.empty((3 * 66, 8)), np.empty((2 * 66, 8))
        spread_rows(design, numeric, shares, weights, 4, spread)
        scale_to_pairs(design, numeric, shares, weights, 4, 66, False, pairs)
        scale_to_pairs(design, numeric, shares, weights, 4, 66, True, own_pairs)
        coded, mixed = np.zeros((48, 48)), np.zeros((48, 12))
        add_coded_hessian(design, numeric, codes, shares, weights, coded, mixed)
        border, own = np.zeros((16, 6 + 24)), np.zeros((4, 4))
        add_border(design, numeric, codes, level, shares, weights, border, own)
        found += [spread, pairs, own_pairs, coded, mixed, border, own]
    return found


@case
def occurrences(random: np.random.Generator) -> Results:
    from suffice.kernels.occurrences import sum_powers

    design, (numeric, codes), found = some_terms(random), some_rows(random), []
    for weights in (np.empty(0), random.random(70)):
        dense, coded = np.zeros((6, 2)), np.zeros((24, 2))
        sum_powers(design, numeric, codes, weights, dense, coded)
        found += [dense, coded]
    return found


@case
def perceptron(random: np.random.Generator) -> Results:
    from suffice.kernels.perceptron_sums import correct_rows, count_mistakes

    found = []
    for classes, row_weights in ((2, np.empty(0)), (3, random.random(40))):
        dense, places = random.standard_normal((40, 5)), random.integers(-1, 4, (40, 2)).astype(np.int32)
        taught, order = random.integers(0, classes, 40).astype(np.int32), random.permutation(40)
        weights, coded = np.zeros((classes, 5)), np.zeros((4, classes))
        corrected = correct_rows(dense, places, taught, row_weights, order, weights, coded)
        left = count_mistakes(dense, places, taught, row_weights, weights, coded, np.inf)
        few = count_mistakes(dense, places, taught, row_weights, weights, coded, 2.0)
        found += [np.array(corrected), np.array(left), np.array(few), weights, coded]
    return found


def some_bags(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sparse rows of seven dimensions, some of them empty."""
    starts = np.cumsum([0, *random.integers(0, 5, 12)]).astype(np.int64)
    return starts, random.integers(0, 7, starts[-1]).astype(np.int32), random.normal(size=starts[-1])


@case
def bag_rows(random: np.random.Generator) -> Results:
    from suffice.kernels.bag_rows import add_bags_hessian_product, score_bags, sum_bags

    found = []
    for weights in (np.empty(0), random.random(12)):
        bags, direction, shares = some_bags(random), random.normal(size=(7, 3)), some_shares(random, 12, 3)
        found += [np.empty((12, 3)), np.zeros((7, 3)), np.zeros((7, 3))]
        score_bags(*bags, direction, found[-3])
        sum_bags(*bags, shares, found[-2])
        add_bags_hessian_product(*bags, weights, shares, direction, found[-1])
    return found


CASES.update(TREE_CASES | SORTED_TREE_CASES)


@case
def moments(random: np.random.Generator) -> Results:
    from suffice.kernels.moments import has_infinity, is_far_from_zero, measure_moments, merge_cells

    found = []
    for gaps, centre in ((0.0, 0.0), (0.2, 0.0), (0.2, 1e9)):
        x, classes = random.normal(centre, 1.0, (40, 3)), random.integers(0, 2, 40).astype(np.int32)
        x[random.random((40, 3)) < gaps] = np.nan
        for weights in (np.empty(0), random.random(40)):
            parts = [np.zeros((2, 3)) for _ in range(3)]
            measure_moments(x, classes, weights, 16, *parts)
            doubled = [part.copy() for part in parts]
            merge_cells(*doubled, *parts)
            found += [*parts, *doubled, np.array(is_far_from_zero(*parts))]
    infinite = np.array([has_infinity(np.array([1.0, end])) for end in (2.0, np.nan, np.inf, -np.inf)])
    return [*found, infinite]


@case
def tails(random: np.random.Generator) -> Results:
    from suffice.kernels.tails import add_powers

    x, classes = random.normal(0.0, 1.0, (40, 3)), random.integers(0, 2, 40).astype(np.int32)
    x[random.random((40, 3)) < 0.2] = np.nan
    (mean, scale), found = random.random((2, 2, 3)), []
    for weights in (np.empty(0), random.random(40)):
        third, fourth = np.zeros((2, 3)), np.ones((2, 3))
        add_powers(x, classes, weights, mean, scale, third, fourth)
        found += [third, fourth]
    return found


@case
def variances(random: np.random.Generator) -> Results:
    from suffice.kernels.variances import find_variance_floors

    weight, found = random.integers(0, 3, (2, 4)).astype(np.float64), []
    for smoothing in (0.0, 0.5):
        found.append(np.empty((2, 4)))
        find_variance_floors(weight, random.random(4), smoothing, 0.3 * random.random(4), found[-1])
    return found


@case
def matrix_moments(random: np.random.Generator) -> Results:
    from suffice.kernels.matrix_moments import add_around, centre_by_class

    x, classes, found = random.normal(0.0, 1.0, (20, 3)), random.integers(0, 2, 20).astype(np.int32), []
    for weights in (np.empty(0), random.random(20)):
        more, rest, ends, centred = np.zeros(3), np.zeros((3, 3)), np.zeros(3, dtype=np.int32), np.empty((20, 3))
        centre_by_class(x, classes, weights, np.full((3, 3), 0.1), more, rest, ends, centred)
        found += [more, rest, ends, centred]
        for products in (np.full((9, 3), 40.0), np.zeros((9, 3)), np.full((9, 3), np.nan)):
            weight, mean, scatter = np.ones(3), np.full((3, 3), 0.1), np.ones((9, 3))
            is_added = add_around(weight, mean, scatter, more, rest, products)
            found += [np.array([is_added]), weight, mean, scatter]
    return found


@case
def indicators(random: np.random.Generator) -> Results:
    from suffice.kernels.indicators import expand_rows

    codes = random.integers(-1, 3, (2, 20)).astype(np.int32)
    places, offsets = np.array([2, 3, -1, 4, -1, 5], dtype=np.int32), np.array([0, 3, 6], dtype=np.int32)
    out = np.empty((20, 6))
    expand_rows(random.random((20, 2)), codes, places, offsets, np.array([2, 4, 6], dtype=np.int32), out)
    return [out]


@case
def level_products(random: np.random.Generator) -> Results:
    from suffice.kernels.level_products import add_level_products, centre_level_products

    x, classes, found = random.normal(0.0, 1.0, (20, 2)), random.integers(0, 2, 20).astype(np.int32), []
    codes = random.integers(0, 3, (2, 20)).astype(np.int32)
    places, offsets = np.array([0, 1, -1, 2, -1, 3], dtype=np.int32), np.array([0, 3, 6], dtype=np.int32)
    for weights in (np.empty(0), random.random(20)):
        sums, pairs, rest = np.zeros((12, 2)), np.zeros((12, 4)), np.zeros((3, 2))
        add_level_products(x, codes, places, offsets, classes, weights, random.random((3, 2)), sums, pairs, rest)
        mean, scatter = np.zeros((3, 6)), np.zeros((18, 6))
        total = np.bincount(classes, weights if len(weights) else None, minlength=3).astype(np.float64)
        centre_level_products(total, sums, pairs, rest, mean, scatter)
        found += [sums, pairs, rest, mean, scatter]
    return found


@case
def ties(random: np.random.Generator) -> Results:
    from suffice.kernels.ties import find_largest

    rows, found = random.integers(0, 3, (30, 4)) + 0.1, np.empty(30, dtype=np.int64)
    rows[0], rows[1, 2], rows[2] = np.nan, np.inf, -np.inf
    find_largest(rows, 1e-10, found)
    return [found]


@case
def metrics(random: np.random.Generator) -> Results:
    from suffice.kernels.metrics import area_between, find_probabilities_of_right, part_scores

    classes, weights = random.integers(0, 3, 30).astype(np.int32), random.random(30)
    own, score = np.empty(30), np.sort(np.round(random.random(30), 1))
    find_probabilities_of_right(random.random((30, 3)), classes, 0.3, own)
    areas = [
        area_between(score[is_right], weights[is_right], score[~is_right], weights[~is_right])
        for is_right in (classes == 0, classes == 9)
    ]
    parted = np.empty(30)
    positives = part_scores(score, (classes == 0).view(np.uint8), parted)
    return [own, np.array([*areas, positives]), parted]


@case
def levels(random: np.random.Generator) -> Results:
    from suffice.kernels.levels import add_levels

    codes, offsets = random.integers(-1, 3, (2, 20)).astype(np.int32), np.array([0, 3, 6], dtype=np.int32)
    table, plain, in_blocks = random.random((6, 4)), np.zeros((20, 2)), np.zeros((20, 2))
    add_levels(codes, np.empty(0, dtype=np.int32), offsets, table, plain)
    add_levels(codes, random.integers(0, 2, 20).astype(np.int32), offsets, table, in_blocks)
    return [plain, in_blocks]


@case
def densities(random: np.random.Generator) -> Results:
    from suffice.kernels.density_sums import add_densities, score_rows

    x, (mean, precision, constant) = random.normal(0.0, 1.0, (20, 5)), random.random((3, 4, 5))
    scores, plain, in_blocks = np.empty((20, 4)), np.zeros((20, 2)), np.zeros((20, 2))
    x[3], x[4, 1] = 1e200, np.inf
    score_rows(x, mean[0], precision, constant[:, 0].copy(), 1e150, scores)
    x[:2, 2] = x[2, 0] = np.nan
    offset = constant.sum(axis=1)
    add_densities(x, np.empty(0, dtype=np.int32), mean, precision, constant, offset, plain)
    blocks = random.integers(0, 2, 20).astype(np.int32)
    add_densities(x, blocks, mean, precision, constant, offset, in_blocks)
    return [scores, plain, in_blocks]


@case
def known_dimensions(random: np.random.Generator) -> Results:
    from suffice.kernels.known_dimensions import score_known

    z, roots = random.normal(size=(12, 4)), random.normal(size=(3, 4, 6))
    z[random.random(z.shape) < 0.4] = np.nan
    z[3, 1] = np.inf
    matrices = roots @ roots.transpose(0, 2, 1)
    matrices[2, 3] = matrices[2, :, 3] = 0.0  # singular
    found: Results = []
    for count in (1, 3):
        for is_linear in (True, False):
            scores = np.empty((12, 3))
            given = random.normal(size=(3, 4)), matrices[:count].reshape(-1, 4), random.random(4), random.random(3)
            score_known(z, *given, is_linear, scores)
            found.append(scores)
    return found


@case
def kernel_density(random: np.random.Generator) -> Results:
    from suffice.kernels.kernel_density import log_density

    values, out = np.sort(np.round(random.normal(0.0, 1.0, 12), 1)), np.empty(6)
    log_density(np.array([values[0], values[-1], 0.05, -9.0, 9.0, values[4]]), values, random.random(12), 0.2, out)
    return [out]


@case
def target(random: np.random.Generator) -> Results:
    from suffice.kernels.target import look_up, mark_present

    labels, is_present = random.integers(-3, 4, 20), np.zeros(7, dtype=bool)
    mark_present(labels, -3, is_present)
    codes = np.empty(20, dtype=np.int32)
    look_up(labels, -3, (np.cumsum(is_present) - 1).astype(np.int32), codes)
    return [is_present, codes]


@case
def words(random: np.random.Generator) -> Results:
    from suffice.kernels.words import find_words

    characters = random.integers(0, 4, 400).astype(np.int32)
    bounds = np.array([0, 0, 150, 151, 399, 400, 400])
    begins, sizes, ends = np.empty(135, np.int64), np.empty(135, np.int64), np.empty(6, np.int64)
    slots, tokens = np.full(256, -1, np.int32), np.empty(135, np.int32)
    is_of_word = np.array([False, True, True, True])
    count = find_words(characters, is_of_word, bounds, slots, begins, sizes, tokens, ends)
    return [np.array(count), begins[:count], sizes[:count], tokens[: ends[-1]], ends]


def results() -> dict[str, np.ndarray]:
    found = {}
    for name, function in CASES.items():
        for position, array in enumerate(function(np.random.default_rng(0))):
            found[f"{name} {position}"] = array
    return found


def save(folder: str, variant: str) -> None:
    os.environ["SUFFICE_KERNELS"] = variant
    np.savez(os.path.join(folder, f"{variant}.npz"), **results())


if __name__ == "__main__":
    import_module("scipy.special")  # slowly, so that it is done once for all variants where there are forks

    context = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
    for variant in sys.argv[2:]:
        process = context.Process(target=save, args=(sys.argv[1], variant))
        process.start()
        process.join()
        if process.exitcode:
            sys.exit(process.exitcode)
