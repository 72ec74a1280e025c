"""Gaussian discriminant analysis: every class is a Gaussian, with a shared covariance (LDA) or its own (QDA)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.models.class_gaussians import ClassGaussians
from suffice.models.factor import Factor
from suffice.models.generative import Drawn, GenerativeModel
from suffice.models.prior import prior_factor
from suffice.models.projection import Projection, project
from suffice.schema import AnyArray, Array, Batch, Codes, Nominal
from suffice.soundness import (
    require_a,
    require_ascending,
    require_codes,
    require_number,
    require_numbers,
    require_same,
    require_symmetric,
    require_whole,
)
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.moments.indicators import Indicators

KINDS = ("shared", "per_class", "diagonal")
BLOCK_CELLS = 1_000_000  # 8 MB of rows at a time
MISSING = "missing"


@dataclass(frozen=True)
class GaussianDiscriminantModel(GenerativeModel):
    """x given y is N(μ_y, Σ) or N(μ_y, Σ_y); nominal columns are indicators, gaps without one are integrated out."""

    indicators: Indicators
    dimensions: AnyArray  # the dimensions of the indicators that are used
    mean: Array  # (class, used dimension)
    covariance: Array  # (1 or class, used dimension, used dimension)
    shrinkage: Array  # (1 or class,)
    steps: int  # of expectation–maximisation, 0 where nothing was missing
    overall: Array  # the mean of every dimension of the indicators, used or not; NaN where nothing is known
    kind: str  # shared, per_class or diagonal
    class_weight: Array
    widening: float = 1.0  # what the covariances were multiplied by, after they were shrunk
    has_converged: bool = True  # whether expectation–maximisation ended before its last step

    def require_sound(self) -> None:
        """What a file may have wrong."""
        super().require_sound()
        require_a("indicators", self.indicators, Indicators)
        require_same("schema and indicators", self.indicators.schema, self.schema)
        if self.kind not in KINDS:
            raise ValueError(f"the covariance is {self.kind!r:.60}")
        classes, count = len(self.priors), self.indicators.dimensions
        matrices = classes if self.kind == "per_class" else 1
        require_a("dimensions", self.dimensions, np.ndarray)
        used = len(self.dimensions)
        require_codes("dimensions", self.dimensions, (used,), 0, count - 1, np.int64)
        require_ascending("dimensions", self.dimensions.astype(np.float64))
        require_numbers("means", self.mean, (classes, used))
        require_symmetric("covariances", self.covariance, (matrices, used, used), 0.0)
        require_numbers("shrinkage", self.shrinkage, (matrices,), 0.0, 1.0)
        require_numbers("overall means", self.overall, (count,), may_lack=True)
        require_numbers("class weights", self.class_weight, (classes,), 0.0)
        require_whole("number of steps", self.steps)
        require_number("widening", self.widening, 1.0)
        require_a("convergence", self.has_converged, bool)
        if used and not self.gaussians.are_near:
            raise ValueError("the means are farther apart than numbers can tell")

    @property
    def names(self) -> tuple[str, ...]:
        """The used dimensions as a reader would call them."""
        return tuple(self.indicators.names[dimension] for dimension in self.dimensions)

    @property
    def is_shared(self) -> bool:
        """Whether all classes have the same covariance, which makes the boundary linear."""
        return self.kind != "per_class"

    @cached_property
    def gaussians(self) -> ClassGaussians:
        """The densities of the used dimensions."""
        return ClassGaussians(self.priors, self.mean, self.covariance, self.shrinkage)

    def _expanded(self, batch: Batch) -> Array:
        x = self.indicators.expand(batch)
        return x if len(self.dimensions) == x.shape[1] else np.ascontiguousarray(x[:, self.dimensions])

    def log_joint(self, batch: Batch) -> Array:
        """ln P(c) + ln N(x_known; μ_c, Σ_c), over the values the row has."""
        return self._of_blocks(batch, is_linear=False)

    def class_scores(self, batch: Batch) -> Array:
        """What decides: the log joint but, with a shared covariance, for what is alike in all classes of a row."""
        is_linear = len(self.covariance) == 1
        return self._of_blocks(batch, is_linear, is_precise=is_linear and len(self.priors) > 1)

    def discriminants(self, batch: Batch) -> Array:
        """Linear discriminants, for a shared covariance: the log joint without the row's square, alike in all."""
        return self._of_blocks(batch, is_linear=True)

    def _of_blocks(self, batch: Batch, is_linear: bool, is_precise: bool = False) -> Array:
        """The scores of the rows, a block at a time; rows with gaps by the dimensions they know."""
        total = np.empty((batch.rows, len(self.priors)))
        size = max(256, BLOCK_CELLS // max(self.indicators.dimensions, 1))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # infinite numbers are found afterwards
            for start in range(0, batch.rows, size):
                block = np.s_[start : start + size]
                self.gaussians.scores(self._expanded(batch.take(block)), is_linear, is_precise, total[block])
        return total

    def factors(self, batch: Batch) -> list[Factor]:
        """The prior, then by the chain rule the density of each known column given the ones before it."""
        x = self._expanded(batch)[0]
        chosen = np.flatnonzero(~np.isnan(x))
        logs = self.gaussians.conditional_log_densities(x, chosen)
        return [prior_factor(self.priors, self.class_weight), *self._column_factors(batch, chosen, logs)]

    def _column_factors(self, batch: Batch, chosen: AnyArray, logs: Array) -> Iterator[Factor]:
        columns = (*self.schema.numeric, *self.schema.nominal)
        source = self.indicators.source[self.dimensions[chosen]]
        order = np.argsort(source, kind="stable")
        starts = np.flatnonzero(np.diff(source[order], prepend=-1))
        own = dict(zip(source[order[starts]].tolist(), np.split(order, starts[1:]), strict=True)) if len(order) else {}
        for position in dict.fromkeys(source.tolist()):
            column = columns[position]
            log = logs[:, own[position]].sum(axis=1)
            if isinstance(column, Nominal):
                code = batch.codes[position - len(self.schema.numeric), 0]
                value = str(column.levels[code]) if code >= 0 else MISSING
            else:
                value = self.schema.numeric[position].shown(float(batch.numeric[0, position]))
            yield Factor(column.name, value, log, tuple(f"{np.exp(part):.4g}" for part in log))

    def draw(self, count: int, random: np.random.Generator) -> Drawn:
        """Draw classes, then Gaussian rows; a nominal column takes the level whose indicator came out largest."""
        classes = self.draw_classes(count, random)
        x = self.gaussians.draw(classes, random)
        return Drawn(self._numbers(x), self._levels(x), classes)

    def _numbers(self, x: Array) -> Array:
        numeric = np.tile(self.overall[: len(self.schema.numeric)], (len(x), 1))  # a constant column keeps its value
        for position, dimension in enumerate(self.dimensions):
            if dimension < numeric.shape[1]:
                numeric[:, dimension] = x[:, position]
        return numeric

    def _levels(self, x: Array) -> Codes:
        codes = np.full((len(self.schema.nominal), len(x)), -1, dtype=np.int32)
        stops = self.indicators.starts[-1]  # the indicators of gaps are last
        for position, (column, kept) in enumerate(zip(self.schema.nominal, self.indicators.kept, strict=True)):
            start, stop = self.indicators.starts[position : position + 2]
            own = np.flatnonzero((self.dimensions >= start) & (self.dimensions < stop))
            with_indicator = [column.levels.index(kept[self.dimensions[dimension] - start]) for dimension in own]
            others = [code for code in range(len(column.levels)) if code not in set(with_indicator)]
            everywhere = self.overall[start:stop]
            if position in self.indicators.gaps:
                gap = np.flatnonzero(self.dimensions == stops + self.indicators.gaps.index(position))
                own, with_indicator = np.append(own, gap), [*with_indicator, *(-1 for _ in gap)]
            if not own.size and len(kept) and not np.isnan(everywhere).all():
                codes[position] = column.levels.index(kept[int(np.nanargmax(everywhere))])
            if own.size:
                reference = others[0] if others else -1
                scores = np.concatenate([1.0 - x[:, own].sum(axis=1, keepdims=True), x[:, own]], axis=1)
                codes[position] = np.array([reference, *with_indicator], dtype=np.int32)[scores.argmax(axis=1)]
        return codes

    @property
    def parameter_count(self) -> int:
        """A mean per class and dimension, every different number of the covariances, and K−1 priors."""
        size, classes = len(self.dimensions), len(self.priors)
        matrix = size if self.kind == "diagonal" else size * (size + 1) // 2
        return classes * size + len(self.covariance) * matrix + classes - 1

    @property
    def without_evidence(self) -> tuple[str, ...]:
        """Columns that do not vary, or are all missing."""
        columns = (*self.schema.numeric, *self.schema.nominal)
        used = {columns[source].name for source in self.indicators.source[self.dimensions]}
        return tuple(name for name in self.schema.names if name not in used)

    @cached_property
    def projection(self) -> Projection:
        """The discriminant directions, for a shared covariance."""
        return project(self.mean, self.covariance[0], self.priors)

    def transform(self, batch: Batch) -> Array:
        """Discriminant coordinates of rows; a missing value is put at its expectation given the known ones."""
        require_no_infinity(batch)
        x = self.gaussians.filled(self._expanded(batch))
        projected: Array = (x - self.projection.centre) @ self.projection.scalings
        return projected
