"""What a fitted classifier can be asked: classes, probabilities, scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.errors import TableError
from suffice.estimators.capabilities import has_probabilities
from suffice.estimators.inputs import numeric_labels, scored_target
from suffice.estimators.predictor import Predictor
from suffice.estimators.scikit import ClassifierMixin
from suffice.models.decision import Decision
from suffice.schema import AnyArray, Array, Batch, Level
from suffice.schema.columns import are_of_one_type
from suffice.sources.reading import named_column
from suffice.sources.source import is_source
from suffice.sources.targets.target import coded_target
from suffice.statistics.ties import first_of_equals


class Classifier(ClassifierMixin, Predictor):  # type: ignore[misc]
    """A classifier with an immutable model in place; nothing here changes it."""

    classes_: AnyArray

    def _labels(self, y: Any) -> Any:
        y = named_column(y)
        return y if y is None or isinstance(y, str) else numeric_labels(y)

    def _accept(self, model: Any) -> None:
        super()._accept(model)
        self.classes_ = label_array(model.schema.classes)

    @property
    def n_classes_(self) -> int:
        """How many classes there are."""
        return int(self._fitted().schema.class_count)

    def predict(self, X: Any) -> AnyArray:
        """The most probable class of every row, the first of equals.

        A Spark or Dask frame comes back with the column `prediction` and, for every class, P(class).

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
        >>> model.predict([[1.4], [8.2]]).tolist()
        ['low', 'high']
        """
        self._fitted()
        labels: AnyArray = self._of_rows(
            X,
            self._label,
            (0,),
            self.classes_.dtype,
            lambda table: self._predicted_there(table, proba=has_probabilities(self)),
        )
        return labels

    def _decided(self, output: Array) -> AnyArray:
        return first_of_equals(output)

    def _label(self, batch: Batch) -> AnyArray:
        return np.take(self.classes_, self._answer(batch))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of rows that are classified correctly; y may be the name of the target column."""
        y = scored_target(y, X)
        if not (isinstance(y, str) or is_source(X)):
            accuracy: float = super().score(X, _as_classes(y), sample_weight)
            return accuracy
        weights = np.array(list(self._answers(X, self._weight_of_right, y, sample_weight))).reshape(-1, 2)
        right, total = weights.sum(axis=0)
        if not total:
            raise TableError("There are no rows with a class to score. Check the table and the target.")
        return float(right / total)

    def _decisions(self, X: Any, work: Callable[[Batch], Array]) -> Array:
        """A decision function of every row: a number for the second of two classes, else one for each class."""
        classes = self._fitted().schema.class_count
        decisions: Array = self._beside(X, work, (0,) if classes == 2 else (0, classes), "score")
        return decisions

    def _weight_of_right(self, batch: Batch) -> tuple[float, float]:
        """How much of the weight of all rows is classified correctly."""
        weights = batch.row_weights()
        return float(weights @ (self._answer(batch) == batch.class_codes())), float(weights.sum())


def _as_classes(y: Any) -> AnyArray:
    """Labels as a model knows them: times are text, and decimals floats."""
    labels: AnyArray = numeric_labels(y)
    kind = labels.dtype.kind
    if kind not in "MmO" or (kind == "O" and {*map(type, labels.tolist())} <= {str, bool, int, float}):
        return labels
    target = coded_target(labels)
    return np.take(label_array(target.levels), target.codes)


def label_array(labels: tuple[Level, ...]) -> AnyArray:
    """Labels in an array: of the type that NumPy sees fit, but none that would change one."""
    return np.array(labels, dtype=None if are_of_one_type(labels) else object)


class ProbabilisticClassifier(Classifier):
    """A classifier whose model knows ln P(class | row)."""

    def decide(self, X: Any, threshold: Any = None, costs: Any = None) -> AnyArray:
        """The class of every row where errors are not all alike: at a threshold, or at the least expected cost.

        A `threshold` is a number for the second of two classes, or {class: number}. `costs` are {(truth, predicted):
        cost}, or of two classes {"false negative": cost, "false positive": cost}; other errors cost 1.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
        >>> model.decide([[5.0]]).tolist(), model.decide([[5.0]], costs={("low", "high"): 2}).tolist()
        (['high'], ['low'])
        """
        decision = Decision.of(self._fitted().schema.classes, threshold, costs)
        labels: AnyArray = self._of_rows(
            X,
            lambda batch: np.take(self.classes_, decision.codes(self._fitted().posterior(batch))),
            (0,),
            self.classes_.dtype,
            lambda table: self._predicted_there(table, threshold=threshold, costs=costs),
        )
        return labels

    def predict_log_proba(self, X: Any) -> Array:
        """ln P(class | row)."""
        return self._class_scores(X, self._fitted().log_posterior, "ln P")

    def predict_proba(self, X: Any) -> Array:
        """P(class | row), in the order of `classes_`; a missing value leaves its factor out.

        >>> import suffice as sf
        >>> model = sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
        >>> model.predict_proba([[float("nan")]]).tolist()
        [[0.5, 0.5]]
        """
        return self._class_scores(X, self._fitted().posterior, "P")

    def _class_scores(self, X: Any, work: Callable[[Batch], Array], what: str) -> Array:
        scores: Array = self._beside(X, work, (0, self._fitted().schema.class_count), what)
        return scores

    def conditional_log_likelihood(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The conditional log-likelihood Σ ln P(y | x)."""
        work = self._fitted().conditional_log_likelihood
        return float(sum(self._answers(X, work, self._labels(y), sample_weight)))
