"""What is asked of a node before it is split, and what is kept of it."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Numbers, OutNumbers
from cython.cimports.suffice.kernels.impurity_formulas import GINI, TIE, weight_of
from cython.cimports.suffice.kernels.rule_formulas import SAME
from cython.cimports.suffice.kernels.tree_rule import Rule

PURE = cython.declare(cython.double, 1e-12)  # of the weight, or the variance: what is left below is rounding
NOTHING = cython.declare(cython.double, 1e-300)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def may_split(rule: Rule, statistic: Numbers, at: cython.Py_ssize_t, depth: cython.Py_ssize_t) -> cython.bint:
    """Whether a node may be split: not pure, heavy enough, not too deep."""
    weight: cython.double = weight_of(rule.kind, statistic, at, rule.width)
    if not weight > 0.0 or not weight >= rule.min_split or depth >= rule.max_depth:
        return False
    if rule.kind > GINI:
        squares = statistic[at + 2] - statistic[at + 1] * statistic[at + 1] / (weight if weight > NOTHING else NOTHING)
        return not squares <= PURE * rule.scale * weight
    largest: cython.double = statistic[at]
    for k in range(at + 1, at + rule.width):
        largest = statistic[k] if statistic[k] > largest else largest
    return not weight - largest < SAME if rule.is_ratio else not weight - largest <= PURE * weight


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def keep(rule: Rule, statistic: Numbers, at: cython.Py_ssize_t, centre: cython.double, kept: OutNumbers) -> cython.void:
    """The statistic as a tree keeps it: class weights; or weight, mean and squared deviations."""
    if rule.kind > GINI:
        weight: cython.double = statistic[at] if statistic[at] > NOTHING else NOTHING
        squares: cython.double = statistic[at + 2] - statistic[at + 1] * statistic[at + 1] / weight
        kept[at] = statistic[at]
        kept[at + 1] = centre + statistic[at + 1] / weight
        kept[at + 2] = squares if squares > 0.0 else 0.0
        return
    for k in range(at, at + rule.width):
        kept[k] = statistic[k]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def missing_branch(
    home: cython.int, weight: Numbers, first: cython.Py_ssize_t, branches: cython.Py_ssize_t
) -> cython.int:
    """The branch missing values take: the learned one, or the heaviest where there were none to learn from."""
    if home >= 0:
        return home
    heaviest: cython.Py_ssize_t = 0
    for branch in range(1, branches):
        if weight[first + branch] > weight[first + heaviest] * (1.0 + TIE):
            heaviest = branch
    return cython.cast(cython.int, heaviest)
