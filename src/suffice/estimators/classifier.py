"""What a fitted classifier can be asked: classes, probabilities, scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from suffice.errors import TableError
from suffice.estimators.inputs import named_column, numeric_labels
from suffice.estimators.predictor import Predictor
from suffice.schema import AnyArray, Array, Batch, Level
from suffice.statistics.ties import first_of_equals


class Classifier(ClassifierMixin, Predictor):  # type: ignore[misc]
    """A classifier with an immutable model in place; nothing here changes it."""

    classes_: AnyArray

    def _labels(self, y: Any) -> Any:
        y = named_column(y)
        return y if isinstance(y, str) else numeric_labels(y)

    def _accept(self, model: Any) -> None:
        super()._accept(model)
        self.classes_ = label_array(model.schema.classes)

    @property
    def n_classes_(self) -> int:
        """How many classes there are."""
        return int(self._fitted().schema.class_count)

    def predict(self, X: Any) -> AnyArray:
        """The most probable class of every row, the first of equals.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
        >>> model.predict([[1.4], [8.2]]).tolist()
        ['low', 'high']
        """
        self._fitted()
        labels: AnyArray = self._of_rows(X, self._label, (0,), self.classes_.dtype)
        return labels

    def _label(self, batch: Batch) -> AnyArray:
        return np.take(self.classes_, self._decide(batch))

    @abstractmethod
    def _decide(self, batch: Batch) -> AnyArray:
        """The position of the class that every row is taken for."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are classified correctly; y may be the name of the target column."""
        y = named_column(y)
        if not isinstance(y, str):
            accuracy: float = super().score(X, y, sample_weight)
            return accuracy
        right = total = 0.0
        for batch in self._table(X, y, sample_weight).batches():
            weights = batch.row_weights()
            is_right = self._decide(batch) == batch.class_codes()
            right, total = right + float(weights @ is_right), total + float(weights.sum())
        if not total:
            raise TableError("There are no rows with a class to score. Check the table and the target.")
        return right / total


def label_array(labels: tuple[Level, ...]) -> AnyArray:
    """Labels in an array: of the type that NumPy sees fit, but none that would change one."""
    kinds = {type(label) for label in labels}
    is_large = kinds == {int} and not all(-(2**63) <= label < 2**63 for label in labels if isinstance(label, int))
    return np.array(labels, dtype=object if len(kinds) > 1 or is_large else None)


class ProbabilisticClassifier(Classifier):
    """A classifier whose model knows ln P(class | row)."""

    def _decide(self, batch: Batch) -> AnyArray:
        return first_of_equals(self._fitted().posterior(batch))

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
        return self._class_scores(X, self._fitted().posterior)

    def _class_scores(self, X: Any, work: Callable[[Batch], Array]) -> Array:
        scores: Array = self._of_rows(X, work, (0, self._fitted().schema.class_count))
        return scores

    def conditional_log_likelihood(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The conditional log-likelihood Σ ln P(y | x)."""
        return self._summed(X, y, sample_weight, self._fitted().conditional_log_likelihood)
