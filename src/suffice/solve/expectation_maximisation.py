"""Expectation–maximisation: the moments that a table would be expected to have without its missing values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from suffice.machine.threads import one_blas_thread
from suffice.schema import AnyArray, Array
from suffice.solve.pairwise_covariance import RIDGE, positive_definite, repaired
from suffice.solve.pooled import Pooled, WithinClasses, pooled
from suffice.statistics.moments.full_moments import FullMoments
from suffice.statistics.moments.matrix_moments import MatrixMoments
from suffice.statistics.moments.standard_units import unstandardise
from suffice.statistics.quotient import quotient

MOST_STEPS = 200
TOLERANCE = 1e-8  # the gain in log-likelihood per row and step below which it is not worth going on
LONGEST_LEAP = 64.0
GROUP_CELLS = 1 << 18  # of matrices that are worked on together, 2 MB

Cells = tuple[AnyArray, ...]  # an index of rows and columns of a matrix


@dataclass(frozen=True, slots=True)
class Completed:
    """Complete-data moments per class, as if nothing were missing, and how many steps of EM that took.

    Where the classes share their covariance, each class has its part of the pooled scatter.
    """

    moments: MatrixMoments
    steps: int = 0
    gain: float = 0.0  # in log-likelihood per row, of the last steps; 0 where it converged


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows of patterns that lack equally many values, in standard units; their scatter is pooled over the classes."""

    observed: AnyArray  # (pattern, observed)
    missing: AnyArray  # (pattern, missing)
    weight: Array  # (pattern, class)
    mean: Array  # (pattern, class, observed)
    scatter: Array  # (pattern, observed, observed)
    filled: Array  # (pattern, class, dimension), the means, 0 where they are missing
    is_known: AnyArray  # (pattern, 1, dimension)
    missing_cells: Cells
    across_cells: Cells  # (pattern, missing, observed)
    missing_means: Cells  # (pattern, class, missing)
    places: AnyArray  # of the missing and the across cells in a flattened matrix


@dataclass(frozen=True, slots=True)
class _Estimate:
    """Class means and one covariance, in standard units."""

    mean: Array  # (class, dimension)
    covariance: Array  # (dimension, dimension)


def completed(statistic: FullMoments, is_shared: bool, used: AnyArray | None = None) -> Completed:
    """Maximum-likelihood means and covariances of the used dimensions, given the known values, as moments."""
    used = np.arange(statistic.indicators.dimensions) if used is None else used
    if statistic.pairwise is not None:
        found = repaired(statistic.pairwise, statistic.class_weight, is_shared)
        return Completed(found.pick_dimensions(used.astype(np.int32)))
    patterns = [
        _restricted(statistic.observed(pattern), moments, used) for pattern, moments in statistic.patterns.items()
    ]
    dimensions = len(used)
    if len(patterns) == 1 and len(patterns[0][0]) == dimensions:
        return Completed(patterns[0][1])
    whole = _pooled(patterns, dimensions)
    with one_blas_thread():  # many small products
        if is_shared:
            return _maximised(patterns, whole)
        classes = range(statistic.schema.class_count)
        return _side_by_side([_maximised(_of_class(patterns, k), whole) for k in classes])


def _restricted(observed: AnyArray, moments: MatrixMoments, used: AnyArray) -> tuple[AnyArray, MatrixMoments]:
    """One pattern's moments of the used dimensions only, numbered among the used ones."""
    if np.array_equal(observed, used):
        return np.arange(len(used)), moments
    kept = np.flatnonzero(np.isin(observed, used))
    return np.searchsorted(used, observed[kept]), moments.pick_dimensions(kept.astype(np.int32))


def _of_class(patterns: list[tuple[AnyArray, MatrixMoments]], k: int) -> list[tuple[AnyArray, MatrixMoments]]:
    where = np.array([k], dtype=np.int32)
    return [(observed, moments.pick_classes(where)) for observed, moments in patterns if moments.weight[k] > 0]


def _pooled(patterns: list[tuple[AnyArray, MatrixMoments]], dimensions: int) -> Pooled:
    return pooled([WithinClasses.of_matrix(observed, moments) for observed, moments in patterns], dimensions)


def _side_by_side(parts: list[Completed]) -> Completed:
    weight, mean, scatter = (
        np.concatenate([getattr(part.moments, name) for part in parts]) for name in ("weight", "mean", "scatter")
    )
    steps, gain = max(part.steps for part in parts), max(part.gain for part in parts)
    return Completed(MatrixMoments(weight, mean, scatter), steps, gain)


