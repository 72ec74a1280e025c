"""The splitting criterion: which splits are allowed, and which of them is the best."""

from __future__ import annotations

import numpy as np

from suffice.kernels.tree_rule import CONSTANTS
from suffice.kernels.tree_rule import Rule as SplitRule

EVERY_BRANCH, ONE_BRANCH, NO_LEAST, GAP, SAME = CONSTANTS
ENOUGH = 1.0 - 1e-9  # of a weight that is asked for: parts of rows may not add up to the last digit
NO_SPLIT = -np.inf  # the gain where no split is allowed

__all__ = ["ENOUGH", "EVERY_BRANCH", "GAP", "NO_LEAST", "NO_SPLIT", "ONE_BRANCH", "SAME", "SplitRule"]
