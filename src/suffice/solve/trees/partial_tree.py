"""The tree while it grows: what is known of its nodes so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from suffice.errors import Message, Setting, TableError
from suffice.kernels.tree_leaves import find_missing_branches
from suffice.models.trees.nodes import ALL_BRANCHES, Nodes
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.split_rule import EVERY_BRANCH, SplitRule

MOST_NODES = 20_000_000


@dataclass(frozen=True)
class Splits:
    """Some nodes' splits; the branches of all stand side by side from `first` on."""

    node: Codes
    column: Codes
    threshold: Array
    first: Codes  # the number of a node's first branch
    branch_count: Codes
    missing_branch: Codes
    subset: Codes  # where its levels begin in the tree's list, or -1


@dataclass
class PartialTree:
    """The nodes found so far; the only thing that changes while a tree grows."""

    rule: SplitRule
    levels: tuple[int, ...]
    statistic: list[Array]
    count: int = 1
    subset_size: int = 0
    splits: list[Splits] = field(default_factory=list)
    takes_first: list[AnyArray] = field(default_factory=list)

    def add(
        self,
        node: Codes,
        column: Codes,
        threshold: Array,
        branch_count: Codes,
        missing_branch: Codes,
        subset: Codes,
        takes_first: AnyArray,
        statistic: Array,
    ) -> AnyArray:
        """Split nodes; `subset` counts within `takes_first`. Returns the numbers of all their branches."""
        if self.count + len(statistic) > MOST_NODES:
            raise TableError(
                Message(
                    f"The tree has more than {MOST_NODES:,} nodes. Leave out columns of very many levels, group their "
                    "levels, use ",
                    Setting("splits", "binary"),
                    ", or limit it by max_depth, min_leaf or max_leaves.",
                )
            )
        first = (self.count + branch_count.cumsum() - branch_count).astype(np.int32)
        placed = np.where(subset >= 0, subset + self.subset_size, -1).astype(np.int32)
        self.splits.append(Splits(node, column, threshold, first, branch_count, missing_branch, placed))
        self.takes_first.append(takes_first)
        self.subset_size += len(takes_first)
        self.statistic.append(statistic)
        numbers = np.arange(self.count, self.count + len(statistic))
        self.count += len(statistic)
        return numbers

    def graft(self, node: int, subtree: Nodes) -> None:
        """Put a tree of its own, numbered level by level, in the place of a leaf."""
        inner = np.flatnonzero(~subtree.is_leaf)
        if not len(inner):
            return
        shift = self.count - 1  # its root is there already
        self.splits.append(
            Splits(
                np.where(inner > 0, inner + shift, node).astype(np.int32),
                subtree.column[inner],
                subtree.threshold[inner],
                subtree.first_branch[inner] + np.int32(shift),
                subtree.branch_count[inner],
                subtree.missing_branch[inner],
                np.where(subtree.subset[inner] >= 0, subtree.subset[inner] + self.subset_size, -1).astype(np.int32),
            )
        )
        self.takes_first.append(subtree.takes_first)
        self.subset_size += len(subtree.takes_first)
        self.statistic.append(subtree.statistic[1:])
        self.count += subtree.count - 1

    def nodes(self) -> Nodes:
        """The finished tree, numbered level by level."""
        return self.so_far().renumbered()

    def so_far(self) -> Nodes:
        """The tree as it stands, under the numbers its nodes were given."""
        column, first, subset = (np.full(self.count, -1, dtype=np.int32) for _ in range(3))
        missing = np.full(self.count, ALL_BRANCHES, dtype=np.int32)
        branch_count = np.zeros(self.count, dtype=np.int32)
        threshold = np.full(self.count, np.nan)
        for part in self.splits:
            column[part.node], threshold[part.node] = part.column, part.threshold
            first[part.node], branch_count[part.node] = part.first, part.branch_count
            missing[part.node], subset[part.node] = part.missing_branch, part.subset
        takes_first = np.concatenate([np.empty(0, dtype=np.bool_), *self.takes_first])
        statistic = np.concatenate(self.statistic)
        return Nodes(column, threshold, first, branch_count, missing, subset, takes_first, statistic)


def missing_branches(home: Codes, first: AnyArray, branch_count: Codes, weight: Array, rule: SplitRule) -> Codes:
    """The branch missing values take: all; or the learned one, or the heaviest where there were none to learn from."""
    if rule.missing == EVERY_BRANCH:
        return np.full(len(home), ALL_BRANCHES, dtype=np.int32)
    taken = np.empty(len(home), dtype=np.int32)
    find_missing_branches(home, first.astype(np.int64), branch_count.astype(np.int32), weight, taken)
    return taken
