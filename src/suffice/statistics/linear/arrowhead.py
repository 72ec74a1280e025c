"""The Hessian as an arrowhead matrix: one nominal column of very many levels, and a small rest.

A row has one level of a column, so that the Hessian's block of the levels' weights is diagonal: a number
for every level, with more classes a small block. With their borders to the rest it takes as many cells as there are
levels times other weights, not levels times levels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.kernels.hessian import add_border
from suffice.kernels.terms import Terms
from suffice.schema import Array, Batch, Codes
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.log_likelihood import DesignedRows, LogLikelihood
from suffice.statistics.linear.outcomes import outcomes


@dataclass(frozen=True)
class EliminatedColumn:
    """The block of dimensions that the levels of one nominal column have; the others are the rest, in order."""

    design: Design
    column: int  # nominal column

    @property
    def levels(self) -> slice:
        """The dimensions of the column's levels, which stand side by side."""
        start = self.design.starts[self.column]
        first, last = np.searchsorted(self.design.used, [start, self.design.starts[self.column + 1]])
        return slice(int(first), int(last))

    def parted(self, array: Array) -> tuple[Array, Array]:
        """The last axis in two: that of the rest, and that of the levels."""
        return np.delete(array, self.levels, axis=-1), array[..., self.levels]

    def joined(self, rest: Array, levels: Array) -> Array:
        """The last axis put together again."""
        first = self.levels.start
        return np.concatenate([rest[..., :first], levels, rest[..., first:]], axis=-1)

    def terms(self) -> Terms:
        """The design's terms without the column, their places those among the rest."""
        count = self.levels.stop - self.levels.start
        places = self.design.places
        among_rest = np.where(places >= self.levels.stop, places - count, places).astype(np.int32)
        return self.design.terms_at(among_rest, without=self.column)

    def level_of(self, codes: Codes) -> Codes:
        """The level of every row, counted among those with a weight; -1 for none."""
        places = self.design.places[self.design.starts[self.column] + 1 + codes[self.column]]
        return np.where(places >= 0, places - self.levels.start, -1).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Arrowhead:
    """Log-likelihood and gradient, and the Hessian in three blocks; K is the number of classes but the reference."""

    likelihood: LogLikelihood
    rest: Array  # (K × rest, K × rest)
    border: Array  # (level, K, K × rest)
    levels: Array  # (level, K, K)

    def merge(self, other: Arrowhead) -> Arrowhead:
        """Sums of both."""
        return Arrowhead(
            self.likelihood.merge(other.likelihood),
            self.rest + other.rest,
            self.border + other.border,
            self.levels + other.levels,
        )


@dataclass(frozen=True)
class MeasureArrowhead:
    """Measures log-likelihood and gradient at some weights, with the Hessian as an arrowhead matrix."""

    eliminated: EliminatedColumn
    reference: int
    weights: Array  # (class but the reference, dimension)

    def of(self, batch: Batch) -> Arrowhead:
        """Measure a batch."""
        design, classes = self.eliminated.design, len(self.weights)
        rows, outcome, level = (
            DesignedRows(design, batch),
            outcomes(batch, self.reference),
            self.eliminated.level_of(batch.codes),
        )
        terms, levels = self.eliminated.terms(), self.eliminated.levels.stop - self.eliminated.levels.start
        width, others = terms.dense_count, design.dimensions - levels
        sums = rows.hessian_sums(terms, design.used_dense, others, classes)
        border = np.zeros((levels * classes * classes, width + others))
        own = np.zeros((levels, classes * classes))
        log_likelihood, gradient = 0.0, np.zeros_like(self.weights)
        for part in rows.parts():
            found = rows.log_likelihood(self.weights, outcome, part)
            log_likelihood, gradient = log_likelihood + found[0], gradient + found[1]
            numeric, codes = rows.numeric[part], np.ascontiguousarray(rows.codes[:, part])
            sums.add(numeric, codes, found[2], rows.weights[part])
            add_border(terms, numeric, codes, level[part], found[2], rows.weights[part], border, own)
        joined = border[:, width:]
        joined[:, : len(design.used_dense)] += border[:, design.used_dense]
        return Arrowhead(
            LogLikelihood(batch.total_weight, log_likelihood, gradient, None),
            sums.total(),
            joined.reshape(levels, classes, classes * others),
            own.reshape(levels, classes, classes),
        )
