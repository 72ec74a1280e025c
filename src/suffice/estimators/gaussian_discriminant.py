"""Gaussian discriminant analysis, LDA and QDA for tables as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from suffice.errors import ConvergenceWarning, warn_user
from suffice.estimators.foreign_settings import require_own_value
from suffice.estimators.generative_classifier import GenerativeClassifier
from suffice.estimators.scikit import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from suffice.models.gaussian_discriminant import GaussianDiscriminantModel
from suffice.models.generative import GenerativeModel
from suffice.models.likelihoods.gaussian import LOG_TWO_PI
from suffice.models.logistic_form import logistic_weights
from suffice.models.logistic_weights import LogisticWeights
from suffice.models.projection import Projection
from suffice.schema import Array, Batch, Level, Schema
from suffice.settings import require_one_of
from suffice.solve.discriminant import Gaussians, solve_gaussians
from suffice.solve.missing_indicators import IGNORED, LEVEL, with_missing_indicators
from suffice.solve.probabilities import class_priors
from suffice.sources import Rows
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.moments.fourth_moments import MeasureFourthMoments
from suffice.statistics.moments.full_moments import MOST_PATTERNS, MeasureFullMoments
from suffice.statistics.moments.higher_moments import Tails
from suffice.statistics.moments.indicators import MOST_LEVELS, Indicators
from suffice.statistics.moments.patterns import missing_cells, rows_by_pattern
from suffice.statistics.moments.scatter_and_higher_moments import FULL, TAILS, MeasureScatterAndTails
from suffice.statistics.statistic import MeasureTogether, Together, merged

COUNTED = MeasureTogether({"classes": ClassWeights, "counts": Counts})  # what tells which levels are frequent
FOURTH = "fourth"
UNFINISHED = 1e-5  # log-likelihood per row that the last steps gained: with less there is little to come
WORTH_A_LOOK = 12_500_000  # numbers, 100 MB, if every row had a pattern of missing values of its own
MANY_NUMBERS = 1_000_000  # of a statistic: to merge as many takes longer than to measure few rows again
FEW_ROWS = 200  # for every class


class GaussianDiscriminant(GenerativeClassifier):
    """Gaussian discriminant analysis: every class is a Gaussian over the columns.

    `covariance` is "shared" (linear boundaries), "per_class" (quadratic) or "diagonal" (shared, columns
    uncorrelated). `shrinkage` is "evidence": each class's covariance is pulled to the shared one, and that to its
    diagonal, as far as the moments make most probable; "as_needed": exactly 0 where the covariance is well-conditioned,
    otherwise far enough to invert it; "ledoit_wolf", "oas", or a number from 0 to 1. Nominal columns become indicators,
    missing among their levels (`missing="level"`, or "ignored"). Missing numbers are estimated by
    expectation–maximisation in training and integrated out in prediction.
    `class_weight` maps classes to what their rows count for, or is "balanced".

    >>> import suffice as sf
    >>> model = sf.LDA().fit(sf.datasets.load("iris"), "species")
    >>> round(model.score(sf.datasets.load("iris"), "species"), 2)
    0.98
    """

    _family = "Gaussian discriminants"
    model_: GaussianDiscriminantModel
    _holds = GaussianDiscriminantModel
    _at_first: ClassVar[Mapping[str, Any]] = {"missing": IGNORED}

    def __init__(
        self,
        covariance: str = "shared",
        unbiased: bool = False,
        shrinkage: float | str = "evidence",
        priors: Any = None,
        class_weight: Any = None,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
        missing: str = LEVEL,
    ) -> None:
        self.covariance = covariance
        self.unbiased = unbiased
        self.shrinkage = shrinkage
        self.priors = priors
        self.class_weight = class_weight
        self.nominal = nominal
        self.missing_values = missing_values
        self.keep = keep
        self.drop = drop
        self.missing = missing

    def logistic_weights(self, reference: Level | None = None) -> LogisticWeights:
        """The weights of the logistic function that the posterior is; exact, for a shared covariance."""
        return logistic_weights(self._fitted(), reference)

    def decision_function(self, X: Any) -> Array:
        """What decides: ln P(second class | x) − ln P(first | x); with more classes ln P(class, x) up to a constant.

        The constant is scikit-learn's: with a shared covariance scores are linear in the row.

        >>> import suffice as sf
        >>> model = sf.LDA().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "up", "up"])
        >>> model.decision_function([[5.0]]).tolist()
        [0.0]
        """
        return self._decisions(X, self._decision)

    def _decision(self, batch: Batch) -> Array:
        require_no_infinity(batch)
        is_linear = self.model_.is_shared and len(self.model_.priors) > 2
        scores = self.model_.discriminants(batch) if is_linear else self.model_.class_scores(batch)
        is_impossible = np.isneginf(scores).all(axis=1)
        scores[is_impossible] = np.log(self.model_.priors)  # as `predict` does
        if scores.shape[1] == 2:
            return scores[:, 1] - scores[:, 0]
        return scores if self.model_.is_shared else scores + 0.5 * LOG_TWO_PI * len(self.model_.dimensions)

    @property
    def means_(self) -> Array:
        """The class means, a row per class."""
        self._fitted()
        return self.model_.mean

    @property
    def covariance_(self) -> Array:
        """The shared covariance, or one per class."""
        self._fitted()
        return self.model_.covariance[0] if self.model_.is_shared else self.model_.covariance

    @property
    def priors_(self) -> Array:
        """The class priors."""
        return self._fitted().priors

    @property
    def scalings_(self) -> Array:
        """Fisher's discriminant directions, a column each; a shared covariance has them."""
        return self._projection().scalings

    @property
    def explained_variance_ratio_(self) -> Array:
        """Each direction's share of the spread between the classes (the proportion of trace)."""
        return self._projection().share

    def _projection(self) -> Projection:
        self._fitted()
        if not self.model_.is_shared:
            raise AttributeError("With a covariance per class there are no discriminant directions. Use LDA.")
        return self.model_.projection

    def _numbers(self, table: Rows) -> float:
        """A matrix of cross-products per class and pattern of missing values, of which the first rows give an idea."""
        of_pattern = float(table.schema.class_count * _dimensions(table.schema) ** 2)
        if of_pattern * min(table.rows or MOST_PATTERNS, MOST_PATTERNS) < WORTH_A_LOOK:
            return of_pattern
        patterns = table.first(_pattern_count) or 1
        return of_pattern * (patterns if patterns <= MOST_PATTERNS else 3)  # past so many, three matrices of pairs

    def _numbers_at_once(self, table: Rows, folds: int) -> float:
        """The statistic, in standard units too where cells are missing, and copies of covariances; as was measured."""
        classes, cells = table.schema.class_count, _dimensions(table.schema) ** 2
        kept, of_model = self._numbers(table), float(cells * (classes if self.covariance == "per_class" else 1))
        if folds > 1 and not self._is_remeasured(table):
            return folds * (3.3 * kept + 1.5 * of_model)
        return kept * (2.5 if kept > classes * cells else 1.0) + of_model * (3 if folds == 1 else 9)

    def _is_remeasured(self, table: Rows) -> bool:
        rows = table.rows if table.is_here else None
        return rows is not None and rows <= FEW_ROWS * table.schema.class_count and self._numbers(table) >= MANY_NUMBERS

    def _measurement(self, table: Rows) -> MeasureTogether:
        if all(len(column.levels) <= MOST_LEVELS for column in table.schema.nominal):
            return self._measure(Indicators.of_all_levels(table.schema))
        counts = self._weighed(table.measure(COUNTED)).parts["counts"]
        return self._measure(Indicators.of_frequent_levels(counts))

    def _measurement_of_more(self, table: Rows) -> MeasureTogether:
        """New levels get indicators of their own, as long as there are not too many."""
        known = self.statistic_.parts[FULL].indicators
        indicators = known.unite(known, table.schema)
        if not indicators.is_bounded:
            before = Together({name: self.statistic_.parts[name] for name in COUNTED.parts})
            counts = self._weighed(merged(before, table.measure(COUNTED))).parts["counts"]
            indicators = indicators.bounded(counts)
        return self._measure(indicators)

    def _remeasurement(self, schema: Schema) -> MeasureTogether:
        known = self.statistic_.parts[FULL].indicators
        return self._measure(known.unite(known, schema))

    def _measure(self, indicators: Indicators) -> MeasureTogether:
        parts: dict[str, Any] = {
            "classes": ClassWeights,
            "counts": Counts,
            FULL: MeasureFullMoments(indicators),
        }
        if self.shrinkage == "ledoit_wolf":
            parts[FOURTH] = MeasureFourthMoments(indicators)
        if self.shrinkage == "evidence" and self.covariance == "per_class":
            return MeasureScatterAndTails({**parts, TAILS: Tails})
        return MeasureTogether(parts)

    def _merged(self, added: Together) -> Self:
        """LDA takes in what QDA measured, but for the tails, which it does not need."""
        needed = {name: part for name, part in added.parts.items() if name != TAILS or name in self.statistic_.parts}
        return super()._merged(Together(needed))

    def _replace(self, statistic: Together) -> Self:
        """What is merged may have more levels with indicators than may be: the rarest of them are pooled."""
        return super()._replace(self._bounded(statistic))

    def _bounded(self, statistic: Together) -> Together:
        indicators = statistic.parts[FULL].indicators
        if indicators.is_bounded:
            return statistic
        bounded = indicators.bounded(self._weighed(statistic).parts["counts"])
        moved = {
            name: statistic.parts[name].with_indicators(bounded) for name in (FULL, FOURTH) if name in statistic.parts
        }
        return Together({**statistic.parts, **moved})

    def _solve(self, statistic: Together) -> GenerativeModel:
        require_own_value("shrinkage", self.shrinkage)
        parts, schema = statistic.parts, statistic.schema
        require_one_of("missing", self.missing, (LEVEL, IGNORED))
        full, weight = parts[FULL], parts["classes"].weight
        if self.missing == LEVEL and FOURTH not in parts:  # fourth moments know no gaps
            full = with_missing_indicators(full, weight)
        more = parts.get(FOURTH), parts.get(TAILS)
        solved = solve_gaussians(full, self.covariance, self.unbiased, self.shrinkage, *more)
        warn_if_unfinished(solved)
        return solved.model(full, self.covariance, class_priors(weight, schema.classes, self.priors), weight)


