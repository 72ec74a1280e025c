"""Gaussian discriminants from moments: means, covariances and shrinkage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.errors import SettingError
from suffice.models.gaussian_discriminant import KINDS, GaussianDiscriminantModel
from suffice.schema import AnyArray, Array
from suffice.settings import is_number, require_one_of
from suffice.solve.degrees_of_freedom import class_freedom_lost, shared_freedom_lost, widening
from suffice.solve.empirical_bayes import class_intensities, look_gaussian, shared_intensity
from suffice.solve.expectation_maximisation import completed
from suffice.solve.ledoit_wolf import ledoit_wolf_intensity
from suffice.solve.pairwise_covariance import within_classes
from suffice.solve.pooled import Pooled, WithinClasses, pooled
from suffice.statistics.moments.fourth_moments import FourthMoments
from suffice.statistics.moments.full_moments import FullMoments
from suffice.statistics.moments.higher_moments import Tails
from suffice.statistics.moments.low_rank import spectrum
from suffice.statistics.moments.magnitudes import require_squares
from suffice.statistics.moments.matrix_moments import MatrixMoments, diagonals
from suffice.statistics.moments.shrinkage import (
    LARGEST_CONDITION,
    is_well_conditioned,
    needed_intensity,
    oas_intensity,
    shrunk,
    shrunk_eigenvalues,
)
from suffice.statistics.moments.standard_units import standardise, unstandardise

SHRINKAGES = ("evidence", "as_needed", "ledoit_wolf", "oas")


@dataclass(frozen=True, slots=True)
class Gaussians:
    """One Gaussian per class over the dimensions that vary; `covariance` has one matrix, or one per class."""

    dimensions: AnyArray  # which dimensions of the indicators are used
    mean: Array  # (class, used dimension)
    covariance: Array  # (1 or class, used dimension, used dimension)
    shrinkage: Array  # (1 or class,), the intensity that was used
    steps: int  # of expectation–maximisation, 0 where nothing was missing
    overall: Array  # the mean of every dimension, used or not, over all known values
    widening: float  # what covariances were multiplied by after they were shrunk
    gain: float = 0.0  # in log-likelihood per row, of the last steps that were allowed; 0 where it converged

    def model(
        self, statistic: FullMoments, covariance: str, priors: Array, class_weight: Array
    ) -> GaussianDiscriminantModel:
        """The model of these Gaussians, under the priors of the classes."""
        return GaussianDiscriminantModel(
            statistic.schema,
            priors,
            statistic.indicators,
            np.asarray(self.dimensions, dtype=np.int64),
            self.mean,
            self.covariance,
            self.shrinkage,
            self.steps,
            self.overall,
            covariance,
            class_weight,
            self.widening,
            has_converged=self.gain == 0.0,
        )


def solve_gaussians(
    statistic: FullMoments,
    covariance: str,
    is_unbiased: bool,
    shrinkage: float | str,
    fourth: FourthMoments | None = None,
    tails: Tails | None = None,
) -> Gaussians:
    """Class means and covariances: maximum likelihood (1/n) or unbiased (1/(n−K), 1/(n_k−1)), then shrunk.

    The matrix is shrunk in standard units, each column divided by its pooled standard deviation, so that no column's
    unit decides how far. By evidence, covariances of classes are pulled to the shared one, and that to its diagonal,
    and are made wider where rows are few; all other rules pull to the identity.
    """
    require_shrinkage(shrinkage)
    if shrinkage == "ledoit_wolf" and fourth is None:
        raise SettingError('shrinkage="ledoit_wolf" needs fourth moments, which were not measured. Fit again.')
    if shrinkage == "evidence" and covariance == "per_class" and tails is None:
        raise SettingError('shrinkage="evidence" needs the tails of columns, which were not measured. Fit again.')
    require_one_of("covariance", covariance, KINDS)
    is_shared = covariance != "per_class"
    whole = _pooled(statistic)
    used = _used_dimensions(statistic, whole.varies)
    complete = completed(statistic, is_shared, used)
    moments = complete.moments
    scale = _standard_deviations(moments)
    if shrinkage == "ledoit_wolf":
        _require_fourth_powers(statistic, used, scale)
    raw = standardise(_covariances(moments, is_shared, is_unbiased), scale)
    if covariance == "diagonal":
        raw *= np.eye(len(scale))
    weight, lost = moments.weight, 0.0
    if shrinkage == "evidence" and covariance == "per_class" and tails is not None:
        shared = standardise(_covariances(moments, True, is_unbiased)[0], scale)
        fixed, intensities, lost = _pulled_to_shared(raw, weight, shared, _look_gaussian(statistic, tails, used))
    else:
        weights = [float(weight.sum())] if is_shared else weight.tolist()
        rule = "as_needed" if covariance == "diagonal" and shrinkage == "evidence" else shrinkage
        fourths = [_fourth_of(fourth, used, None if is_shared else k) for k in range(len(raw))]
        spectra = [spectrum(matrix, rows) for matrix, rows in zip(raw, weights, strict=True)]
        classes = int(np.count_nonzero(weight))
        intensities = np.array(
            [
                _intensity(rule, eigenvalues, rows, own, scale, classes)
                for eigenvalues, rows, own in zip(spectra, weights, fourths, strict=True)
            ]
        )
        fixed = raw
        for k, alpha in enumerate(intensities.tolist()):
            fixed[k] = shrunk(raw[k], alpha)
        if rule == "evidence":
            lost = shared_freedom_lost(spectra[0], float(intensities[0]), weights[0], classes)
    wider = widening(lost, float(weight.sum()))
    fixed *= wider
    found, overall = unstandardise(fixed, scale), np.where(whole.weight > 0, whole.mean, np.nan)
    return Gaussians(used, _means(moments), found, intensities, complete.steps, overall, wider, complete.gain)


def _pulled_to_shared(raw: Array, weight: Array, pooled: Array, is_gaussian: AnyArray) -> tuple[Array, Array, float]:
    """Shrunk class covariances (1−λ_k)·Σ_k + λ_k·Σ, Σ the shared one shrunk to its diagonal; λ_k; the freedom lost."""
    if not len(pooled):
        return raw, np.zeros(len(raw)), 0.0
    total, classes = float(weight.sum()), int(np.count_nonzero(weight))
    eigenvalues = spectrum(pooled, total)
    intensity = _well_posed(shared_intensity(eigenvalues, total, classes), eigenvalues, total)
    shared, least = shrunk(pooled, intensity), float(shrunk_eigenvalues(eigenvalues, intensity)[0])
    intensities = class_intensities(raw, weight, shared, is_gaussian)
    fixed = np.empty_like(raw)
    for k, matrix in enumerate(raw):
        fixed[k] = (1.0 - intensities[k]) * matrix + intensities[k] * shared
        while intensities[k] < 1.0 and not _is_well_conditioned(fixed[k], intensities[k] * least):
            intensities[k] = min(1.0, max(1e-6, 2.0 * intensities[k]))
            fixed[k] = (1.0 - intensities[k]) * matrix + intensities[k] * shared
    of_shared = shared_freedom_lost(eigenvalues, intensity, total, classes)
    return fixed, intensities, class_freedom_lost(intensities, weight, len(pooled), of_shared)


def _is_well_conditioned(matrix: Array, at_least: float) -> bool:
    """A bound on the condition number, without eigenvalues where the smallest is known to be large."""
    return at_least * LARGEST_CONDITION >= np.trace(matrix) > 0 or is_well_conditioned(spectrum(matrix, np.inf))


def _look_gaussian(statistic: FullMoments, tails: Tails, used: AnyArray) -> AnyArray:
    """Kurtosis check: which used dimensions look Gaussian; indicators never do."""
    looks = np.zeros(statistic.indicators.dimensions, dtype=bool)
    looks[: len(statistic.schema.numeric)] = look_gaussian(tails)
    return looks[used]


def _require_fourth_powers(statistic: FullMoments, used: AnyArray, scale: Array) -> None:
    """Ledoit and Wolf's rule needs fourth powers, which overflow or vanish long before squares do."""
    names = np.array(statistic.indicators.names)[used]
    with np.errstate(over="ignore"):
        require_squares(names.tolist(), np.ones(len(scale)), scale**4, np.ones(len(scale), dtype=bool))


