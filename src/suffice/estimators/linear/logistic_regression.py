"""Logistic regression for tables as they are: maximum likelihood or MAP, with inference."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.errors import Message, SeparationWarning, Setting, SettingError, SufficeError, warn_user
from suffice.estimators.class_factors import class_factors
from suffice.estimators.classifier import ProbabilisticClassifier
from suffice.estimators.foreign_settings import require_own_value
from suffice.estimators.inputs import require_vocabulary
from suffice.estimators.linear.convergence_warnings import (
    warn_of_collinearity,
    warn_of_no_convergence,
    warn_of_separation,
)
from suffice.estimators.linear.l2_setting import LEAVE_ONE_OUT, penalties
from suffice.estimators.linear.separability import Separability, as_answer
from suffice.estimators.refitted import Refitted
from suffice.explain.shown import TOP
from suffice.models.logistic import LogisticModel
from suffice.models.logistic_weights import LogisticWeights, reference_position
from suffice.progress import doing
from suffice.report.optimisation_trace import ClimbPath
from suffice.schema import AnyArray, Array, Batch, Level, Schema
from suffice.settings import require_one_of, require_positive, require_whole_or_none
from suffice.solve.logistic.learn import learn
from suffice.solve.logistic.learned import Learned, as_model
from suffice.solve.logistic.separation import Separated, separation
from suffice.solve.logistic.settings import SOLVERS, LogisticSettings
from suffice.solve.logistic.warm_start import weights_from
from suffice.soundness import require_a, require_same
from suffice.sources import Reading, column_names
from suffice.sources.keeping.in_memory import InMemory
from suffice.sources.keeping.kept import encoded_once
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.linear.design import Design
from suffice.statistics.reweighed import weighing
from suffice.statistics.statistic import Measure

if TYPE_CHECKING:
    from suffice.explain.linear import LinearExplanation
    from suffice.report.summary import Summary

LONG_CLIMB = 5_000  # rows
WORDS_TOL = 1e-6  # a row, in the folds of a cross-validation: posteriors are right to the fourth digit


@dataclass(frozen=True)
class _Begin:
    """A maximum nearby: its weights, and its Hessian of one row on average."""

    weights: LogisticWeights | None = None
    hessian: Array | None = None


class LogisticRegression(ProbabilisticClassifier, Refitted):
    """Logistic regression: maximises Σ ln P(y | x, w) − l2/2·‖w‖².

    `l2` is the strength of the Gaussian prior: "loo" chooses it by approximate leave-one-out cross-validation of the
    log loss (`l2_` is what was chosen); or it is a number (0 is maximum likelihood), or a mapping of column names to
    numbers (other columns have 1); "firth" is Firth's penalty instead, for two classes. With `standardize` the prior is
    on standardised columns, so that units do not matter; coefficients are always in the table's units. Nominal columns
    have a weight per level, missing values a weight of their own. `degree=2` adds squares and interactions. The
    log-odds are against the `reference` class, by default the first of two and the last of more. `solver` is "newton",
    "gradient_ascent" (with the `step` η) or "conjugate_gradient"; all reach the same maximum, until every component of
    the gradient is at most `tol` a row (and a further step of Newton's would gain next to nothing; gradient ascent:
    until no weight changes by more). `class_weight` maps classes to what their rows count for, or is "balanced".
    `inference=False` leaves out the standard errors of a model with a prior, which cost a last pass over the rows.

    >>> import suffice as sf
    >>> model = sf.LogisticRegression().fit(sf.datasets.load("iris"), "species")
    >>> round(model.score(sf.datasets.load("iris"), "species"), 2)
    0.98
    """

    model_: LogisticModel
    _holds = LogisticModel
    _work = "maximising the likelihood"
    _begin: _Begin  # where the folds of a cross-validation begin

    def __init__(
        self,
        l2: float | Mapping[str, float] | str = LEAVE_ONE_OUT,
        solver: str = "newton",
        degree: int = 1,
        reference: Level | None = None,
        standardize: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-8,
        step: float | None = None,
        class_weight: Any = None,
        inference: bool = True,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
        text: Any = None,
        vocabulary: int | None = 10_000,
    ) -> None:
        self.l2 = l2
        self.solver = solver
        self.degree = degree
        self.reference = reference
        self.standardize = standardize
        self.max_iter = max_iter
        self.tol = tol
        self.step = step
        self.class_weight = class_weight
        self.inference = inference
        self.nominal = nominal
        self.missing_values = missing_values
        self.keep = keep
        self.drop = drop
        self.text = text
        self.vocabulary = vocabulary

    # Training ---------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, start: LogisticWeights | None = None) -> Self:
        """Train on a table. y is an array of classes, or the name of the table's target column.

        X may be an array, a data frame, the path or glob of files, or a DuckDB relation, which is passed over several
        times. `start` are initial weights, such as `logistic_weights()` of a Gaussian discriminant: they change how
        many steps it takes, not where it ends. A fit that fails leaves the estimator as it was.

        >>> import suffice as sf
        >>> iris = sf.datasets.load("iris")
        >>> weights = sf.LDA().fit(iris, "species").logistic_weights()
        >>> sf.LogisticRegression().fit(iris, "species", start=weights).classes_.tolist()
        ['setosa', 'versicolor', 'virginica']
        """
        with self._learning(X, y, sample_weight) as table:
            rows = table.read_once() if table.schema.text else table  # texts are taken apart only once
            self._accept(self._maximised(encoded_once(rows), table.schema, start))
        return self

    def _reading(self) -> Reading:
        return replace(super()._reading(), reads_text=True, text=column_names(self.text))

    def _maximised(self, measure: Measure, schema: Schema, start: LogisticWeights | None = None) -> LogisticModel:
        """The model of passes over rows, with all that is told of it; the way there is kept."""
        settings, reference = self._settings(schema), reference_position(schema.classes, self.reference)
        measure, unit = self._weighing(measure, schema)
        is_inferred = bool(self.inference) or settings.prior == "jeffreys" or settings.leaves_some_free
        begin = _beginning(start, reference)
        learned = learn(measure, in_memory, settings, reference, start=begin, is_inferred=is_inferred, unit=unit)
        separated = self._separated(measure, learned, reference)
        if not learned.is_converged and separated.kind == "none":
            warn_of_no_convergence(learned, settings)
        if separated.kind == "none":
            warn_of_collinearity(learned)
        self.path_ = _trace(learned, reference)
        return as_model(learned, reference, settings, separated)

    def _weighing(self, measure: Measure, schema: Schema) -> tuple[Measure, Array | None]:
        """Passes in which the rows of each class count for as much as `class_weight` says, and how much that is."""
        if self.class_weight is None:
            return measure, None
        factors = class_factors(self.class_weight, schema.classes, measure(ClassWeights).weight)
        return weighing(measure, factors), factors

    def _fitted_on(self, batch: Batch) -> Self:
        """A copy, fitted on the rows of a batch."""
        other = copy.copy(self)
        begin = other.__dict__.pop("_begin", None)
        with doing(self._work):
            other._accept(other._maximised(in_memory(batch), batch.schema, None if begin is None else begin.weights))
        return other

    def _before_folds(self, batch: Batch) -> Self:
        """Warm starts: where the optimisation is long, every fold begins at the maximum of all rows, near its own.

        Among thousands of words it is, and over thousands of rows, unless weights may grow for ever. Where it begins
        does not change where it ends.
        """
        is_long = batch.rows >= LONG_CLIMB and self._settings(batch.schema).prior == "gaussian"
        if not batch.schema.text and not is_long:
            return self
        other = copy.copy(self)
        learned, model = self._learned(batch)
        other._begin = _Begin(model.logistic_weights(), learned.hessian)
        return other

    def _fold_model(self, batch: Batch) -> LogisticModel:
        """The model of some rows, which only has to predict: no standard errors, no warnings."""
        return self._learned(batch)[1]

    def _learned(self, batch: Batch) -> tuple[Learned, LogisticModel]:
        settings, reference = self._settings(batch.schema), reference_position(batch.schema.classes, self.reference)
        if batch.schema.text:
            settings = replace(settings, tol=max(settings.tol, WORDS_TOL))
        measure, unit = self._weighing(in_memory(batch), batch.schema)
        begin = self.__dict__.get("_begin", _Begin())
        learned = learn(
            measure,
            in_memory,
            settings,
            reference,
            start=_beginning(begin.weights, reference),
            is_inferred=False,
            nearby=begin.hessian,
            is_watched=False,
            unit=unit,
        )
        return learned, as_model(learned, reference, settings, Separated("none"))

    def _separated(self, measure: Measure, learned: Learned, reference: int) -> Separated:
        """Whether the classes are separable by weights that nothing holds back; then the user is told."""
        if not learned.looks_separable:
            return Separated("none")
        try:
            found = separation(measure, learned.design, reference, learned.weights, learned.strength == 0)
        except SufficeError as error:
            warn_user(str(error), SeparationWarning)
            return Separated("none")
        if found.direction is not None:
            warn_of_separation(learned, found.kind, found.direction)
        return found

    def _settings(self, schema: Schema) -> LogisticSettings:
        require_own_value("solver", self.solver)
        require_vocabulary(self.vocabulary)
        if schema.text and self.l2 == "firth":
            said = "l2='firth' weighs no words. Use a number for l2, or name the text in "
            raise SettingError(Message(said, Setting("nominal"), "."))
        if isinstance(self.l2, str) and self.l2 == "firth" and self.solver != "newton":
            raise SettingError(f"l2='firth' needs solver='newton', not {self.solver!r}.")
        return LogisticSettings(
            *penalties(self.l2, schema),
            require_one_of("solver", self.solver, SOLVERS),
            require_one_of("degree", self.degree, (1, 2)),
            bool(self.standardize),
            require_whole_or_none("max_iter", self.max_iter, 1),
            require_positive("tol", self.tol),
            None if self.step is None else require_positive("step", self.step),
            None if any(column.width for column in schema.text) else self.vocabulary,
            isinstance(self.l2, str) and self.l2 == LEAVE_ONE_OUT,
        )

    # Files ------------------------------------------------------------------------------------------------------

    def _content(self) -> dict[str, Any]:
        path = {"path": self.path_} if hasattr(self, "path_") else {}  # what was read from an early file has none
        return {**super()._content(), **path}

    @classmethod
    def _restored(cls, content: Mapping[str, Any]) -> Self:
        estimator = super()._restored(content)
        estimator._settings(estimator.schema_)
        if "path" in content:  # files of early versions have none
            path = content["path"]
            require_a("path", path, ClimbPath)
            reference, classes = estimator.model_.reference, estimator.schema_.classes
            require_same("path and design", path.names, estimator.model_.design.names)
            require_same("path and classes", path.classes, classes[:reference] + classes[reference + 1 :])
            estimator.path_ = path
        return estimator

    # Answering --------------------------------------------------------------------------------------------------

    def decision_function(self, X: Any) -> Array:
        """The log-odds: of the second class against the first; with more classes of each, their mean 0."""
        return self._decisions(X, self._decision)

    def _decision(self, batch: Batch) -> Array:
        every: Array = self._fitted().class_scores(batch)
        return every[:, 1] - every[:, 0] if every.shape[1] == 2 else every - every.mean(axis=1, keepdims=True)

    def explain(self, row: Any, top: int | None = TOP) -> LinearExplanation:
        """The derivation of one prediction: what every column adds to the log-odds.

        Of more than `top` columns those that matter most are printed, and the sum of the others; None prints all.

        >>> import suffice as sf
        >>> model = sf.LogisticRegression().fit(sf.datasets.load("play_tennis"), "PlayTennis")
        >>> model.explain({"Outlook": "Overcast"}).prediction
        'Yes'
        """
        from suffice.explain.linear import explain_linear  # only where it is asked for

        return explain_linear(self._fitted(), self._one_row(row), top)

    # Reading ----------------------------------------------------------------------------------------------------

    def summary(self, reference: Level | None = None, confidence: float = 0.95) -> Summary:
        """Coefficients with standard errors, tests, intervals and odds ratios; likelihoods, AIC, BIC, pseudo-R².

        >>> import suffice as sf
        >>> summary = sf.LogisticRegression(l2=0).fit(sf.datasets.load("breast_cancer").select(
        ...     ["mean_radius", "diagnosis"]), "diagnosis").summary()
        >>> round(summary["mean_radius"].coefficient, 4)
        1.0336
        """
        from suffice.report.summary import summarise  # only where it is asked for

        return summarise(self._fitted(), type(self).__name__, reference, confidence)

    def logistic_weights(self, reference: Level | None = None) -> LogisticWeights:
        """The coefficients in the table's units, as an object with `.intercept` and `.coefficients`."""
        return self._fitted().logistic_weights(reference)

    @property
    def separation_(self) -> Separability:
        """Whether the classes were found to be separable, with the hyperplane; asked only where `l2` is 0."""
        model = self._fitted()
        found = Separated(model.separation, model.separating if model.separating.size else None)
        return as_answer(model.design, model.reference, found, model.level_shares)

    @property
    def l2_(self) -> float | None:
        """The strength of the prior, as it was given or chosen; None where columns have their own, or under Firth's.

        >>> import suffice as sf
        >>> round(sf.LogisticRegression().fit(sf.datasets.load("iris"), "species").l2_, 4)
        0.0316
        """
        return self._fitted().l2

    @property
    def n_iter_(self) -> AnyArray:
        """How many iterations the optimisation took."""
        return np.array([self._fitted().steps])

    @property
    def coef_(self) -> Array:
        """The coefficients in the table's units of what `decision_function` is: a row for two classes.

        With more classes a row per class but the reference: its score less the reference's.
        """
        return np.atleast_2d(self._decisive_weights().coefficients)

    @property
    def coef_names_(self) -> AnyArray:
        """What the columns of `coef_` belong to: numbers by their column, levels as `Outlook=Rain`."""
        return np.array(self.logistic_weights().names, dtype=object)

    @property
    def intercept_(self) -> Array:
        """The intercepts, one for every row of `coef_`."""
        return np.atleast_1d(self._decisive_weights().intercept)

    def _decisive_weights(self) -> LogisticWeights:
        """Of two classes always the second against the first, as scikit-learn has it; else against the reference."""
        classes = self._fitted().schema.classes
        return self.logistic_weights(classes[0] if len(classes) == 2 else None)


def in_memory(batch: Batch) -> Measure:
    """Passes over the rows of a batch."""
    return InMemory.of(batch).measure


def _beginning(start: LogisticWeights | None, reference: int) -> Callable[[Design], Array] | None:
    if start is None:
        return None
    if not isinstance(start, LogisticWeights):
        raise SettingError(f"start must be what `logistic_weights()` returns, not {start!r:.60}.")
    return lambda design: weights_from(
        start.names, start.classes, start.intercept, start.coefficients, design, reference
    )


def _trace(learned: Learned, reference: int) -> ClimbPath:
    """The optimisation trace."""
    path, classes = learned.path, learned.design.schema.classes
    return ClimbPath(
        learned.design.names,
        classes[:reference] + classes[reference + 1 :],
        np.stack(path.weights),
        np.array(path.values),
        np.array(path.steepness),
        path.every,
    )
