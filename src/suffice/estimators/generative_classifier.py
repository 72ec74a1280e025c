"""What every generative classifier can do: fit, update, merge, forget; likelihoods, explanations, samples."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from suffice.errors import ForgetError, MergeError, TableError
from suffice.estimators.class_factors import class_factors
from suffice.estimators.classifier import ProbabilisticClassifier
from suffice.estimators.enough_memory import require_memory
from suffice.estimators.schema_after_removal import remaining_schema
from suffice.explain.factors import Explanation
from suffice.explain.factors import explain as explain_factors
from suffice.explain.shown import TOP
from suffice.models.generative import GenerativeModel
from suffice.sample import sample
from suffice.schema import Array, Batch, Schema
from suffice.soundness import require_a, require_same
from suffice.sources import Rows, extended
from suffice.sources.training.at_once import Measuring, measured
from suffice.sources.training.training_table import OpenedTable
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.statistic import MeasureTogether, Together, aligned, merged


class GenerativeClassifier(ProbabilisticClassifier):
    """The settings of a classifier and, once fitted, its immutable model and the statistic it was solved from.

    A subclass says what to measure and how to solve it; everything else is here.
    """

    class_weight: Any
    model_: GenerativeModel
    statistic_: Together
    _family: ClassVar[str | None] = None  # those that measure the same can be merged; by default only its own kind
    _looks: ClassVar[tuple[Callable[[Batch], Any], ...]] = ()  # at the first rows, before it is told what to measure
    _needs_all_rows = False  # to tell what to measure

    @abstractmethod
    def _measurement(self, table: Rows) -> MeasureTogether:
        """What to measure in one pass over the table."""

    @abstractmethod
    def _remeasurement(self, schema: Schema) -> MeasureTogether:
        """What to measure on further rows, so that it merges with what was measured before."""

    def _measurement_of_more(self, table: Rows) -> MeasureTogether:
        """What to measure on rows that are added; some models look at them first."""
        return self._remeasurement(table.schema)

    @abstractmethod
    def _solve(self, statistic: Together) -> GenerativeModel:
        """The model of a statistic, under the settings."""

    def _model_of(self, statistic: Together) -> GenerativeModel:
        """The model of a statistic in which the rows of each class count for as much as `class_weight` says.

        The statistic itself holds no setting: rows come and go as they are.
        """
        return self._solve(self._weighed(statistic))

    def _weighed(self, statistic: Together) -> Together:
        if self.class_weight is None:
            return statistic
        weight = statistic.parts["classes"].weight
        return statistic.weighed(class_factors(self.class_weight, statistic.schema.classes, weight))

    def _is_remeasured(self, table: Rows) -> bool:
        """Whether a cross-validation measures the rows of all other folds again, which is quicker than to merge."""
        return False

    def _numbers_at_once(self, table: Rows, folds: int) -> float:
        """In a cross-validation: the statistics of the folds, their merges, and the models."""
        return self._numbers(table) * (2 if folds == 1 else 4 * folds)

    # Training ---------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Train on a table. y is an array of classes, or the name of the table's target column.

        X may be an array, a data frame, the path or glob of files, or a DuckDB relation. `sample_weight` is an array
        or the name of a column. A fit that fails leaves the estimator as it was.

        >>> import suffice as sf
        >>> sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"]).classes_.tolist()
        ['high', 'low']
        """
        return self._learn(self._opened(X, y, sample_weight), X, y)

    def _learn(self, opened: OpenedTable | Rows, X: Any, y: Any) -> Self:
        """Measure, solve, remember."""
        table, statistic = measured(opened, Measuring(self._chosen, self._looks, self._needs_all_rows))
        self._replace(statistic)
        self._remember(X, y, table)
        return self

    def _chosen(self, table: Rows) -> MeasureTogether:
        """What to measure of a table, of which only the first rows may be known; refused where it would not fit."""
        require_memory(self, table)
        return self._measurement(table)

    def _replace(self, statistic: Together) -> Self:
        """Put the model of another statistic in place of the old one."""
        self._accept(self._model_of(statistic))
        self.statistic_ = statistic
        return self

    # Changing ---------------------------------------------------------------------------------------------------

    def update(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add rows; new levels and classes join the model. The result is the model of all rows together.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> model = sf.NaiveBayes().fit(tennis[:7], "PlayTennis").update(tennis[7:], "PlayTennis")
        >>> bool((model.predict_proba(tennis) == sf.NaiveBayes().fit(tennis, "PlayTennis").predict_proba(tennis)).all())
        True
        """
        if not hasattr(self, "model_"):
            return self._learn(self._opened(X, y, sample_weight, is_part=True), X, y)
        table = extended(self._table(X, self._labels(y), sample_weight, adds=True))
        return self._merged(table.measure(self._measurement_of_more(table)))

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows, as `update`; `classes` may name all classes at the first call."""
        if not hasattr(self, "model_"):
            return self._learn(self._opened(X, y, sample_weight, classes, is_part=True), X, y)
        return self.update(X, y, sample_weight)

    def merge(self, other: GenerativeClassifier) -> Self:
        """Add the rows another model of the same kind was trained on.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> first, second = (sf.NaiveBayes().fit(part, "PlayTennis") for part in (tennis[:7], tennis[7:]))
        >>> first.merge(second).statistic_.parts["classes"].weight.tolist()
        [5.0, 9.0]
        """
        if not isinstance(other, GenerativeClassifier) or other._merges_as() != self._merges_as():
            raise MergeError(f"A {type(self).__name__} cannot take in a {type(other).__name__}.")
        self._fitted()
        other._fitted()
        if self.target_name_ and other.target_name_ and self.target_name_ != other.target_name_:
            raise MergeError(f"One model predicts {self.target_name_!r}, the other {other.target_name_!r}.")
        return self._merged(other.statistic_)

    def _merges_as(self) -> str | type:
        return self._family or type(self)

    def _merged(self, added: Together) -> Self:
        require_same_parts(self.statistic_, added)
        return self._replace(merged(self.statistic_, added))

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows out again: exact for counts; refused where moments would lose more than 8 digits.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> model = sf.NaiveBayes().fit(tennis, "PlayTennis").forget(tennis[:2], "PlayTennis")
        >>> model.statistic_.parts["classes"].weight.tolist()
        [3.0, 9.0]
        """
        labels = self._labels(y)
        try:
            table = self._table(X, labels, sample_weight)
            if any(table.map(_has_unseen)):
                raise ForgetError("Some of these rows have levels the model has never seen; it is unchanged.")
            removed = table.measure(self._remeasurement(table.schema))
        except TableError as error:
            raise ForgetError(f"These rows cannot have been in the model: {error}") from error
        require_same_parts(self.statistic_, removed)
        left = self.statistic_.without(removed)
        return self._replace(aligned(left, remaining_schema(left)))

    # Answering --------------------------------------------------------------------------------------------------

    def predict_log_joint(self, X: Any) -> Array:
        """ln P(row, class)."""
        return self._class_scores(X, self._log_joint, "ln P(row)·P")

    def _log_joint(self, batch: Batch) -> Array:
        require_no_infinity(batch)
        return self._fitted().log_joint(batch)

    def log_likelihood(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The data log-likelihood Σ ln P(x, y).

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> round(sf.NaiveBayes(smoothing=0).fit(tennis, "PlayTennis").log_likelihood(tennis, "PlayTennis"), 2)
        -54.18
        """
        return float(sum(self._answers(X, self._fitted().log_likelihood, self._labels(y), sample_weight)))

    def explain(self, row: Any, top: int | None = TOP) -> Explanation:
        """The derivation of one prediction. `row` is a mapping of names to values, a sequence, or a table of one row.

        Names that are not given are missing. Of more than `top` columns those that matter most are printed, and the
        product of the others; None prints all.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes(smoothing=0).fit(sf.datasets.load("play_tennis"), "PlayTennis")
        >>> model.explain({"Wind": "Weak"}).posterior.round(4).tolist()
        [0.25, 0.75]
        """
        return explain_factors(self._fitted(), self._one_row(row), top)

    def sample(self, n: int, random_state: Any = None) -> Any:
        """New rows with their classes, in the kind of frame the model was trained on, else PyArrow.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")
        >>> model.sample(1000, random_state=0).num_rows
        1000
        """
        return sample(self._fitted(), n, random_state, self.frame_kind_)

    # Files ------------------------------------------------------------------------------------------------------

    def _content(self) -> dict[str, Any]:
        return {**super()._content(), "statistic": self.statistic_}

    @classmethod
    def _restored(cls, content: Mapping[str, Any]) -> Self:
        estimator = super()._restored(content)
        statistic = content["statistic"]
        require_a("statistic", statistic, Together)
        require_same("schema and statistic", statistic.schema, estimator.schema_)
        estimator.statistic_ = statistic
        measured: Any = estimator._remeasurement(statistic.schema)  # which also looks at the settings
        require_same("settings and statistic", set(measured.parts), set(statistic.parts))
        return estimator


def require_same_parts(first: Together, second: Together) -> None:
    """What is merged was measured alike."""
    if set(first.parts) != set(second.parts):
        raise MergeError("The rows were measured under different settings (likelihoods, shrinkage). Fit again.")


def _has_unseen(batch: Batch) -> bool:
    return bool(batch.unknown.levels)
