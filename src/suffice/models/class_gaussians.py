"""Gaussians of classes: log densities and linear discriminants of rows of numbers, any of which may be missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from scipy.linalg.lapack import dpotrf, dtrtri

from suffice.kernels.density_sums import score_rows
from suffice.kernels.known_dimensions import score_known
from suffice.machine.threads import one_blas_thread
from suffice.models.likelihoods.gaussian import LOG_TWO_PI
from suffice.models.per_pattern import PerPattern, known_columns
from suffice.schema import AnyArray, Array
from suffice.statistics.moments.low_rank import solve_lifted
from suffice.statistics.moments.patterns import have_rare_patterns
from suffice.statistics.moments.standard_units import standardise

RUN_CELLS = 1 << 16  # half a megabyte
FEW_ALIKE = 32  # rows of one pattern of missing values
MOST_DIMENSIONS = 128  # of rows that are taken one by one
FEW_DIMENSIONS = 1_024  # 8 MB of a covariance's root, which is kept for the next row
FARTHEST = 1e150  # of a score: so far out all densities are zero, as far as numbers go
LARGE = 1e5  # of a score: rounding does not show up to here
CLOSE = 1e-3  # of a large score: rounding may show where the best two differ by less
MOST_MOVES = 3  # from one class's mean to that of a nearer one

Whitening = tuple[Array, Array, float]  # x ↦ x·W, the whitened means, the log of the density's factor


@dataclass(frozen=True)
class ClassGaussians(PerPattern):
    """N(μ_k, Σ_k) of every class k, or N(μ_k, Σ) with one Σ; what a row lacks is integrated out."""

    priors: Array  # (class,)
    mean: Array  # (class, dimension)
    covariance: Array  # (1 or class, dimension, dimension)
    shrinkage: Array  # (1 or class,)
    most_kept: ClassVar[int] = 256

    @cached_property
    def centre(self) -> Array:
        """The mean of the classes' means, from where linear scores are measured: they lose no digits there."""
        centre: Array = self.priors @ self.mean
        return centre

    @cached_property
    def _scale(self) -> Array:
        scale: Array = np.sqrt(np.diagonal(self.covariance, axis1=1, axis2=2).mean(axis=0))
        return scale

    @property
    def are_near(self) -> bool:
        """Whether numbers can tell how far apart the means are."""
        return bool(np.all(np.abs(self._standard(np.arange(self.mean.shape[1]))[0]) < FARTHEST))

    def _standard(self, chosen: AnyArray) -> tuple[Array, Array]:
        """Means and covariances of some dimensions in standard units."""
        scale = self._scale[chosen]
        mean = (self.mean[:, chosen] - self.centre[chosen]) / scale
        is_whole = len(chosen) == self.mean.shape[1]
        covariance = self.covariance.copy() if is_whole else self.covariance[:, chosen[:, None], chosen]
        return mean, standardise(covariance, scale)

    def scores(self, x: Array, is_linear: bool, is_precise: bool, out: Array) -> None:
        """The log joint or the linear discriminants of rows, in columns of classes; with gaps by what they know."""
        score = self._linear_score if is_linear else self._log_density
        score(x, np.arange(x.shape[1]), out)
        self._score_rare(x, is_linear, out)
        with_gaps = np.flatnonzero(np.isnan(out[:, 0]))
        for chosen, rows in known_columns(x[with_gaps]):
            part = np.empty((len(rows), len(self.priors)))
            score(x[np.ix_(with_gaps[rows], chosen)], chosen, part)
            out[with_gaps[rows]] = part
        if is_precise:
            self._tell_apart(x, out)

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
        return float(np.abs(self._once(self.linear, np.arange(self.mean.shape[1]))[1]).max())

    def _tell_apart(self, x: Array, scores: Array) -> None:
        """Score rows anew, from the nearest mean, whose best classes differ little for scores as large as theirs.

        A score has terms as large as the squared distance to the farthest class, and their rounding errors.
        """
        if max(self._largest_constant, scores.max(initial=0.0), -scores.min(initial=0.0)) < LARGE:
            return
        largest = np.maximum(np.abs(scores).max(axis=1), self._largest_constant)
        best = np.partition(scores, scores.shape[1] - 2, axis=1)[:, -2:]
        rows = np.flatnonzero((largest > LARGE) & (best[:, 1] - best[:, 0] < CLOSE * largest))
        for chosen, places in known_columns(x[rows]):
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

    def conditional_log_densities(self, row: Array, chosen: AnyArray) -> Array:
        """By the chain rule, of each known dimension given the ones before it: (class, chosen dimension)."""
        lowers = self._once(self._roots, chosen) if len(chosen) <= FEW_DIMENSIONS else self._roots(chosen)
        logs = np.empty((len(self.priors), len(chosen)))
        for k in range(len(self.priors)):
            lower = lowers[k if len(lowers) > 1 else 0]
            z = (row[chosen] - self.mean[k, chosen]) / self._scale[chosen]
            steps = solve_triangular(lower, z, lower=True, check_finite=False) if len(chosen) else z
            logs[k] = -0.5 * (LOG_TWO_PI + steps**2) - np.log(np.diagonal(lower)) - np.log(self._scale[chosen])
        return logs

    def _roots(self, chosen: AnyArray) -> list[Array]:
        """Below the diagonal, Cholesky factors L of Σ = L·Lᵀ of some dimensions in standard units.

        Thousands of dimensions are too large to be copied more than once: what is scaled is solved in its place.
        """
        scale = self._scale[chosen]
        if not len(chosen):
            return [np.eye(0) for _ in self.covariance]
        is_whole = len(chosen) == self.mean.shape[1]
        covariance = (self.covariance if is_whole else self.covariance[:, chosen[:, None], chosen]) / scale
        covariance /= scale[:, None]
        with one_blas_thread():  # on a busy machine two of them wait for one another
            found = [dpotrf(matrix.T, lower=True, clean=False, overwrite_a=True) for matrix in covariance]
        if any(info for _, info in found):
            raise LinAlgError("a covariance is not positive definite")
        return [lower for lower, _ in found]

    def draw(self, classes: AnyArray, random: np.random.Generator) -> Array:
        """A row of each class."""
        x = np.empty((len(classes), self.mean.shape[1]))
        _, covariance = self._standard(np.arange(x.shape[1]))
        for k in np.unique(classes):
            rows = np.flatnonzero(classes == k)
            lower = cholesky(covariance[k if len(covariance) > 1 else 0], lower=True)
            x[rows] = self.mean[k] + random.standard_normal((len(rows), x.shape[1])) @ lower.T * self._scale
        return x

    def filled(self, x: Array) -> Array:
        """Rows in which a missing number is its expectation given the known ones, under a shared covariance."""
        if not np.isnan(x).any():
            return x
        x = x.copy()
        for chosen, rows in known_columns(x):
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
