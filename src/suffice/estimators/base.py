"""What every classifier can do beyond answering: fit, update, merge, forget, save."""

from __future__ import annotations

import copy
import os
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from suffice import persist
from suffice.errors import ForgetError, MergeError, TableError
from suffice.estimators.inputs import is_frame, is_strict, numeric_labels, strict_array
from suffice.estimators.predictor import Predictor, spellings
from suffice.estimators.remaining import remaining_schema
from suffice.models.generative import GenerativeModel
from suffice.schema import Schema
from suffice.sources import Reading, Source, Table, extended, read_table
from suffice.statistics.statistic import Measurement, Together, aligned, merged
from suffice.version import __version__


class GenerativeClassifier(Predictor):
    """The settings of a classifier and, once fitted, its immutable model and the statistic it was solved from.

    A subclass says what to measure and how to solve it; everything else is here.
    """

    nominal: Any
    keep: Any
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
        return Reading(_names(self.nominal), spellings(self.missing_values), _names(self.keep))

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
