"""The rows of small nodes, gathered from wherever they are: as many in one pass as fit into memory and on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.schema.unread import NOTHING
from suffice.solve.trees.by_level.histograms import OpenNodes
from suffice.solve.trees.by_level.spilling import Spill, by_group, joined_rows
from suffice.solve.trees.training_rows import RowReading, TrainingRows
from suffice.statistics.source import Grouping, Source

T = TypeVar("T")


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


@dataclass(frozen=True)
class DealRows:
    """The same, dealt out to the groups that the nodes are in."""

    gather: GatherRows
    group: AnyArray  # (open node,) rising from 0

    def __call__(self, batch: Batch) -> list[tuple[int, tuple[Batch, Codes]]]:
        """What every group gets of one batch."""
        found = self.gather(batch)
        return [] if found is None else by_group(*found, self.group)


@dataclass(frozen=True)
class FinishNodes(Generic[T]):
    """What is made of the rows of every open node of a group."""

    classifies: bool
    finish: Callable[[int, TrainingRows], T]  # of the place of a node, and its rows

    def __call__(self, parts: Iterable[tuple[Batch, Codes]]) -> list[tuple[int, T]]:
        """Of the rows of one group and the places of their nodes: every place, and what is made of it."""
        batch, place = joined_rows(list(parts))
        whole = RowReading(self.classifies, np.empty(0))  # factors are in the weights
        order = np.argsort(place, kind="stable")
        nodes = np.unique(place)
        bounds = np.searchsorted(place[order], [*nodes, nodes[-1] + 1])
        made = []
        for node, begin, end in zip(nodes.tolist(), bounds[:-1], bounds[1:], strict=True):
            own = batch.take(order[begin:end])
            rows = whole.of(replace(own, numeric=np.asfortranarray(own.numeric)))
            made.append((node, self.finish(node, rows)))
        return made


def finished_nodes(
    passes: Source, gather: GatherRows, group: AnyArray, finish: FinishNodes[T]
) -> Iterator[tuple[int, T]]:
    """Every open node with rows, by its place, and what is made of it; one pass.

    `group` (open node,) rises from 0: the rows of one group are together, where they are if the source can do so, else
    here; the others are spilled meanwhile.
    """
    if isinstance(passes, Grouping):
        of_groups = passes.grouped(DealRows(gather, group), finish)
    else:
        parts = (part for part in passes.map(gather) if part is not None)
        of_groups = (finish([rows]) for rows in _groups_of_rows(parts, group))
    return (made for of_group in of_groups for made in of_group)


def _groups_of_rows(parts: Iterator[tuple[Batch, Codes]], group: AnyArray) -> Iterator[tuple[Batch, Codes]]:
    """The rows of each group, and the places of their nodes."""
    if group[-1] == 0:
        found = list(parts)
        if found:
            yield joined_rows(found)
        return
    form: Batch | None = None
    with Spill(group) as spill:
        for batch, place in parts:
            form = form or batch
            spill.add(batch, place)
        if form is not None:
            yield from spill.groups(form)