def _means(moments: MatrixMoments) -> Array:
    """Class means; a class without rows takes the overall mean."""
    overall = moments.weight @ moments.mean / moments.weight.sum()
    return np.where(moments.weight[:, None] > 0, moments.mean, overall)


def _used_dimensions(statistic: FullMoments, varies: AnyArray) -> AnyArray:
    """The dimensions that vary. A nominal column without an "other" gives up its first level, the reference."""
    indicators = statistic.indicators
    varies = varies.copy()
    for position, (column, kept) in enumerate(zip(statistic.schema.nominal, indicators.kept, strict=True)):
        own = np.arange(indicators.starts[position], indicators.starts[position + 1])
        in_use = own[varies[own]]
        if len(kept) == len(column.levels) and len(in_use):
            varies[in_use[0]] = False
    return np.flatnonzero(varies)


def _pooled(statistic: FullMoments) -> Pooled:
    """Each dimension over all known values; too large or too small columns are an error."""
    if statistic.pairwise is not None:
        parts = [within_classes(statistic.pairwise)]
    else:
        parts = [
            WithinClasses.of_matrix(statistic.observed(pattern), moments)
            for pattern, moments in statistic.patterns.items()
        ]
    found = pooled(parts, statistic.indicators.dimensions)
    found.require_squares([column.name for column in statistic.schema.numeric])
    return found


