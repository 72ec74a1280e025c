"""Histogram-based levels: exact splits without sorting, while nodes have many rows.

A cut between intervals is read off the histogram of a node; an interval is opened, its rows looked at one by one, only
where a bound says that the best cut may lie inside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.kernels.tree_counting import groups_in
from suffice.kernels.tree_levels import Groups, split_groups
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.split_rule import NO_SPLIT, SplitRule


class Carried(NamedTuple):
    """What is carried along from level to level, the rows of a node side by side: memory is then read in order."""

    row: Codes  # (place,) which row of the table
    codes: AnyArray  # (place, byte) uint8 or uint16
    words: AnyArray  # (place, word) the same memory, eight bytes at a time
    outcome: Array  # (place,)
    weight: Array  # (place,) or empty: every row weighs 1

    @classmethod
    def of(cls, row: Codes, codes: AnyArray, outcome: Array, weight: Array) -> Carried:
        """These rows."""
        return cls(row, codes, codes.view(np.uint64), outcome, weight)

    def room(self) -> Carried:
        """Room for as many rows."""
        same = np.empty_like
        return Carried.of(same(self.row), same(self.codes), same(self.outcome), same(self.weight))


class Level(NamedTuple):
    """The nodes of one level that are large enough to count."""

    node: Codes  # (open node,) its number in the tree
    begin: AnyArray  # (open node,) where its rows stand
    end: AnyArray
    rows: Carried
    histogram: Array  # (open node, code, width)
    total: Array  # (open node, width)


class Cuts(NamedTuple):
    """For every column and node the best split found: what it gains, where it cuts, where missing values go."""

    gain: Array  # (column, open node)
    limit: Array  # (column, open node) the largest value, or an interval's edge, of the first branch
    home: Codes  # (column, open node) -1: there are no missing values
    reach: Array  # (column, open node) what a cut within an interval could gain at most

    @classmethod
    def nothing(cls, columns: int, nodes: int) -> Cuts:
        """No split found yet."""
        shape = (columns, nodes)
        return cls(
            np.full(shape, NO_SPLIT), np.full(shape, np.inf), np.full(shape, -1, np.int32), np.full(shape, NO_SPLIT)
        )


class Branches(NamedTuple):
    """The branches of a level's nodes, all in turn, and the rows in them."""

    first: AnyArray  # (open node,) its first branch
    number: Codes  # (open node,) of its branches, 0 where the node becomes a leaf
    subset: AnyArray  # (open node,) where its levels begin in `takes_first`, or -1
    takes_first: AnyArray
    threshold: Array  # (open node,)
    rows: Carried
    begin: AnyArray  # (branch,)
    end: AnyArray  # (branch,)
    statistic: Array  # (branch, width)


def part_levels(
    histogram: Array, low: int, high: int, total: Array, rule: SplitRule, table: Array, gain: Array, home: Codes
) -> Groups:
    """The best binary partition of one nominal column's levels at every node; returns the levels, parted.

    The column's codes stand from `low` to `high` in the histograms.
    """
    size, width = histogram.shape[1:]
    start, code, statistic = groups_in(histogram.reshape(-1), size, width, low, high, rule.kind)
    groups = Groups(start, code, statistic, np.zeros(len(code), dtype=np.bool_))
    split_groups(groups, total.reshape(-1), rule, table, gain, np.empty(len(total)), home)
    return groups
