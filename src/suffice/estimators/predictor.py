"""What a fitted classifier can be asked: predictions, scores, likelihoods, descriptions, explanations, samples."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from suffice.errors import SufficeWarning, TableError
from suffice.estimators.inputs import is_strict, numeric_labels, one_row, strict_array
from suffice.explain import Explanation, explain
from suffice.models.generative import GenerativeModel
from suffice.report.describe import describe
from suffice.sample import sample
from suffice.schema import AnyArray, Array, Batch, Level, Schema
from suffice.sources import Reading, Table, read_as
from suffice.statistics.moments import require_no_infinity


class Predictor(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with an immutable model in place; nothing here changes it."""

    missing_values: Any
    model_: GenerativeModel
    classes_: AnyArray
    n_features_in_: int
    frame_kind_: str
    target_name_: str | None

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
        reading = Reading(missing_values=spellings(self.missing_values))
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
        reading = Reading(missing_values=spellings(self.missing_values))
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


def spellings(values: Any) -> tuple[Level, ...]:
    """Spellings of missing; a single one need not stand in a list."""
    return (values,) if isinstance(values, (str, int, float)) else tuple(values or ())
