"""The splitting criterion of a tree: which splits are allowed and which is the best."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.impurity_formulas import GINI
from cython.cimports.suffice.kernels.rule_formulas import EVERY_BRANCH, GAP, NO_LEAST, ONE_BRANCH, SAME

CONSTANTS = (EVERY_BRANCH, ONE_BRANCH, NO_LEAST, GAP, SAME)  # for Python


@cython.cclass
class Rule:
    """What a tree's criterion and settings mean to the kernels."""

    def __init__(
        self,
        kind: int,
        is_ratio: bool,
        is_multiway: bool,
        missing: int,
        least: float,
        min_split: float,
        max_depth: int,
        width: int,
        classes: int,
        scale: float,
    ) -> None:
        self.kind = kind
        self.is_ratio = is_ratio
        self.is_multiway = is_multiway
        self.missing = missing
        self.least = least
        self.min_split = min_split
        self.max_depth = max_depth
        self.width = width
        self.classes = classes
        self.scale = scale

    @property
    def classifies(self) -> bool:
        """Whether outcomes are classes, not numbers."""
        return self.kind <= GINI

    def below(self, depth: int) -> Rule:
        """The rule of the tree that grows from a node so deep."""
        return Rule(*self._limits, self.max_depth - depth, self.width, self.classes, self.scale)

    def __reduce__(self) -> tuple[type[Rule], tuple[object, ...]]:
        """Rules are sent to where the rows are."""
        return Rule, (*self._limits, self.max_depth, self.width, self.classes, self.scale)

    @property
    def _limits(self) -> tuple[int, bool, bool, int, float, float]:
        return self.kind, self.is_ratio, self.is_multiway, self.missing, self.least, self.min_split
