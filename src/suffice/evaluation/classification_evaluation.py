"""How good a classifier's predictions are on some rows: everything that follows from scores and true classes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.evaluation.area import area_estimate, area_influence
from suffice.evaluation.asked import NOTHING_ASKED, Asked
from suffice.evaluation.confusion import Confusion
from suffice.evaluation.costs import BestThreshold, LeastCost, best_threshold, cost_estimate, table_cost_estimate
from suffice.evaluation.curves import (
    CalibrationCurve,
    PrecisionRecallCurve,
    RocCurve,
    calibration_curve,
    precision_recall_curve,
    roc_curve,
)
from suffice.evaluation.evaluation_text import evaluation_document, evaluation_html, evaluation_text, score_table
from suffice.evaluation.intervals import NOT_KNOWN, Estimate, effective_rows, estimate_of_mean, mean_estimate, wilson
from suffice.evaluation.metric import require_metric
from suffice.evaluation.metrics import brier_losses, log_losses
from suffice.models.decision import position
from suffice.sample import as_frame
from suffice.schema import AnyArray, Array, Codes, Level


@dataclass(frozen=True, repr=False)
class Evaluation:
    """Scores of rows beside their true classes, and what they are worth; every number has a 95 % interval.

    `overall` has accuracy, balanced accuracy (the mean recall), mean precision and mean F1, log loss, Brier score, the
    area under the ROC curve and the average precision; of the last two the positive class's where there are two
    classes, else the mean of one class against the rest. `by_class` has each class's own.
    """

    classes: tuple[Level, ...]
    scores: Array  # (row, class): probabilities, or what a perceptron decides by
    truth: Codes  # (row,), the row's class as a position in `classes`
    predicted: Codes  # (row,)
    weights: Array  # (row,)
    target: str = "class"
    model: str = "predictions"
    has_probabilities: bool = True
    asked: Asked = NOTHING_ASKED
    frame_kind: str = "pyarrow"

    # What it is about -------------------------------------------------------------------------------------------

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.truth)

    @property
    def is_weighted(self) -> bool:
        """Whether some rows count for more than others."""
        return bool((self.weights != 1.0).any())

    @property
    def positive(self) -> Level | None:
        """The class that is looked for: of two the second, unless another was named; of more only one that was."""
        has_one = len(self.classes) == 2 or self.asked.is_named
        return self.classes[self.asked.positive] if has_one else None

    @property
    def threshold(self) -> float | None:
        """What the positive class's probability must reach, where that was said."""
        return self.asked.threshold

    # Numbers ----------------------------------------------------------------------------------------------------

    @cached_property
    def confusion(self) -> Array:
        """(true class, predicted class): how many rows, or their weight."""
        return self._confusion.weight

    @cached_property
    def overall(self) -> Mapping[str, Estimate]:
        """The metrics of all rows together."""
        confusion = self._confusion
        found = {
            "accuracy": confusion.accuracy,
            "balanced_accuracy": confusion.balanced_accuracy,
            "mean_precision": confusion.mean_precision,
            "mean_f1": confusion.mean_f1,
        }
        if self.has_probabilities:
            found["log_loss"] = self._mean(log_losses(self.scores, self.truth))
            found["brier"] = self._mean(brier_losses(self.scores, self.truth))
        return found | {"auc": self._auc, "average_precision": self._average_precision}

    @cached_property
    def by_class(self) -> Mapping[Level, Mapping[str, Estimate]]:
        """The metrics of each class: precision, recall, F1; and of the class against the rest AUC and the like."""
        return {label: self._of_class(k) for k, label in enumerate(self.classes)}

    @cached_property
    def class_weights(self) -> Array:
        """How many rows each class has, or their weight."""
        weights: Array = self._confusion.weight.sum(axis=1)
        return weights

    @cached_property
    def best_threshold(self) -> BestThreshold | None:
        """The threshold at which errors cost least, where costs were given and there are two classes."""
        costs, place = self.asked.costs, self.asked.positive
        if costs is None:
            return None
        scores, is_positive = self._against_rest(place)
        threshold = best_threshold(scores, is_positive, self.weights, costs)
        cost, as_decided = (
            cost_estimate(is_taken, is_positive, self.weights, costs)
            for is_taken in (scores >= threshold, self.predicted == place)
        )
        return BestThreshold(threshold, cost, costs, as_decided)

    @cached_property
    def least_cost(self) -> LeastCost | None:
        """What errors of more than two classes cost as decided, and at the least expected cost; with costs only."""
        decision = self.asked.at_least_cost
        if decision is None or decision.costs is None:
            return None
        decided = [self.predicted, *([decision.codes(self.scores)] if self.has_probabilities else [])]
        found = [table_cost_estimate(taken, self.truth, self.weights, decision.costs) for taken in decided]
        return LeastCost(found[1] if self.has_probabilities else None, found[0], decision.costs)

    def value(self, metric: str) -> float:
        """One of the overall metrics, without its interval."""
        require_metric(metric, self.overall)
        return self.overall[metric].value

    # Curves -----------------------------------------------------------------------------------------------------

    def roc(self, label: Any = None) -> RocCurve:
        """The ROC curve of a class against the rest; of the positive one where there are two."""
        return roc_curve(*self._against_rest(self._place(label)), self.weights)

    def precision_recall(self, label: Any = None) -> PrecisionRecallCurve:
        """Precision against recall of a class; of the positive one where there are two."""
        return precision_recall_curve(*self._against_rest(self._place(label)), self.weights)

    def calibration(self, label: Any = None, bins: int = 10) -> CalibrationCurve:
        """How often a class came where it was predicted so probable; the positive one where there are two."""
        if not self.has_probabilities:
            raise SettingError(f"{self.model} has scores but no probabilities, which could be right or wrong.")
        return calibration_curve(*self._against_rest(self._place(label)), self.weights, bins)

    def plot(self, figsize: tuple[float, float] | None = None) -> Any:
        """Draw the confusion matrix, ROC, precision–recall and calibration; needs matplotlib. Returns the four Axes."""
        from suffice.evaluation.evaluation_picture import draw_evaluation

        return draw_evaluation(self, figsize)

    def report(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Write it as one HTML file that needs nothing else."""
        from suffice.evaluation.page import write_evaluation

        write_evaluation(self, path, title)

    # Shown ------------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Any:
        """Every metric with its interval as a data frame of the kind that was given, else PyArrow."""
        return as_frame(score_table(self), self.frame_kind)

    def to_dict(self, points: int = 100) -> dict[str, Any]:
        """All of it as plain numbers, for JSON; the curves with at most so many points."""
        return evaluation_document(self, points)

    def __str__(self) -> str:
        """The metrics as text."""
        return evaluation_text(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """The metrics for notebooks."""
        return evaluation_html(self)

    # How they are computed --------------------------------------------------------------------------------------

    @cached_property
    def _confusion(self) -> Confusion:
        return Confusion.of(self.truth, self.predicted, self.weights, len(self.classes))

    def _against_rest(self, place: int) -> tuple[Array, AnyArray]:
        return np.ascontiguousarray(self.scores[:, place]), self.truth == place

    def _place(self, label: Any) -> int:
        if label is None:
            if self.positive is None:
                raise SettingError(f"Which class against the rest? Name one of {', '.join(map(repr, self.classes))}.")
            return self.asked.positive
        return position(label, self.classes)

    def _mean(self, losses: Array) -> Estimate:
        return mean_estimate(losses, self.weights).within(0.0, np.inf)

    def _of_class(self, k: int) -> dict[str, Estimate]:
        found = {
            "precision": self._confusion.precision[k],
            "recall": self._confusion.recall[k],
            "f1": self._confusion.f1[k],
            "auc": self._areas[k][0],
            "average_precision": self._average_precisions[k],
        }
        if self.has_probabilities:
            probabilities, is_own = self._against_rest(k)
            found["brier"] = self._mean((probabilities - is_own) ** 2)
        return found

    @cached_property
    def _areas(self) -> list[tuple[Estimate, Array | None]]:
        """The area under every class's ROC curve, and how far each row moves it."""
        return [self._area(k) for k in range(len(self.classes))]

    def _area(self, k: int) -> tuple[Estimate, Array | None]:
        scores, is_own = self._against_rest(k)
        area = roc_curve(scores, is_own, self.weights).area
        if np.isnan(area):
            return Estimate(NOT_KNOWN), None
        influence = area_influence(scores, is_own, self.weights, area)
        sides = effective_rows(self.weights[is_own]), effective_rows(self.weights[~is_own])
        return area_estimate(area, influence, self.weights, sides), influence

    @property
    def _auc(self) -> Estimate:
        if len(self.classes) == 2:
            return self._areas[self.asked.positive][0]
        known = [(estimate, influence) for estimate, influence in self._areas if influence is not None]
        if not known:
            return Estimate(NOT_KNOWN)
        mean, influence = np.mean([estimate.value for estimate, _ in known]), np.mean([one for _, one in known], axis=0)
        if np.isfinite(influence).all() and influence.any():
            return area_estimate(float(mean), influence, self.weights, (0.0, 0.0))
        low, high = (float(np.mean([getattr(part, bound) for part, _ in known])) for bound in ("low", "high"))
        return Estimate(float(mean), low, high)

    @cached_property
    def _average_precisions(self) -> list[Estimate]:
        """Average precisions, with the interval of a share of the positive rows (Boyd, Eng and Page 2013)."""
        found = []
        for k in range(len(self.classes)):
            scores, is_own = self._against_rest(k)
            area = precision_recall_curve(scores, is_own, self.weights).area
            low, high = wilson(area, effective_rows(self.weights[is_own]))
            found.append(Estimate(area, float(low), float(high)))
        return found

    @property
    def _average_precision(self) -> Estimate:
        every = self._average_precisions
        return every[self.asked.positive] if len(every) == 2 else estimate_of_mean(every)