def _maximised(patterns: list[tuple[AnyArray, MatrixMoments]], whole: Pooled) -> Completed:
    """Means per class and one covariance for all, by expectation–maximisation in standard units.

    A dimension that these rows never know has the mean and variance of the `whole` table, one that does not vary among
    them begins with its variance, so that neither depends on the dimension's unit.
    Steps are lengthened as in SQUAREM (Varadhan and Roland 2008): two plain steps show how the estimate moves and how
    that slows down, and the leap they point to is taken where it is still a covariance.
    """
    dimensions = len(whole.mean)
    if not patterns:
        return Completed(MatrixMoments.empty(1, dimensions))
    own = _pooled(patterns, dimensions)
    centre = np.where(own.weight > 0, own.mean, whole.mean)
    deviation = np.sqrt(np.where(own.varies, own.variance, whole.variance))
    scale = np.where(deviation > 0, deviation, 1.0)
    groups = _groups(patterns, centre, scale)
    weight, known = np.sum([moments.weight for _, moments in patterns], axis=0), _known_scatter(groups, dimensions)
    current = _Estimate(_available_means(groups, dimensions), np.eye(dimensions))
    ridge = _ridge(groups, dimensions)
    best, fallback, reached, steps, gain = current, None, -np.inf, 0, 0.0
    while steps < MOST_STEPS:
        first, likelihood = _step(groups, known, current, ridge)
        steps += 1
        if likelihood < reached and fallback is not None:  # leapt too far
            current, fallback = fallback, None
            continue
        gain = (likelihood - reached) / float(weight.sum())
        if gain < 2 * TOLERANCE:
            gain = 0.0
            break
        best, reached = first, likelihood
        second, _ = _step(groups, known, first, ridge)
        steps += 1
        current = _leap(current, first, second)
        fallback = None if current is second else second
    scatter = unstandardise(best.covariance.copy(), scale)
    found = MatrixMoments(weight, best.mean * scale + centre, weight[:, None, None] * scatter)
    return Completed(found, steps, gain)


def _ridge(groups: list[_Group], dimensions: int) -> float:
    """The ridge: what is added to the variances when missing values are expected from known ones.

    Next to nothing where every dimension is known in many more rows than there are dimensions; up to a hundredth where
    it is not, since there the likelihood has no maximum to find.
    """
    known = np.zeros(dimensions)
    for group in groups:
        np.add.at(known, group.observed, group.weight.sum(axis=1)[:, None])
    scarcity = dimensions / max(known.min(initial=np.inf), 1.0)
    return float(max(RIDGE, 0.01 * min(1.0, scarcity) ** 2))


def _leap(start: _Estimate, first: _Estimate, second: _Estimate) -> _Estimate:
    """SQUAREM: θ − 2α·r + α²·v with r the first step, v the change between steps; shorter until it is a covariance."""
    moves = [(getattr(first, name) - getattr(start, name)) for name in ("mean", "covariance")]
    bends = [
        (getattr(second, name) - getattr(first, name)) - move
        for name, move in zip(("mean", "covariance"), moves, strict=True)
    ]
    bend = np.sqrt(sum(float((part**2).sum()) for part in bends))
    length = np.sqrt(sum(float((part**2).sum()) for part in moves)) / bend if bend > 0 else 1.0
    alpha = min(length, LONGEST_LEAP)
    while alpha > 1.0:
        mean, covariance = (
            getattr(start, name) + 2 * alpha * move + alpha**2 * turn
            for name, move, turn in zip(("mean", "covariance"), moves, bends, strict=True)
        )
        if _is_covariance(covariance):
            return _Estimate(mean, covariance)
        alpha = 0.5 * (alpha + 1.0) if alpha > 1.1 else 1.0
    return second


def _is_covariance(matrix: Array) -> bool:
    return int(dpotrf(matrix + RIDGE * np.eye(len(matrix)), lower=True)[1]) == 0


def _step(groups: list[_Group], known: Array, estimate: _Estimate, ridge: float) -> tuple[_Estimate, float]:
    """E step and M step: expect the missing values given the known ones, then estimate means and covariance anew.

    Also the log-likelihood of the known values under the estimate that was given, up to a constant. The scatter of the
    known values is the same in every step.
    """
    dimensions = len(estimate.covariance)
    precision, log_determinant = _inverse(estimate.covariance + ridge * np.eye(dimensions))
    half, means, distance, logarithm = np.zeros(dimensions * dimensions), [], float(np.vdot(precision, known)), 0.0
    for group in groups:
        rows = group.weight.sum(axis=1)
        across = precision[group.across_cells]
        residual, log_missing = _inverses(precision[group.missing_cells])
        slope = -residual @ across  # of the missing on the known values
        deviation = np.where(group.is_known, group.filled - estimate.mean, 0.0)
        drawn = deviation @ precision
        shift = -drawn[group.missing_means] @ residual  # of the missing values, by what the known ones are off
        mean = group.filled.copy()
        mean[group.missing_means] = estimate.mean[:, group.missing].transpose(1, 0, 2) + shift
        means.append(mean)
        spread = slope @ group.scatter
        squares = (drawn * deviation).sum(axis=2) + (drawn[group.missing_means] * shift).sum(axis=2)
        distance += float(np.vdot(across, spread) + np.vdot(group.weight, squares))  # (Λ_oo + Λ_om·slope is Σ_oo⁻¹)
        logarithm += float(rows @ (log_determinant + log_missing))
        own = residual - ridge * np.eye(group.missing.shape[1])
        within = spread @ slope.transpose(0, 2, 1) + rows[:, None, None] * own
        parts = np.concatenate([0.5 * within.ravel(), spread.ravel()])
        half += np.bincount(group.places, parts, dimensions * dimensions)
    scatter = half.reshape(dimensions, dimensions)
    shares, every = np.concatenate([group.weight for group in groups]), np.concatenate(means)
    weight = shares.sum(axis=0)
    total = np.where(weight > 0, weight, 1.0)[:, None]
    new_mean = np.where(weight[:, None] > 0, (shares[:, :, None] * every).sum(axis=0) / total, estimate.mean)
    moved = (np.sqrt(shares)[:, :, None] * (every - new_mean)).reshape(shares.size, dimensions)
    covariance = (known + scatter + scatter.T + moved.T @ moved) / weight.sum()
    return _Estimate(new_mean, covariance), -0.5 * (distance + logarithm)


