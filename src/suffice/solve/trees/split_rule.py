"""The splitting criterion: which splits are allowed, and which of them is the best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.kernels import tree_rule
from suffice.solve.trees.impurity import ENTROPY, GINI

EVERY_BRANCH, ONE_BRANCH, NO_LEAST, GAP, SAME = tree_rule.CONSTANTS
ENOUGH = 1.0 - 1e-9  # of a weight that is asked for: parts of rows may not add up to the last digit
NO_SPLIT = -np.inf  # the gain where no split is allowed


class SplitRule(NamedTuple):
    """What a tree's criterion and settings mean to the kernels."""

    kind: int  # of impurity
    is_ratio: bool  # C4.5: choose by gain ratio, under its conditions
    is_multiway: bool  # a nominal column has a branch for every level, rather than two
    missing: int  # EVERY_BRANCH: fractional instances; ONE_BRANCH: the better direction is learned
    least: float  # the weight a branch must have
    min_split: float  # the weight a node must have to be split
    max_depth: int
    width: int  # numbers in a node's statistic: one per class, or three
    classes: int  # also those that are declared and have no rows
    scale: float  # the variance of all outcomes, where they are numbers

    @property
    def classifies(self) -> bool:
        """Whether outcomes are classes, not numbers."""
        return self.kind in (ENTROPY, GINI)

    @property
    def compiled(self) -> tree_rule.Rule:
        """The same for compiled kernels."""
        return tree_rule.Rule(*self)
