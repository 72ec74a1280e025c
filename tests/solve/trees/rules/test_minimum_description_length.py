"""Choosing rules by description length: kept sums equal to recounted ones, and a choice no single change improves."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import comb

from suffice.solve.trees.rules.minimum_description_length import (
    Choice,
    Incidence,
    cheapest_subset,
    description_length,
    log2_choose,
)


def problem(seed, rules=7, rows=40):
    random = np.random.default_rng(seed)
    is_positive = random.random(rows) < 0.4
    covers = [
        np.flatnonzero(random.random(rows) < np.where(is_positive, random.random(), 0.1)).astype(np.int32)
        for _ in range(rules)
    ]
    return covers, random.uniform(2, 9, rules), random.integers(1, 4, rows).astype(float), is_positive


def length_of(chosen, covers, bits, weight, is_positive):
    """The description length, counted from the rows."""
    is_covered = np.zeros(len(weight), dtype=bool)
    for i in np.flatnonzero(chosen):
        is_covered[covers[i]] = True
    positive, negative = weight[is_covered & is_positive].sum(), weight[is_covered & ~is_positive].sum()
    whole = np.array([weight[is_positive].sum(), weight[~is_positive].sum()])
    return float(description_length(np.sum(bits[chosen]), np.sum(chosen), positive, negative, whole))


@pytest.mark.parametrize(("count", "chosen"), [(0, 0), (5, 2), (40, 13)])
def test_the_bits_of_exceptions_are_those_of_the_number_of_choices(count, chosen):
    assert log2_choose(np.array(float(count)), np.array(float(chosen))) == pytest.approx(np.log2(comb(count, chosen)))


def test_the_order_of_rules_says_nothing():
    whole = np.array([4.0, 4.0])
    three = description_length(np.array(30.0), np.array(3.0), np.array(4.0), np.array(0.0), whole)
    assert three == pytest.approx(0.5 * (30.0 - np.log2(6)))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("with_all", [False, True])
def test_sums_kept_while_rules_change_equal_those_counted_anew(seed, with_all):
    covers, _, weight, is_positive = problem(seed)
    incidence = Incidence.of(covers, weight, is_positive)
    choice = Choice.starting(incidence, with_all)
    for rule in np.random.default_rng(seed).integers(0, len(covers), 30):
        choice.turn(int(rule))
        times = sum((np.bincount(covers[i], minlength=40) for i in np.flatnonzero(choice.is_chosen)), np.zeros(40, int))
        np.testing.assert_array_equal(choice.times, times)
        sides = np.stack([weight * is_positive, weight * ~is_positive])
        np.testing.assert_allclose(choice.covered, sides[:, times > 0].sum(axis=1))
        for kept, count in ((choice.never, 0), (choice.once, 1)):
            expected = [[side[cover][times[cover] == count].sum() for cover in covers] for side in sides]
            np.testing.assert_allclose(kept, expected)


@pytest.mark.parametrize("seed", range(8))
def test_no_single_change_makes_the_description_shorter(seed):
    arguments = problem(seed)
    chosen = cheapest_subset(*arguments)
    shortest = length_of(chosen, *arguments)
    for i in range(len(chosen)):
        changed = chosen.copy()
        changed[i] = not changed[i]
        assert length_of(changed, *arguments) >= shortest - 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_the_choice_is_near_the_best_of_all_choices(seed):
    arguments = problem(seed)
    every = [length_of(np.array(choice), *arguments) for choice in product([False, True], repeat=7)]
    assert length_of(cheapest_subset(*arguments), *arguments) <= min(every) + 3.0


def test_a_rule_that_covers_the_class_is_chosen_and_its_like_is_not():
    rows, others = np.arange(20, dtype=np.int32), np.arange(15, 40, dtype=np.int32)
    is_positive = np.arange(40) < 20
    chosen = cheapest_subset([others, rows, rows], np.array([4.0, 4.0, 4.0]), np.ones(40), is_positive)
    assert chosen.tolist() == [False, True, False]


def test_without_rules_nothing_is_chosen():
    assert cheapest_subset([], np.empty(0), np.ones(3), np.array([True, False, True])).tolist() == []
