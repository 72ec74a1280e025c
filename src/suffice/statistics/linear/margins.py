"""Functional margins: by how much every row is on its own side of a hyperplane, and the rows that are least so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.schema import Array, Batch, joined
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.log_likelihood import scores


@dataclass(frozen=True)
class Margins:
    """The smallest margin of all rows, and the rows with the smallest ones."""

    smallest: float
    margins: Array  # of the kept rows, ascending
    rows: Batch
    most: int

    def merge(self, other: Margins) -> Margins:
        """The smallest of both."""
        margins = np.concatenate([self.margins, other.margins])
        order = np.argsort(margins, kind="stable")[: self.most]
        rows = joined([self.rows, other.rows]).take(order)
        return Margins(min(self.smallest, other.smallest), margins[order], rows, self.most)


@dataclass(frozen=True)
class MeasureMargins:
    """Measures s_y − max_{k≠y} s_k with the scores s_k = w_k·x, for weights (class but the reference, dimension)."""

    design: Design
    reference: int
    weights: Array
    most: int  # rows to keep

    def of(self, batch: Batch) -> Margins:
        """Measure a batch."""
        every = np.insert(scores(self.design, batch, self.weights), self.reference, 0.0, axis=1)
        rows, classes = np.arange(batch.rows), batch.class_codes()
        own = every[rows, classes]
        every[rows, classes] = -np.inf
        margins = own - every.max(axis=1)
        order = np.argsort(margins, kind="stable")[: self.most]
        return Margins(float(margins.min(initial=np.inf)), margins[order], batch.take(order), self.most)
