"""Kernels on small arrays: `python kernel_cases.py FILE` saves what they give, in whatever variant is chosen."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

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
def posterior(random: np.random.Generator) -> Results:
    from suffice.kernels.posterior import find_shares

    scores = random.normal(0.0, 5.0, (20, 3))
    scores[0], scores[1], scores[2, 1], scores[3, 0] = -np.inf, np.nan, -np.inf, np.inf
    shares, logs = np.empty((20, 3)), np.empty((20, 3))
    impossible = [find_shares(scores, np.full(3, 0.5), is_log, out) for is_log, out in ((False, shares), (True, logs))]
    return [shares, logs, np.array(impossible)]


@case
def tree_leaves(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_leaves import KINDS, find_costs, find_missing_branches, find_weights

    found = []
    table = np.arange(50) * np.log2(np.maximum(np.arange(50), 1.0))
    for kind in KINDS:
        total = random.random(12) * 9.0 if kind > 1 else random.integers(0, 9, 12).astype(np.float64)
        total[3:6] = 0.0
        for logarithms in (np.empty(0), table) if kind < 1 and total[0] == int(total[0]) else (np.empty(0),):
            found += [np.empty(4), np.empty(4)]
            find_costs(kind, total, 3, logarithms, found[-2])
            find_weights(kind, total, 3, found[-1])
    home, counts = np.array([-1, 1, -1], dtype=np.int32), np.array([2, 2, 3], dtype=np.int32)
    taken = np.empty(3, dtype=np.int32)
    find_missing_branches(home, np.array([0, 2, 4]), counts, np.array([1.0, 1.0, 0.5, 0.5, 0.1, 0.7, 0.2]), taken)
    return [*found, taken]


@case
def tree_sorting(random: np.random.Generator) -> Results:
    from suffice.kernels.tree_sorting import sort_values

    found = []
    for values in (random.random(40), random.integers(0, 9, 300) / 8.0, np.repeat([1.7e308, -1.7e308], 50)):
        found += [values, np.arange(len(values), dtype=np.int32)]
        sort_values(*found[-2:])
    return found


def results() -> dict[str, np.ndarray]:
    found = {}
    for name, function in CASES.items():
        for position, array in enumerate(function(np.random.default_rng(0))):
            found[f"{name} {position}"] = array
    return found


if __name__ == "__main__":
    np.savez(sys.argv[1], **results())
