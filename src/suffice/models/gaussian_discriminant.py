"""Gaussian discriminant analysis: every class is a Gaussian, with a shared covariance (LDA) or its own (QDA)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from scipy.linalg.lapack import dpotrf, dtrtri

from suffice.kernels.density_sums import score_rows
from suffice.kernels.known_dimensions import score_known
from suffice.machine.threads import one_blas_thread
from suffice.models.factor import Factor
from suffice.models.generative import Drawn, GenerativeModel
from suffice.models.likelihoods.gaussian import LOG_TWO_PI
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
from suffice.statistics.moments.low_rank import solve_lifted
from suffice.statistics.moments.patterns import have_rare_patterns, rows_by_pattern

MOST_KEPT = 256
KINDS = ("shared", "per_class", "diagonal")
BLOCK_CELLS = 1_000_000  # 8 MB of rows at a time
RUN_CELLS = 1 << 16  # half a megabyte
FEW_ALIKE = 32  # rows of one pattern of missing values
MOST_DIMENSIONS = 128  # of rows that are taken one by one
FEW_DIMENSIONS = 1_024  # 8 MB of a covariance's root, which is kept for the next row
MISSING = "missing"
MOST_STEPS = 200  # of expectation–maximisation
FARTHEST = 1e150  # of a score: so far out all densities are zero, as far as numbers go
LARGE = 1e5  # of a score: rounding does not show up to here
CLOSE = 1e-3  # of a large score: rounding may show where the best two differ by less
MOST_MOVES = 3  # from one class's mean to that of a nearer one

Whitening = tuple[Array, Array, float]  # x ↦ x·W, the whitened means, the log of the density's factor
Found = TypeVar("Found")


@dataclass(frozen=True)
class GaussianDiscriminantModel(GenerativeModel):
    """x given y is N(μ_y, Σ) or N(μ_y, Σ_y); nominal columns are indicators, gaps without one are integrated out."""

    indicators: Indicators
    dimensions: AnyArray  # the dimensions of the indicators that are used
    mean: Array  # (class, used dimension)
    covariance: Array  # (1 or class, used dimension, used dimension)
    shrinkage: Array  # (1 or class,)
    steps: int
    overall: Array  # the mean of every dimension of the indicators, used or not; NaN where nothing is known
    kind: str  # shared, per_class or diagonal
    class_weight: Array
    widening: float = 1.0  # what the covariances were multiplied by, after they were shrunk

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
        if used and not np.all(np.abs(self._standard(np.arange(used))[0]) < FARTHEST):
            raise ValueError("the means are farther apart than numbers can tell")

    @property
    def names(self) -> tuple[str, ...]:
        """The used dimensions as a reader would call them."""
        return tuple(self.indicators.names[dimension] for dimension in self.dimensions)

    @property
    def has_converged(self) -> bool:
        """Whether expectation–maximisation ended before its last step."""
        return self.steps < MOST_STEPS

    @property
    def is_shared(self) -> bool:
        """Whether all classes have the same covariance, which makes the boundary linear."""
        return self.kind != "per_class"

    @cached_property
    def centre(self) -> Array:
        """The mean of the classes' means, from where linear scores are measured: they lose no digits there."""
        centre: Array = self.priors @ self.mean
        return centre

    @cached_property
    def _scale(self) -> Array:
        scale: Array = np.sqrt(np.diagonal(self.covariance, axis1=1, axis2=2).mean(axis=0))
        return scale

    def _standard(self, chosen: AnyArray) -> tuple[Array, Array]:
        """Means and covariances of some dimensions in standard units."""
        scale = self._scale[chosen]
        mean = (self.mean[:, chosen] - self.centre[chosen]) / scale
        is_whole = len(chosen) == len(self.dimensions)
        covariance = self.covariance if is_whole else self.covariance[:, chosen[:, None], chosen]
        return mean, covariance / np.outer(scale, scale)

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
        score = self._linear_score if is_linear else self._log_density
        total = np.empty((batch.rows, len(self.priors)))
        size = max(256, BLOCK_CELLS // max(self.indicators.dimensions, 1))
        every = np.arange(len(self.dimensions))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # infinite numbers are found afterwards
            for start in range(0, batch.rows, size):
                block = np.s_[start : start + size]
                x, found = self._expanded(batch.take(block)), total[block]
                score(x, every, found)
                self._score_rare(x, is_linear, found)
                with_gaps = np.flatnonzero(np.isnan(found[:, 0]))
                for chosen, rows in _known_dimensions(x[with_gaps]):
                    part = np.empty((len(rows), len(self.priors)))
                    score(x[np.ix_(with_gaps[rows], chosen)], chosen, part)
                    found[with_gaps[rows]] = part
                if is_precise:
                    self._tell_apart(x, found)
        return total

    def _score_rare(self, x: Array, is_linear: bool, found: Array) -> None:
        """The scores of rows with gaps that few others have: to prepare a pattern for each would take longer."""
        rows = np.flatnonzero(np.isnan(found[:, 0]))
        if len(rows) and x.shape[1] <= MOST_DIMENSIONS:
            rows = rows[have_rare_patterns(np.isnan(x[rows]), FEW_ALIKE)]
            mean, covariance = self._once(self._standard, np.arange(x.shape[1]))
            part = np.empty((len(rows), len(self.priors)))
            given = np.ascontiguousarray(mean), covariance.reshape(-1, x.shape[1]), np.log(self._scale)
            score_known((x[rows] - self.centre) / self._scale, *given, self._log_priors, is_linear, part)
            found[rows] = part

    @cached_property
    def _log_priors(self) -> Array:
        log_priors: Array = np.log(self.priors)
        return log_priors

    @cached_property
    def _kept(self) -> dict[tuple[str | bytes | int, ...], Any]:
        return {}

    def _once(self, work: Callable[..., Found], chosen: AnyArray, *more: int) -> Found:
        """What is made of some dimensions, worked out once per pattern of missing values."""
        key: tuple[str | bytes | int, ...] = (work.__name__, chosen.tobytes(), *more)
        found: Found | None = self._kept.get(key)
        if found is None:
            found = work(chosen, *more)
            if len(self._kept) < MOST_KEPT:
                self._kept[key] = found
        return found

    def _whitening(self, chosen: AnyArray) -> list[Whitening]:
        """Whitening x ↦ L⁻¹·x per covariance Σ = L·Lᵀ, in the table's units, and what else the density needs."""
        mean, covariance = self._standard(chosen)
        parts = []
        for position, matrix in enumerate(covariance):
            lower = cholesky(matrix, lower=True) if len(matrix) else matrix
            inverse = dtrtri(lower, lower=True)[0] if len(matrix) else matrix
            own = mean if len(covariance) == 1 else mean[position : position + 1]
            log_root = float(np.log(np.diagonal(lower)).sum() + np.log(self._scale[chosen]).sum())
            parts.append(
                (
                    inverse.T / self._scale[chosen][:, None],
                    own @ inverse.T,
                    -0.5 * len(chosen) * LOG_TWO_PI - log_root,
                )
            )
        return parts

    def _linear_score(self, x: Array, chosen: AnyArray, out: Array) -> None:
        slopes, constant = self._once(self.linear, chosen)
        score_rows(np.ascontiguousarray(x), self.centre[chosen], slopes, constant + self._log_priors, FARTHEST, out)

    def linear(self, chosen: AnyArray) -> tuple[Array, Array]:
        """Linear discriminants Σ⁻¹μ_k, −½·μ_kᵀΣ⁻¹μ_k of some dimensions, for a shared Σ; means from the centre."""
        mean, covariance = self._standard(chosen)
        return self._linear_of(mean, covariance[0], chosen)

    def _linear_from(self, chosen: AnyArray, origin: int) -> tuple[Array, Array]:
        """The same, means from that of a class: classes near it are told apart, however far away another is."""
        mean = (self.mean[:, chosen] - self.mean[origin, chosen]) / self._scale[chosen]
        size = np.abs(mean).max(axis=1, initial=0.0)
        size[size == 0.0] = 1.0
        slopes, constant = self._linear_of(mean / size[:, None], self._standard(chosen)[1][0], chosen)
        return slopes * size[:, None], constant * size**2

    def _linear_of(self, mean: Array, covariance: Array, chosen: AnyArray) -> tuple[Array, Array]:
        if not len(chosen):
            return mean, np.zeros(len(mean))
        slopes = np.ascontiguousarray(solve_lifted(covariance, float(self.shrinkage[0]), mean.T).T)
        return slopes / self._scale[chosen], -0.5 * (mean * slopes).sum(axis=1)

    @cached_property
    def _largest_constant(self) -> float:
        """Of the linear discriminants; those of fewer dimensions have smaller ones."""
        return float(np.abs(self._once(self.linear, np.arange(len(self.dimensions)))[1]).max())

    def _tell_apart(self, x: Array, scores: Array) -> None:
        """Score rows anew, from the nearest mean, whose best classes differ little for scores as large as theirs.

        A score has terms as large as the squared distance to the farthest class, and their rounding errors.
        """
        if max(self._largest_constant, scores.max(initial=0.0), -scores.min(initial=0.0)) < LARGE:
            return
        largest = np.maximum(np.abs(scores).max(axis=1), self._largest_constant)
        best = np.partition(scores, scores.shape[1] - 2, axis=1)[:, -2:]
        rows = np.flatnonzero((largest > LARGE) & (best[:, 1] - best[:, 0] < CLOSE * largest))
        for chosen, places in _known_dimensions(x[rows]):
            own = rows[places]
            scores[own] = self._scores_from_nearest(x[np.ix_(own, chosen)], chosen, scores[own].argmax(axis=1))

    def _scores_from_nearest(self, x: Array, chosen: AnyArray, nearest: AnyArray) -> Array:
        """Linear discriminants less that of the class which comes out as the best, first taken to be `nearest`."""
        scores, rows = np.empty((len(x), len(self.priors))), np.arange(len(x))
        for _ in range(MOST_MOVES):
            for k in np.unique(nearest[rows]).tolist():
                own = rows[nearest[rows] == k]
                slopes, constant = self._once(self._linear_from, chosen, k)
                part = np.empty((len(own), len(self.priors)))
                score_rows(x[own], self.mean[k, chosen], slopes, constant + self._log_priors, FARTHEST, part)
                scores[own] = part
            found = scores.argmax(axis=1)
            rows, nearest = np.flatnonzero(found != nearest), found
        return scores

    def _log_density(self, x: Array, chosen: AnyArray, out: Array) -> None:
        """A run of rows at a time, so that what is made of them stays in the processor's cache."""
        size = max(64, RUN_CELLS // max(len(chosen), 1))
        for start in range(0, len(x), size):
            run = np.s_[start : start + size]
            centred, k = x[run] - self.centre[chosen], 0
            for whiten, means, constant in self._once(self._whitening, chosen):
                y = centred @ whiten
                for mean in means:
                    deviation = y - mean
                    squares = np.einsum("ij,ij->i", deviation, deviation)
                    out[run, k] = constant + self._log_priors[k] - 0.5 * squares
                    k += 1

    def factors(self, batch: Batch) -> list[Factor]:
        """The prior, then by the chain rule the density of each known column given the ones before it."""
        x = self._expanded(batch)[0]
        chosen = np.flatnonzero(~np.isnan(x))
        lowers = self._once(self._roots, chosen) if len(chosen) <= FEW_DIMENSIONS else self._roots(chosen)
        logs = np.empty((len(self.priors), len(chosen)))
        for k in range(len(self.priors)):
            lower = lowers[k if len(lowers) > 1 else 0]
            z = (x[chosen] - self.mean[k, chosen]) / self._scale[chosen]
            steps = solve_triangular(lower, z, lower=True, check_finite=False) if len(chosen) else z
            logs[k] = -0.5 * (LOG_TWO_PI + steps**2) - np.log(np.diagonal(lower)) - np.log(self._scale[chosen])
        return [prior_factor(self.priors, self.class_weight), *self._column_factors(batch, chosen, logs)]

    def _roots(self, chosen: AnyArray) -> list[Array]:
        """Below the diagonal, Cholesky factors L of Σ = L·Lᵀ of some dimensions in standard units.

        Thousands of dimensions are too large to be copied more than once: what is scaled is solved in its place.
        """
        scale = self._scale[chosen]
        if not len(chosen):
            return [np.eye(0) for _ in self.covariance]
        is_whole = len(chosen) == len(self.dimensions)
        covariance = (self.covariance if is_whole else self.covariance[:, chosen[:, None], chosen]) / scale
        covariance /= scale[:, None]
        with one_blas_thread():  # on a busy machine two of them wait for one another
            found = [dpotrf(matrix.T, lower=True, clean=False, overwrite_a=True) for matrix in covariance]
        if any(info for _, info in found):
            raise LinAlgError("a covariance is not positive definite")
        return [lower for lower, _ in found]

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
        classes = random.choice(len(self.priors), count, p=self.priors).astype(np.int32)
        x = np.empty((count, len(self.dimensions)))
        _, covariance = self._standard(np.arange(len(self.dimensions)))
        for k in np.unique(classes):
            rows = np.flatnonzero(classes == k)
            lower = cholesky(covariance[k if len(covariance) > 1 else 0], lower=True)
            noise = random.standard_normal((len(rows), len(self.dimensions))) @ lower.T
            x[rows] = self.mean[k] + noise * self._scale
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
        x = self._filled(self._expanded(batch))
        projected: Array = (x - self.projection.centre) @ self.projection.scalings
        return projected

    def _filled(self, x: Array) -> Array:
        if not np.isnan(x).any():
            return x
        x = x.copy()
        for chosen, rows in _known_dimensions(x):
            missing = np.setdiff1d(np.arange(x.shape[1]), chosen)
            if not missing.size:
                continue
            mean, covariance = self._standard(np.arange(x.shape[1]))
            overall = self.priors @ mean
            z = (x[np.ix_(rows, chosen)] - self.centre[chosen]) / self._scale[chosen]
            known = covariance[0][np.ix_(chosen, chosen)]
            slope = np.linalg.solve(known, covariance[0][np.ix_(chosen, missing)]) if chosen.size else None
            filled = overall[missing] + ((z - overall[chosen]) @ slope if slope is not None else 0.0)
            x[np.ix_(rows, missing)] = filled * self._scale[missing] + self.centre[missing]
        return x


def _known_dimensions(x: Array) -> Iterator[tuple[AnyArray, AnyArray]]:
    """The rows of each pattern of missing values, with the dimensions they know."""
    for pattern, rows in rows_by_pattern(np.isnan(x)):
        yield np.flatnonzero(~pattern), rows
