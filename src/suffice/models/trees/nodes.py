"""The nodes of a tree as arrays: what each tests, where its branches lead, and what its rows were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.kernels.tree_walks import nodes_below, parents, roots
from suffice.schema import AnyArray, Array, Codes
from suffice.soundness import require_a, require_codes, require_flags, require_numbers

ALL_BRANCHES = -1  # where a missing value goes down every branch, by the share of its weight
LEAF = -1  # in place of the node that a test came from


@dataclass(frozen=True)
class Nodes:
    """One entry per node; node 0 is the root, and the branches of a node stand side by side.

    A numeric test sends a value of at most `threshold` to the first branch, any other to the second (a threshold of
    infinity parts known from missing). A nominal test has a branch for every level, or two: then `takes_first`
    holds, from `subset` on, for every level of the column whether it takes the first.
    """

    column: Codes  # (node,) the position of the tested column in the schema; -1 in a leaf
    threshold: Array  # (node,) not a number unless the test is numeric
    first_branch: Codes  # (node,) the node its first branch leads to; -1 in a leaf
    branch_count: Codes  # (node,) 0 in a leaf
    missing_branch: Codes  # (node,) which branch a missing value takes; -1: every one
    subset: Codes  # (node,) where its levels begin in `takes_first`; -1 unless it parts levels in two
    takes_first: AnyArray  # (level of every subset in turn,) bool
    statistic: Array  # (node, class) weight per class; for numbers (node, 3): weight, mean, squared deviations

    @property
    def count(self) -> int:
        """How many nodes there are, leaves included."""
        return len(self.column)

    @cached_property
    def is_leaf(self) -> AnyArray:
        """Which nodes have no branches."""
        is_leaf: AnyArray = self.branch_count == 0
        return is_leaf

    @property
    def leaf_count(self) -> int:
        """How many leaves there are."""
        return int(np.count_nonzero(self.is_leaf))

    @cached_property
    def parent(self) -> Codes:
        """The node above each node; -1 for the root."""
        above: Codes = parents(self.first_branch, self.branch_count)
        return above

    def path(self, node: int) -> list[int]:
        """The nodes from the root to a node."""
        found = [node]
        while (node := int(self.parent[node])) >= 0:
            found.append(node)
        return found[::-1]

    @cached_property
    def root(self) -> Codes:
        """The root above each node, where several trees stand side by side; else 0."""
        root: Codes = roots(self.parent)
        return root

    @cached_property
    def level(self) -> Codes:
        """How many tests lie above each node; nodes stand after their parents."""
        level = np.zeros(self.count, dtype=np.int32)
        above = np.zeros(1, dtype=np.int32)
        while len(above):
            inner = above[~self.is_leaf[above]]
            below = branches(self.first_branch[inner], self.branch_count[inner])
            level[below] = np.repeat(level[inner], self.branch_count[inner]) + 1
            above = below
        return level

    @property
    def depth(self) -> int:
        """How many tests the longest path has."""
        return int(self.level.max())

    def require_sound(self) -> None:
        """What a file may have wrong: every node but the root must be the branch of one node before it."""
        require_a("nodes", self.column, np.ndarray)
        require_a("statistics of nodes", self.statistic, np.ndarray)
        require_a("subsets", self.takes_first, np.ndarray)
        count = self.count
        if not count:
            raise ValueError("the tree has no nodes")
        require_codes("tested columns", self.column, (count,), -1, 1 << 31)
        require_codes("branches", self.first_branch, (count,), -1, count - 1)
        require_codes("numbers of branches", self.branch_count, (count,), 0, count - 1)
        require_codes("branches of missing values", self.missing_branch, (count,), ALL_BRANCHES, count - 1)
        require_flags("subsets", self.takes_first, (len(self.takes_first),))
        require_codes("subsets", self.subset, (count,), -1, max(len(self.takes_first) - 1, -1))
        if self.threshold.dtype != np.float64 or self.threshold.shape != (count,):
            raise ValueError("the thresholds are not one for each node")
        require_numbers("statistics of nodes", self.statistic, (count, self.statistic.shape[-1]))
        inner = np.flatnonzero(~self.is_leaf)
        first, branch_count = self.first_branch[inner], self.branch_count[inner]
        if np.any(first <= inner) or np.any(self.missing_branch[inner] >= branch_count):
            raise ValueError("a branch of the tree leads nowhere")
        if int(branch_count.sum()) != count - 1 or np.any(
            np.sort(branches(first, branch_count)) != np.arange(1, count)
        ):
            raise ValueError("a node of the tree is the branch of none, or of several")

    def require_tests(self, levels: Sequence[int]) -> None:
        """Every test must ask about a column there is: `levels` says how many it has, 0 for a numeric one."""
        inner = np.flatnonzero(~self.is_leaf)
        column, subset, threshold = self.column[inner], self.subset[inner], self.threshold[inner]
        if np.any(column < 0) or np.any(column >= len(levels)):
            raise ValueError("the tree asks about a column that is not there")
        level_count = np.asarray(levels, dtype=np.int64)[column]
        needed = np.where((level_count == 0) | (subset >= 0), 2, level_count)
        if np.any(self.branch_count[inner] != needed):
            raise ValueError("a test of the tree does not fit its column")
        if np.any((subset >= 0) & ((level_count == 0) | (subset + level_count > len(self.takes_first)))):
            raise ValueError("a test of the tree does not fit its column")
        if np.any((level_count == 0) & (np.isnan(threshold) | (threshold == -np.inf))):
            raise ValueError("a threshold of the tree is no number")

    def children(self, node: int) -> range:
        """The nodes the branches lead to."""
        first = int(self.first_branch[node])
        return range(first, first + int(self.branch_count[node]))

    def reached(self, root: int = 0) -> Codes:
        """The nodes a root leads to, level by level, branches in order."""
        found: Codes = nodes_below(root, self.first_branch, self.branch_count)
        return found

    def renumbered(self, root: int = 0) -> Nodes:
        """The same tree with nothing left over: only the nodes the root leads to, numbered level by level.

        While several trees grow side by side, each has a root of its own.
        """
        kept = self.reached(root)
        number = np.full(self.count, -1, dtype=np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        first = self.first_branch[kept]
        subset, takes_first = _subsets(self, kept)
        return Nodes(
            self.column[kept],
            self.threshold[kept],
            np.where(first >= 0, number[np.maximum(first, 0)], -1).astype(np.int32),
            self.branch_count[kept],
            self.missing_branch[kept],
            subset,
            takes_first,
            self.statistic[kept],
        )

    def with_leaves(self, chosen: AnyArray) -> Nodes:
        """The same tree with some nodes turned into leaves."""
        return self.cut_at(chosen).renumbered()

    def cut_at(self, chosen: AnyArray) -> Nodes:
        """The same nodes, some of them turned into leaves; what was below them is no longer reached."""
        is_leaf = np.asarray(chosen, dtype=np.bool_) | self.is_leaf
        return self.with_tests_of(np.where(is_leaf, LEAF, np.arange(self.count)), self.statistic)

    def with_tests_of(self, origin: AnyArray, statistic: Array) -> Nodes:
        """The nodes with the tests that others of them had: of `origin` (node,), or none (`LEAF`)."""
        is_leaf = origin == LEAF
        return Nodes(
            np.where(is_leaf, -1, self.column[origin]).astype(np.int32),
            np.where(is_leaf, np.nan, self.threshold[origin]),
            np.where(is_leaf, -1, self.first_branch[origin]).astype(np.int32),
            np.where(is_leaf, 0, self.branch_count[origin]).astype(np.int32),
            np.where(is_leaf, ALL_BRANCHES, self.missing_branch[origin]).astype(np.int32),
            np.where(is_leaf, -1, self.subset[origin]).astype(np.int32),
            self.takes_first,
            statistic,
        )


def branches(first: Codes, count: Codes) -> Codes:
    """All nodes that runs of `count` nodes from `first` on hold.

    >>> branches(np.array([1, 7]), np.array([2, 3])).tolist()
    [1, 2, 7, 8, 9]
    """
    total = int(count.sum())
    ends = np.cumsum(count)
    within = np.arange(total) - np.repeat(ends - count, count)
    return (np.repeat(first, count) + within).astype(np.int32)


def _subsets(nodes: Nodes, kept: Codes) -> tuple[Codes, AnyArray]:
    """Where the levels of the kept nodes' subsets begin once those of the others are gone."""
    starts = nodes.subset[nodes.subset >= 0]
    if not len(starts):
        return np.full(len(kept), -1, dtype=np.int32), np.empty(0, dtype=np.bool_)
    ordered = np.append(np.unique(starts), len(nodes.takes_first))
    old = nodes.subset[kept]
    has = np.flatnonzero(old >= 0)
    position = np.searchsorted(ordered, old[has])
    sizes = (ordered[position + 1] - ordered[position]).astype(np.int32)
    subset = np.full(len(kept), -1, dtype=np.int32)
    subset[has] = np.cumsum(sizes) - sizes
    return subset, nodes.takes_first[branches(old[has], sizes)]