def _standard_deviations(moments: MatrixMoments) -> Array:
    """Pooled within-class deviations; where the classes have none, the deviation over all rows."""
    weight = moments.weight
    within = diagonals(moments.scatter).sum(axis=0) / weight.sum()
    mean = weight @ moments.mean / weight.sum()
    total = within + weight @ (moments.mean - mean) ** 2 / weight.sum()
    deviations: Array = np.sqrt(np.where(within > 1e-12 * total, within, total))
    return deviations


def _covariances(moments: MatrixMoments, is_shared: bool, is_unbiased: bool) -> Array:
    weight = moments.weight
    if is_shared:
        total = weight.sum()
        divisor = total - np.count_nonzero(weight) if is_unbiased else total
        pooled: Array = moments.scatter.sum(axis=0, keepdims=True)
        pooled /= divisor if divisor > 0 else total
        return pooled
    divisors = np.where(weight > 1, weight - 1, weight) if is_unbiased else weight
    return moments.scatter / np.where(divisors > 0, divisors, 1.0)[:, None, None]


def _fourth_of(fourth: FourthMoments | None, used: AnyArray, k: int | None) -> tuple[Array, Array, float] | None:
    """Second and fourth moments of one class, or of all classes around their own means."""
    if fourth is None:
        return None
    cells = np.ix_(used, used)
    if k is None:
        second, fourths, weight = (
            fourth.second.scatter.sum(0),
            fourth.fourth.sum(0),
            fourth.second.weight.sum(),
        )
    else:
        second, fourths, weight = fourth.second.scatter[k], fourth.fourth[k], fourth.second.weight[k]
    return second[cells], fourths[cells], float(weight)


def _intensity(
    rule: float | str,
    eigenvalues: Array,
    weight: float,
    fourth: tuple[Array, Array, float] | None,
    scale: Array,
    classes: int,
) -> float:
    if not len(eigenvalues):
        return 0.0
    if not isinstance(rule, str):
        return _well_posed(float(rule), eigenvalues, weight)
    if rule == "ledoit_wolf" and fourth is not None and fourth[2] > len(eigenvalues) ** 0.5 + 1:
        return _well_posed(ledoit_wolf_intensity(fourth[0], fourth[1], fourth[2], scale), eigenvalues, weight)
    if rule == "as_needed":
        return needed_intensity(eigenvalues, weight)
    if rule == "evidence":
        return _well_posed(shared_intensity(eigenvalues, weight, classes), eigenvalues, weight)
    return _well_posed(oas_intensity(eigenvalues, weight), eigenvalues, weight)


def _well_posed(intensity: float, eigenvalues: Array, weight: float) -> float:
    """The rule's own intensity, unless the matrix it leaves cannot be inverted."""
    if is_well_conditioned(shrunk_eigenvalues(eigenvalues, intensity)):
        return intensity
    return max(intensity, needed_intensity(eigenvalues, weight))


def require_shrinkage(shrinkage: object) -> None:
    """A number from 0 to 1, or the name of a rule."""
    is_rule = isinstance(shrinkage, str) and shrinkage in SHRINKAGES
    if not is_rule and not (is_number(shrinkage) and 0 <= shrinkage <= 1):
        raise SettingError(f"shrinkage must be a number from 0 to 1 or one of {', '.join(SHRINKAGES)}.")
