"""Class distributions at the nodes of a given tree, counted where the rows are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.tree_arrivals import add_arrivals
from suffice.kernels.tree_routing import Routes
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.numbers import numbers_and_codes
from suffice.models.trees.routing import routes_of
from suffice.schema import Array, Batch
from suffice.solve.trees.training_rows import RowReading
from suffice.statistics.source import Source
from suffice.statistics.statistic import Sums

SAME_SHARE = 1e-12


@dataclass(frozen=True)
class Arrivals(Sums):
    """The class weights of the rows that come by every node."""

    known: Array  # (node, class) whose value led there
    unknown: Array  # (node, class) whose value was missing there


@dataclass(frozen=True)
class MeasureArrivals:
    """Sends rows down a tree."""

    reading: RowReading
    routes: Routes
    classes: int

    def of(self, batch: Batch) -> Arrivals:
        """The rows of one batch."""
        rows = self.reading.counting(batch)
        known, unknown = np.zeros((2, self.routes.count, self.classes))
        numbers, codes = numbers_and_codes(rows.batch)
        add_arrivals(self.routes, numbers, codes, rows.outcome, rows.weight, known, unknown)
        return Arrivals(known, unknown)


def recounted(passes: Source, reading: RowReading, nodes: Nodes) -> Array:
    """The statistic of every node if all rows went down this tree, whatever its nodes have now.

    A missing value goes down all branches by their shares of the known weight. Shares depend on the rows that come by,
    so a pass makes those of one more level sure; where nothing is missing, one pass is enough.
    """
    routes = routes_of(nodes, passes.schema, classifies=True)
    share = np.array(routes.share)
    parent = np.maximum(nodes.parent, 0)
    level = nodes.level
    while True:
        measured = passes.measure(
            MeasureArrivals(reading, Routes(*routes.arrays[:-1], share), nodes.statistic.shape[1])
        )
        found = _shares(nodes, measured.known.sum(axis=1))
        is_used = (nodes.parent >= 0) & (measured.unknown.sum(axis=1)[parent] > 0)
        differ = is_used & (np.abs(found - share) > SAME_SHARE * found)
        if not differ.any():
            return measured.known + np.where(nodes.parent >= 0, found, 0.0)[:, None] * measured.unknown[parent]
        sure = level <= level[differ].min()
        share = np.where(sure, found, share)


def _shares(nodes: Nodes, known: Array) -> Array:
    """Every branch's share of the known weight beside it; of nothing the same for all."""
    share = np.ones(nodes.count)
    inner = np.flatnonzero(~nodes.is_leaf)
    for node in inner.tolist():
        own = slice(int(nodes.first_branch[node]), int(nodes.first_branch[node] + nodes.branch_count[node]))
        total = known[own].sum()
        share[own] = known[own] / total if total > 0 else 1.0 / int(nodes.branch_count[node])
    return share
