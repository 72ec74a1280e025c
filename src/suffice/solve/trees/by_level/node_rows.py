"""The rows of small nodes, gathered from wherever they are: as many in one pass as fit into memory and on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import AnyArray, Array, Batch, Codes, joined
from suffice.schema.unread import NOTHING
from suffice.solve.trees.by_level.histograms import OpenNodes
from suffice.solve.trees.by_level.put_aside import PutAside
from suffice.solve.trees.training_rows import RowReading, TrainingRows
from suffice.statistics.source import Source


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
        return replace(taken, weights=weights, unknown=NOTHING, texts=(), beside={}), found.place


def rows_of_nodes(
    passes: Source, reading: RowReading, open_nodes: OpenNodes, group: AnyArray
) -> Iterator[tuple[int, TrainingRows]]:
    """Every open node, by its place, with its rows; one pass.

    `group` (open node,) rises from 0: nodes of one group are in memory together, the others put aside meanwhile.
    """
    gathered = (part for part in passes.map(GatherRows(reading, open_nodes)) if part is not None)
    whole = RowReading(reading.classifies, np.empty(0))  # factors are in the weights
    for batch, place in _groups_of_rows(gathered, group):
        order = np.argsort(place, kind="stable")
        nodes = np.unique(place)
        bounds = np.searchsorted(place[order], np.append(nodes, len(group)))
        for node, begin, end in zip(nodes.tolist(), bounds[:-1], bounds[1:], strict=True):
            own = batch.take(order[begin:end])
            yield node, whole.of(replace(own, numeric=np.asfortranarray(own.numeric)))


def _groups_of_rows(parts: Iterator[tuple[Batch, Codes]], group: AnyArray) -> Iterator[tuple[Batch, Codes]]:
    """The rows of each group, and the places of their nodes."""
    if group[-1] == 0:
        found = list(parts)
        if found:
            yield joined([batch for batch, _ in found]), np.concatenate([place for _, place in found])
        return
    form: Batch | None = None
    with PutAside(group) as aside:
        for batch, place in parts:
            form = form or batch
            aside.add(batch, place)
        if form is not None:
            yield from aside.groups(form)
