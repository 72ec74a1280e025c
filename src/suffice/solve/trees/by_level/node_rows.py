"""The rows of small nodes, gathered from wherever they are: as many nodes in one pass as fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Array, Batch, Codes, joined
from suffice.solve.trees.by_level.histograms import OpenNodes
from suffice.solve.trees.by_level.passes import Passes
from suffice.solve.trees.training_rows import RowReading, TrainingRows


@dataclass(frozen=True)
class GatherRows:
    """Takes from every batch the rows of open nodes, each with the part of its weight that is there."""

    reading: RowReading
    open_nodes: OpenNodes

    def __call__(self, batch: Batch) -> tuple[Batch, Codes] | None:
        """The rows of one batch, their weights as they count, and the places of their nodes."""
        rows = self.reading.counting(batch)
        found = self.open_nodes.find(rows)
        if not len(found.row):
            return None
        taken = rows.batch.take(found.row)
        weights: Array | None = found.weight if len(found.weight) else None
        return replace(taken, weights=weights, unseen=(), texts=(), beside={}), found.place


def rows_of_nodes(
    passes: Passes, reading: RowReading, open_nodes: OpenNodes, count: int
) -> Iterator[tuple[int, TrainingRows]]:
    """Every open node, by its place, with its rows; one pass."""
    found = [part for part in passes.map(GatherRows(reading, open_nodes)) if part is not None]
    if not found:
        return
    batch, place = joined([rows for rows, _ in found]), np.concatenate([places for _, places in found])
    del found
    order = np.argsort(place, kind="stable")
    bounds = np.searchsorted(place[order], np.arange(count + 1))
    whole = RowReading(reading.classifies, np.empty(0))  # factors are in the weights
    for node in range(count):
        own = batch.take(order[bounds[node] : bounds[node + 1]])
        if own.rows:
            yield node, whole.of(replace(own, numeric=np.asfortranarray(own.numeric)))