class NamedDiscriminant(GaussianDiscriminant):
    """A Gaussian discriminant whose name says which covariance it has."""

    _named_covariance: str

    def __init__(
        self,
        unbiased: bool = False,
        shrinkage: float | str = "evidence",
        priors: Any = None,
        class_weight: Any = None,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
        missing: str = LEVEL,
    ) -> None:
        covariance = self._named_covariance
        super().__init__(
            covariance, unbiased, shrinkage, priors, class_weight, nominal, missing_values, keep, drop, missing
        )


class LDA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, NamedDiscriminant):  # type: ignore[misc]
    """Linear discriminant analysis: Gaussian classes that share their covariance.

    `transform` projects rows onto the discriminants.

    >>> import suffice as sf
    >>> model = sf.LDA(unbiased=True).fit(sf.datasets.load("iris"), "species")
    >>> model.explained_variance_ratio_.round(4).tolist()
    [0.9912, 0.0088]
    """

    _named_covariance = "shared"

    def transform(self, X: Any) -> Array:
        """Rows in the directions that separate the classes best, at most one fewer than there are classes."""
        self._fitted()
        projected: Array = self._beside(X, self.model_.transform, (0, self._n_features_out), "direction")
        return projected

    @property
    def _n_features_out(self) -> int:
        return int(self.model_.projection.scalings.shape[1])


class QDA(NamedDiscriminant):
    """Quadratic discriminant analysis: Gaussian classes, each with its own covariance.

    >>> import suffice as sf
    >>> sf.QDA().fit(sf.datasets.load("iris"), "species").parameter_count
    44
    """

    _named_covariance = "per_class"


def warn_if_unfinished(solved: Gaussians) -> None:
    """No convergence: the likelihood was still growing when expectation–maximisation came to its last step."""
    if solved.gain > UNFINISHED:
        warn_user(
            f"Expectation–maximisation of the missing values did not converge in {solved.steps} steps: the last "
            f"gained {solved.gain:.2g} in log-likelihood a row. Columns of which few values are known may be the "
            "reason; drop them, or add rows.",
            ConvergenceWarning,
        )


def _dimensions(schema: Schema) -> int:
    return len(schema.numeric) + sum(min(len(column.levels), MOST_LEVELS) for column in schema.nominal)


def _pattern_count(batch: Batch) -> int:
    return sum(1 for _ in rows_by_pattern(missing_cells(batch)))
