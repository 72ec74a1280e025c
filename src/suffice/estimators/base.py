"""What every classifier can do: fit, predict, describe, explain, sample, update, merge, forget, save."""

from __future__ import annotations

import copy
import os
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from suffice import persist
from suffice.errors import ForgetError, MergeError, SufficeWarning, TableError
from suffice.estimators.inputs import is_frame, is_strict, numeric_labels, one_row, strict_array
from suffice.explain import Explanation, explain
from suffice.models.generative import GenerativeModel
from suffice.report.describe import describe
from suffice.sample import sample
from suffice.schema import Alignment, AnyArray, Array, Batch, Level, Nominal, Schema
from suffice.sources import Reading, Source, Table, extended, read_as, read_table
from suffice.statistics.moments import require_no_infinity
from suffice.statistics.statistic import Measurement, Together, aligned, merged
from suffice.version import __version__


class GenerativeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The settings of a classifier and, once fitted, its immutable model and the statistic it was solved from.

    A subclass says what to measure and how to solve it; everything else is here.
    """

    nominal: Any
    missing_values: Any
    keep: Any
    model_: GenerativeModel
    statistic_: Together

    @abstractmethod
    def _measurement(self, table: Source) -> Measurement[Together]:
        """What to measure in one pass over the table."""

    @abstractmethod
    def _remeasurement(self, schema: Schema) -> Measurement[Together]:
        """What to measure on further rows, so that it merges with what was measured before."""

    @abstractmethod
    def _solve(self, statistic: Together) -> GenerativeModel:
        """The model of a statistic, under the settings."""

    def _reading(self) -> Reading:
        return Reading(_names(self.nominal), _spellings(self.missing_values), _names(self.keep))

    # Training ---------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Train on a table. y is an array of classes, or the name of the table's target column.

        X may be an array, a data frame, the path or glob of files, or a DuckDB relation. `sample_weight` is an array
        or the name of a column. A fit that fails leaves the estimator as it was.

        >>> import suffice as sf
        >>> sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"]).classes_.tolist()
        ['high', 'low']
        """
        return self._fit(X, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: Any, classes: Any = None) -> Self:
        table, features = self._training_table(X, y, sample_weight, classes)
        statistic = table.measure(self._measurement(table))
        self._accept(self._solve(statistic), statistic)
        self._remember(X, y, table, features)
        return self

    def _remember(self, X: Any, y: Any, table: Source, features: tuple[str, ...]) -> None:
        """What later calls must agree with: the columns, and whether the target was named."""
        self.frame_kind_ = table.frame_kind
        self.target_name_ = y if isinstance(y, str) else None
        self.n_features_in_ = len(features)
        if is_strict(X) and not is_frame(X):
            self.__dict__.pop("feature_names_in_", None)
        else:
            self.feature_names_in_ = np.array(features, dtype=object)

    def _training_table(self, X: Any, y: Any, sample_weight: Any, classes: Any = None) -> tuple[Table, tuple[str, ...]]:
        if y is None:
            raise TableError(
                f"requires y to be passed, but the target y is None: {type(self).__name__} learns classes. Give y as "
                "an array of classes or as the name of the target column."
            )
        X = strict_array(X) if is_strict(X) else X
        y = y if isinstance(y, str) else numeric_labels(y)
        table = read_table(X, y, sample_weight, self._reading(), classes)
        return table, table.names

    def _accept(self, model: GenerativeModel, statistic: Together) -> None:
        """Put a new model in place of the old one."""
        self.model_ = model
        self.statistic_ = statistic
        labels = model.schema.classes
        self.classes_ = np.array(labels, dtype=None if len({type(label) for label in labels}) == 1 else object)

    # Prediction -------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> AnyArray:
        """The most probable class of every row.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
        >>> model.predict([[1.4], [8.2]]).tolist()
        ['low', 'high']
        """
        codes = self._of_rows(X, lambda batch: self.model_.log_posterior(batch).argmax(axis=1), (0,), np.int64)
        labels: AnyArray = self.classes_[codes]
        return labels

    def predict_log_proba(self, X: Any) -> Array:
        """ln P(class | row)."""
        return self._class_scores(X, self._fitted().log_posterior)

    def predict_proba(self, X: Any) -> Array:
        """P(class | row), in the order of `classes_`; a missing value leaves its factor out.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
        >>> model.predict_proba([[float("nan")]]).tolist()
        [[0.5, 0.5]]
        """
        return self._class_scores(X, self._posterior)

    def predict_log_joint(self, X: Any) -> Array:
        """ln P(row, class)."""
        return self._class_scores(X, self._log_joint)

    def _log_joint(self, batch: Batch) -> Array:
        require_no_infinity(batch)
        return self._fitted().log_joint(batch)

    def _class_scores(self, X: Any, work: Callable[[Batch], Array]) -> Array:
        scores: Array = self._of_rows(X, work, (0, len(self._fitted().priors)))
        return scores

    def _posterior(self, batch: Batch) -> Array:
        log_posterior = self._fitted().log_posterior(batch)
        return np.exp(log_posterior, out=log_posterior)

    def _of_rows(self, X: Any, work: Callable[[Batch], Any], empty: tuple[int, ...], kind: Any = np.float64) -> Any:
        self._fitted()
        table = self._table(X)
        unseen = np.zeros(len(table.schema.nominal), dtype=np.int64)
        parts, unfamiliar = [], 0
        for result, counts, rows in table.map(lambda batch: (work(batch), batch.unseen, self._unfamiliar(batch))):
            parts.append(result)
            unseen += np.asarray(counts, dtype=np.int64)
            unfamiliar += rows
        self._warn_of_unseen(table.schema, unseen)
        if unfamiliar:
            warnings.warn(
                f"{unfamiliar} rows are combinations never seen in training; they get the class priors.",
                SufficeWarning,
                stacklevel=4,
            )
        if not parts:
            return np.empty(empty, dtype=kind)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _unfamiliar(self, batch: Batch) -> int:
        """How many rows the model can say nothing about."""
        return 0

    def _table(self, X: Any, y: Any = None, sample_weight: Any = None) -> Table:
        """A table to be read as the training table was: by name, or by scikit-learn's strict rules."""
        model = self._fitted()
        reading = Reading(missing_values=_spellings(self.missing_values))
        names = None
        if self.target_name_ is None and is_strict(X):
            X, names = strict_array(X, self)
        return read_as(model.schema, X, y, sample_weight, reading, names)

    def _warn_of_unseen(self, schema: Schema, unseen: AnyArray) -> None:
        if unseen.any():
            named = ", ".join(
                f"{column.name!r} ({count} rows)" for column, count in zip(schema.nominal, unseen, strict=True) if count
            )
            warnings.warn(f"Levels never seen in training were read as missing: {named}.", SufficeWarning, stacklevel=4)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are classified correctly; y may be the name of the target column."""
        if not isinstance(y, str):
            accuracy: float = super().score(X, y, sample_weight)
            return accuracy
        right = total = 0.0
        for batch in self._table(X, y, sample_weight).batches():
            weights = batch.row_weights()
            is_right = self._fitted().log_posterior(batch).argmax(axis=1) == batch.class_codes()
            right, total = right + float(weights @ is_right), total + float(weights.sum())
        if not total:
            raise TableError("There are no rows with a class to score. Check the table and the target.")
        return right / total

    def log_likelihood(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The data log-likelihood Σ ln P(x, y).

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> round(sf.NaiveBayes(smoothing=0).fit(tennis, "PlayTennis").log_likelihood(tennis, "PlayTennis"), 2)
        -54.18
        """
        return self._summed(X, y, sample_weight, self._fitted().log_likelihood)

    def conditional_log_likelihood(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The conditional log-likelihood Σ ln P(y | x)."""
        return self._summed(X, y, sample_weight, self._fitted().conditional_log_likelihood)

    def _summed(self, X: Any, y: Any, sample_weight: Any, work: Callable[[Batch], float]) -> float:
        y = y if isinstance(y, str) else numeric_labels(y)
        return float(sum(self._table(X, y, sample_weight).map(work)))

    # Reading ----------------------------------------------------------------------------------------------------

    def describe(self) -> str:
        """The whole model as text, in the language of the lectures.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis").select(["Wind", "PlayTennis"])
        >>> print(sf.NaiveBayes(smoothing=0).fit(tennis, "PlayTennis").describe())
        NaiveBayes: PlayTennis with 2 classes, 0 numeric and 1 nominal columns, 5 parameters
        <BLANKLINE>
        P(No) = 5/14 = 0.3571
        P(Yes) = 9/14 = 0.6429
        <BLANKLINE>
        P(Wind | ·)   No  Yes
        -----------  ---  ---
        Strong       3/5  3/9
        Weak         2/5  6/9
        """
        return describe(self._fitted(), type(self).__name__)

    def explain(self, row: Any) -> Explanation:
        """The derivation of one prediction. `row` is a mapping of names to values, a sequence, or a table of one row.

        Names that are not given are missing.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes(smoothing=0).fit(sf.datasets.load("play_tennis"), "PlayTennis")
        >>> model.explain({"Wind": "Weak"}).posterior.round(4).tolist()
        [0.25, 0.75]
        """
        self._fitted()
        names = getattr(self, "feature_names_in_", None)
        frame, row_names = one_row(row, tuple(names) if names is not None else None, self.n_features_in_)
        reading = Reading(missing_values=_spellings(self.missing_values))
        table = read_as(self.model_.schema, frame, None, None, reading, row_names)
        batches = list(table.batches())
        if len(batches) != 1 or batches[0].rows != 1:
            raise TableError("`explain` takes exactly one row; give one, for example table[5:6].")
        return explain(self.model_, batches[0])

    def sample(self, n: int, random_state: Any = None) -> Any:
        """New rows with their classes, in the kind of frame the model was trained on, else PyArrow.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")
        >>> model.sample(1000, random_state=0).num_rows
        1000
        """
        return sample(self._fitted(), n, random_state, self.frame_kind_)

    @property
    def parameter_count(self) -> int:
        """Every number in the model's tables, plus K−1 priors."""
        return self._fitted().parameter_count

    @property
    def schema_(self) -> Schema:
        """What the columns and classes are."""
        return self._fitted().schema

    def _fitted(self) -> GenerativeModel:
        check_is_fitted(self, "model_")
        return self.model_

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
            return self.fit(X, y, sample_weight)
        y = y if isinstance(y, str) else numeric_labels(y)
        table = extended(self._table(X, y, sample_weight))
        added = table.measure(self._remeasurement(table.schema))
        return self._merged(added)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows, as `update`; `classes` may name all classes at the first call."""
        if not hasattr(self, "model_"):
            return self._fit(X, y, sample_weight, classes)
        return self.update(X, y, sample_weight)

    def merge(self, other: GenerativeClassifier) -> Self:
        """Add the rows another model of the same kind was trained on.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> first, second = (sf.NaiveBayes().fit(part, "PlayTennis") for part in (tennis[:7], tennis[7:]))
        >>> first.merge(second).statistic_.parts["classes"].weight.tolist()
        [5.0, 9.0]
        """
        if not isinstance(other, GenerativeClassifier) or other._measures != self._measures:
            raise MergeError(f"A {type(self).__name__} cannot take in a {type(other).__name__}.")
        self._fitted()
        other._fitted()
        if self.target_name_ and other.target_name_ and self.target_name_ != other.target_name_:
            raise MergeError(f"One model predicts {self.target_name_!r}, the other {other.target_name_!r}.")
        return self._merged(other.statistic_)

    def _merged(self, added: Together) -> Self:
        self._require_same_parts(added)
        return self._replace(merged(self.statistic_, added))

    def _require_same_parts(self, other: Together) -> None:
        if set(self.statistic_.parts) != set(other.parts):
            raise MergeError("The rows were measured under different settings (likelihoods, shrinkage). Fit again.")

    _measures = "nothing"

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows out again: exact for counts; refused where moments would lose more than 8 digits.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> model = sf.NaiveBayes().fit(tennis, "PlayTennis").forget(tennis[:2], "PlayTennis")
        >>> model.statistic_.parts["classes"].weight.tolist()
        [3.0, 9.0]
        """
        y = y if isinstance(y, str) else numeric_labels(y)
        try:
            table = self._table(X, y, sample_weight)
            for batch in table.batches():
                if any(batch.unseen):
                    raise ForgetError("Some of these rows have levels the model has never seen; it is unchanged.")
            removed = table.measure(self._remeasurement(table.schema))
        except TableError as error:
            raise ForgetError(f"These rows cannot have been in the model: {error}") from error
        self._require_same_parts(removed)
        left = self.statistic_.without(removed)
        return self._replace(aligned(left, remaining_schema(left)))

    def _replace(self, statistic: Together) -> Self:
        self._accept(self._solve(statistic), statistic)
        return self

    # Files ------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a readable file, whole or not at all."""
        model = self._fitted()
        state = {
            "n_features_in": self.n_features_in_,
            "feature_names": list(getattr(self, "feature_names_in_", [])),
            "target_name": self.target_name_,
            "frame_kind": self.frame_kind_,
        }
        content = {
            "settings": self.get_params(deep=False),
            "state": state,
            "model": model,
            "statistic": self.statistic_,
        }
        persist.save(path, type(self).__name__, content, __version__)

    @classmethod
    def _restored(cls, content: Mapping[str, Any]) -> Self:
        estimator = cls(**content["settings"])
        state = content["state"]
        estimator._accept(content["model"], content["statistic"])
        estimator.n_features_in_ = state["n_features_in"]
        if state["feature_names"]:
            estimator.feature_names_in_ = np.array(state["feature_names"], dtype=object)
        estimator.target_name_ = state["target_name"]
        estimator.frame_kind_ = state["frame_kind"]
        return estimator

    # scikit-learn -----------------------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def _with_model(self, model: GenerativeModel, statistic: Together) -> Self:
        """A copy of the settings with another model in place."""
        other = copy.copy(self)
        other._accept(model, statistic)
        return other


def _names(columns: Any) -> tuple[Any, ...]:
    """Names of columns; a single one need not stand in a list."""
    return (columns,) if isinstance(columns, str) else tuple(columns or ())


def _spellings(values: Any) -> tuple[Level, ...]:
    """Spellings of missing; a single one need not stand in a list."""
    return (values,) if isinstance(values, (str, int, float)) else tuple(values or ())


def remaining_schema(statistic: Together) -> Schema:
    """The schema without the classes and found levels that have no rows left; declared levels stay."""
    schema = statistic.schema
    weight = statistic.parts["classes"].weight
    counts = statistic.parts["counts"]
    classes = tuple(label for label, left in zip(schema.classes, weight, strict=True) if left > 0)
    if len(classes) < 2:
        raise ForgetError(
            "Without these rows fewer than two classes would be left. Fit a new model instead; this one is unchanged."
        )
    columns = []
    for column in schema.columns:
        if isinstance(column, Nominal) and not column.declared:
            table = counts.column(schema.nominal_position[column.name])
            column = Nominal(column.name, _left(column.levels, table))
        columns.append(column)
    return schema.with_columns(columns).with_target(Nominal(schema.target.name, classes))


def _left(levels: tuple[Level, ...], table: Array) -> tuple[Level, ...]:
    return tuple(level for level, row in zip(levels, table, strict=True) if row.any())


def folds_of(statistic: Together, schema: Schema, folds: int) -> Iterator[Together]:
    """Split a statistic whose classes are (fold, class) pairs into one statistic per fold."""
    for fold in range(folds):
        chosen = range(fold * schema.class_count, (fold + 1) * schema.class_count)
        yield statistic.align(Alignment.of_classes(chosen, schema))
