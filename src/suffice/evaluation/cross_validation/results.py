"""What a cross-validation finds: a prediction for every row by a model that had not seen it, and metrics per fold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from suffice.evaluation.judging.asked_decision import Asked
from suffice.evaluation.judging.metric import Metric, require_metric, score_text
from suffice.evaluation.judging.metrics import METRICS
from suffice.evaluation.judging.regression_metrics import REGRESSION_METRICS
from suffice.machine.threads import in_threads
from suffice.report.html import html_table
from suffice.report.text import text_table
from suffice.schema import AnyArray, Array, Codes, Level
from suffice.shown import ShownAsText
from suffice.statistics.orders import rows_by_code
from suffice.statistics.ties import first_of_equals

if TYPE_CHECKING:
    from suffice.evaluation.judging.classification_evaluation import Evaluation
    from suffice.evaluation.judging.regression_evaluation import RegressionEvaluation


class FoldScores(ShownAsText, ABC):
    """What all results share: an array with an entry for every fold for each of the metrics."""

    metrics: ClassVar[Mapping[str, Metric]]
    tried_on: ClassVar[str] = ""  # other rows than the training table's

    @abstractmethod
    def evaluation(self) -> Evaluation | RegressionEvaluation:
        """All rows judged together, each as the model said that had not seen it."""

    def mean(self, metric: str) -> float:
        """The mean of a metric over the folds where it is defined."""
        values = self._known(metric)
        return float(np.mean(values)) if len(values) else float("nan")

    def standard_error(self, metric: str) -> float:
        """The standard error of that mean."""
        values = self._known(metric)
        return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")

    def of_folds(self, metric: str) -> Array:
        """A metric of every fold; not a number where it is not defined.

        >>> import suffice as sf
        >>> sf.cross_validate(sf.LDA(), sf.datasets.load("iris"), "species", folds=3).of_folds("accuracy").tolist()
        [0.96, 0.98, 1.0]
        """
        require_metric(metric, self.metrics)
        values: Array = getattr(self, metric)
        return values

    def _known(self, metric: str) -> Array:
        values = self.of_folds(metric)
        return values[~np.isnan(values)]

    @property
    def _heading(self) -> list[str]:
        return [f"{len(self.of_folds(next(iter(self.metrics))))}-fold", "mean", "std. error"]

    def _lines(self) -> list[list[str]]:
        """Mean and standard error of every metric."""
        rows = []
        for name, metric in self.metrics.items():
            scores = self.mean(name), self.standard_error(name)
            rows.append([name, *(score_text(score, metric.decimals(scores)) for score in scores)])
        return rows

    def __str__(self) -> str:
        """Mean and standard error of every metric, as text."""
        return text_table(self._heading, self._lines())

    def _repr_html_(self) -> str:
        """The same for notebooks."""
        return html_table(self._heading, self._lines())


@dataclass(frozen=True, repr=False)
class CrossValidation(FoldScores):
    """Out-of-fold predictions, of every row by a model that had not seen it, and the metrics of each fold."""

    classes: tuple[Level, ...]
    posterior: Array  # (row, class), in the order of the rows
    truth: Codes  # (row,), the row's class as a position in `classes`
    fold: Codes  # (row,)
    accuracy: Array  # (fold,)
    log_loss: Array
    auc: Array
    weights: Array  # (row,)

    metrics: ClassVar[Mapping[str, Metric]] = METRICS

    def evaluation(
        self, costs: Any = None, threshold: Any = None, positive: Any = None, target: str = "class"
    ) -> Evaluation:
        """Pooled out-of-fold predictions, each of a model that had not seen the row: confusion matrix, curves, costs.

        >>> import suffice as sf
        >>> result = sf.cross_validate(sf.LDA(), sf.datasets.load("iris"), "species")
        >>> result.evaluation().confusion.tolist()
        [[50.0, 0.0, 0.0], [0.0, 48.0, 2.0], [0.0, 1.0, 49.0]]
        """
        from suffice.evaluation.judging.classification_evaluation import Evaluation
        from suffice.evaluation.judging.judged import JudgedRows

        has_probabilities = not bool(np.isnan(self.log_loss).all())
        asked = Asked.of(self.classes, positive, threshold, costs, has_probabilities)
        taken = asked.taken(self.posterior, first_of_equals(self.posterior))
        return Evaluation(
            self.classes,
            JudgedRows(self.posterior, self.truth, taken, self.weights),
            target,
            self.tried_on or f"{len(self.accuracy)}-fold cross-validation",
            has_probabilities,
            asked,
        )


@dataclass(frozen=True, repr=False)
class RegressionCrossValidation(FoldScores):
    """Out-of-fold predictions of numbers, by models that had not seen the row, and the metrics of each fold."""

    predicted: Array  # (row,), in the order of the rows
    truth: Array  # (row,)
    fold: Codes  # (row,)
    rmse: Array  # (fold,)
    mae: Array
    r2: Array
    weights: Array  # (row,)

    metrics: ClassVar[Mapping[str, Metric]] = REGRESSION_METRICS

    def evaluation(self, target: str = "y") -> RegressionEvaluation:
        """All rows judged together, each as the model said that had not seen it."""
        from suffice.evaluation.judging.regression_evaluation import RegressionEvaluation

        model = self.tried_on or f"{len(self.rmse)}-fold cross-validation"
        return RegressionEvaluation(self.predicted, self.truth, self.weights, target, model)


Result = CrossValidation | RegressionCrossValidation


def result_of(
    classes: tuple[Level, ...],
    predicted: Array,
    truth: AnyArray,
    weights: Array,
    fold: Codes,
    folds: int,
    has_probabilities: bool = True,
    kinds: tuple[type[CrossValidation], type[RegressionCrossValidation]] = (CrossValidation, RegressionCrossValidation),
) -> Result:
    """What was predicted of every row, with the metrics of each fold; without probabilities there is no log loss."""
    of_classes, of_numbers = kinds
    kind = of_classes if classes else of_numbers
    known = {name: metric for name, metric in kind.metrics.items() if name != "log_loss" or has_probabilities}
    found = fold_scores(known, predicted, truth, weights, fold, folds)
    scores: dict[str, Any] = {name: found.get(name, np.full(folds, np.nan)) for name in kind.metrics}
    if classes:
        return of_classes(classes, predicted, truth, fold, **scores, weights=weights)
    return of_numbers(predicted, truth, fold, **scores, weights=weights)


def fold_scores(
    metrics: Mapping[str, Metric], predicted: Array, truth: AnyArray, weights: Array, fold: Codes, folds: int
) -> dict[str, Array]:
    """Metrics of the rows of every fold; not a number where it has none."""

    def of_fold(rows: AnyArray) -> list[float]:
        given = predicted.take(rows, axis=0), truth.take(rows), weights[rows]
        return [metric.of(*given) if len(rows) else float("nan") for metric in metrics.values()]

    table = np.array(list(in_threads(of_fold, rows_by_code(fold, folds))))
    return dict(zip(metrics, table.T, strict=True))