def _inverses(matrices: Array) -> tuple[Array, Array]:
    """The inverses of some positive definite matrices and the logarithms of their determinants.

    With Λ the inverse of the whole covariance, Λ_mm⁻¹ is the covariance of the missing values given the known ones and
    −Λ_mm⁻¹·Λ_mo their regression on those: what is inverted is as small as what is missing.
    """
    if len(matrices) > 1:
        try:
            lower = np.linalg.cholesky(matrices)
        except np.linalg.LinAlgError:
            pass
        else:
            half = np.linalg.inv(lower)
            return half.transpose(0, 2, 1) @ half, 2.0 * np.log(np.diagonal(lower, 0, 1, 2)).sum(axis=1)
    found = [_inverse(matrix) for matrix in matrices]
    return np.stack([inverse for inverse, _ in found]), np.array([logarithm for _, logarithm in found])


def _inverse(matrix: Array) -> tuple[Array, float]:
    """The inverse of a positive definite matrix and the logarithm of its determinant."""
    size = len(matrix)
    if not size:
        return matrix, 0.0
    factor, failed = dpotrf(matrix, lower=True)
    if failed:  # rounding has made it indefinite
        factor, _ = dpotrf(positive_definite(matrix) + RIDGE * np.eye(size), lower=True)
    inverse: Array = dpotrs(factor, np.eye(size), lower=True)[0]
    return inverse, 2.0 * float(np.log(np.diagonal(factor)).sum())


def _groups(patterns: list[tuple[AnyArray, MatrixMoments]], centre: Array, scale: Array) -> list[_Group]:
    """Patterns that lack equally many values are worked on together, but for large ones."""
    alike: dict[int, list[tuple[AnyArray, MatrixMoments]]] = {}
    for observed, moments in patterns:
        alike.setdefault(len(observed), []).append((observed, moments))
    most = max(1, GROUP_CELLS // max(len(scale), 1) ** 2)
    return [
        _group(some[start : start + most], centre, scale)
        for some in alike.values()
        for start in range(0, len(some), most)
    ]


def _group(patterns: list[tuple[AnyArray, MatrixMoments]], centre: Array, scale: Array) -> _Group:
    dimensions = len(scale)
    observed = np.stack([observed for observed, _ in patterns])
    missing = np.stack([np.setdiff1d(np.arange(dimensions), row) for row in observed])
    units = scale[observed]
    weight = np.stack([moments.weight for _, moments in patterns])
    mean = (np.stack([moments.mean for _, moments in patterns]) - centre[observed][:, None]) / units[:, None]
    mean = np.where(weight[:, :, None] > 0, mean, 0.0)
    scatter = np.stack([moments.scatter.sum(axis=0) for _, moments in patterns])
    every, classes = np.arange(len(patterns))[:, None, None], np.arange(weight.shape[1])[:, None]
    filled = np.zeros((*weight.shape, dimensions))
    filled[every, classes, observed[:, None]] = mean
    is_known = np.ones((len(patterns), dimensions), dtype=bool)
    np.put_along_axis(is_known, missing, False, axis=1)
    within = missing[:, :, None] * dimensions + missing[:, None]
    across = missing[:, :, None] * dimensions + observed[:, None]
    return _Group(
        observed,
        missing,
        weight,
        mean,
        scatter / (units[:, :, None] * units[:, None]),
        filled,
        is_known[:, None],
        (missing[:, :, None], missing[:, None]),
        (missing[:, :, None], observed[:, None]),
        (every, classes, missing[:, None]),
        np.concatenate([within.ravel(), across.ravel()]),
    )


def _known_scatter(groups: list[_Group], dimensions: int) -> Array:
    """The scatter of the known values, added up over the patterns."""
    total = np.zeros((dimensions, dimensions))
    for group in groups:
        for observed, scatter in zip(group.observed, group.scatter, strict=True):
            total[np.ix_(observed, observed)] += scatter
    return total


def _available_means(groups: list[_Group], dimensions: int) -> Array:
    """Class means of the known values; 0, the overall mean, where a class knows none."""
    shape = (groups[0].weight.shape[1], dimensions)
    weight, total = np.zeros(shape), np.zeros(shape)
    for group in groups:
        for observed, own, mean in zip(group.observed, group.weight, group.mean, strict=True):
            weight[:, observed] += own[:, None]
            total[:, observed] += own[:, None] * mean
    return quotient(total, weight)
