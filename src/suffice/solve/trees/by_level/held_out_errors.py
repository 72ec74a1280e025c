"""Held-out errors of a tree's nodes, on rows it was not grown from, counted where the rows are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.models.trees.nodes import Nodes
from suffice.schema import Array, Batch
from suffice.solve.trees.pruning.errors_at_nodes import errors_at_nodes
from suffice.solve.trees.training_rows import RowReading
from suffice.statistics.statistic import Sums


@dataclass(frozen=True)
class HeldOutErrors(Sums):
    """What every node would get wrong as a leaf, and the weight of the rows."""

    errors: Array  # (node,)
    weight: float


@dataclass(frozen=True)
class MeasureHeldOutErrors:
    """Sends held-out rows down a tree."""

    reading: RowReading
    nodes: Nodes

    def of(self, batch: Batch) -> HeldOutErrors:
        """The errors on one batch."""
        rows = self.reading.counting(batch)
        if not rows.count:
            return HeldOutErrors(np.zeros(self.nodes.count), 0.0)
        return HeldOutErrors(errors_at_nodes(self.nodes, rows, self.reading.classifies), rows.total_weight)
