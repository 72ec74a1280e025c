"""Best-first growth: trees of at most so many leaves, the splits that lower the impurity most coming first."""

from __future__ import annotations

import heapq

import numpy as np

from suffice.models.trees.nodes import Nodes
from suffice.schema import Array
from suffice.statistics.ties import evened


def gained(nodes: Nodes, cost: Array) -> Array:
    """By how much each node's split lowers the cost; 0 in leaves."""
    below = np.zeros(nodes.count)
    np.add.at(below, nodes.parent[1:], cost[1:])
    return np.where(nodes.is_leaf, 0.0, cost - below)


def with_most_leaves(nodes: Nodes, gain: Array, most: int) -> Nodes:
    """The tree of at most `most` leaves that splitting the most gainful leaf again and again leads to."""
    gain = evened(gain)
    is_split = np.zeros(nodes.count, dtype=np.bool_)
    waiting = [(-gain[0], 0)] if not nodes.is_leaf[0] else []
    leaves = 1
    while waiting:
        node = heapq.heappop(waiting)[1]
        if leaves + nodes.branch_count[node] - 1 > most:
            continue
        leaves += int(nodes.branch_count[node]) - 1
        is_split[node] = True
        for child in nodes.children(node):
            if not nodes.is_leaf[child]:
                heapq.heappush(waiting, (-gain[child], child))
    return nodes.with_leaves(~is_split)
