"""How good a classifier's predictions are on some rows: everything that follows from scores and true classes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.errors import SettingError, TableError
from suffice.evaluation.judging.area import AreaInfluence, area_estimate
from suffice.evaluation.judging.asked_decision import NOTHING_ASKED, Asked
from suffice.evaluation.judging.confusion import Confusion
from suffice.evaluation.judging.costs import BestThreshold, LeastCost, best_threshold, cost_estimate, taken_from
from suffice.evaluation.judging.curves import (
    CalibrationCurve,
    PrecisionRecallCurve,
    RocCurve,
    calibration_curve,
    precision_recall_curve,
    roc_curve,
)
from suffice.evaluation.judging.intervals import NOT_KNOWN, Estimate, estimate_of_mean, wilson
from suffice.evaluation.judging.judged import Judged, JudgedRows
from suffice.evaluation.judging.metric import require_metric
from suffice.evaluation.judging.score_tally import ScoreTally
from suffice.evaluation.judging.shown.evaluation_text import (
    evaluation_document,
    evaluation_html,
    evaluation_text,
    score_table,
)
from suffice.sample import as_frame
from suffice.schema import Array, Codes, Level, class_position
from suffice.shown import ShownAsText, quoted


@dataclass(frozen=True, repr=False)
class Evaluation(ShownAsText):
    """Scores of rows beside their true classes, and what they are worth; every number has a 95 % interval.

    `overall` has accuracy, balanced accuracy (the mean recall), mean precision and mean F1, log loss, Brier score, the
    area under the ROC curve and the average precision; of the last two the positive class's where there are two
    classes, else the mean of one class against the rest. `by_class` has each class's own.

    `scores`, `truth`, `predicted` and `weights` are those of every row, where the rows are on this machine.
    """

    classes: tuple[Level, ...]
    judged: Judged
    target: str = "class"
    model: str = "predictions"
    has_probabilities: bool = True
    asked: Asked = NOTHING_ASKED
    frame_kind: str = "pyarrow"
    warnings: tuple[str, ...] = ()  # what was warned of while the rows were read and predicted

    # What it is about -------------------------------------------------------------------------------------------

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.judged.rows

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(self.confusion.sum())

    @property
    def is_weighted(self) -> bool:
        """Whether some rows count for more than others."""
        return self.judged.is_weighted

    @property
    def scores(self) -> Array:
        """(row, class): probabilities, or what a perceptron decides by."""
        return self._here.scores

    @property
    def truth(self) -> Codes:
        """(row,), the row's class as a position in `classes`."""
        return self._here.truth

    @property
    def predicted(self) -> Codes:
        """(row,), the class it was taken for."""
        return self._here.predicted

    @property
    def weights(self) -> Array:
        """(row,)."""
        return self._here.weights

    @property
    def _here(self) -> JudgedRows:
        if not isinstance(self.judged, JudgedRows):
            raise TableError(
                "The rows are not on this machine, and only what was counted of them came here. Ask the model for "
                "`predictions` of the table, which is a frame where the rows are."
            )
        return self.judged

    @property
    def area_within(self) -> float:
        """How far areas under ROC curves can be from those of the scores themselves.

        It is 0 where equal scores were counted together, and above where there were too many of them to send.
        """
        if isinstance(self.judged, JudgedRows):
            return 0.0
        return max(self._tally(k).area_within for k in range(len(self.classes)))

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
            found["log_loss"] = self.judged.log_loss.estimate
            found["brier"] = self.judged.brier.estimate
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
        tally = self._tally(place)
        threshold = best_threshold(tally, costs)
        cost = cost_estimate(taken_from(tally, threshold), costs.table())
        return BestThreshold(threshold, cost, costs, cost_estimate(self._confusion, costs.table(place)))

    @cached_property
    def least_cost(self) -> LeastCost | None:
        """What errors of more than two classes cost as decided, and at the least expected cost; with costs only."""
        decision = self.asked.at_least_cost
        if decision is None or decision.costs is None:
            return None
        least = cost_estimate(self.judged.at_least_cost(decision), decision.costs) if self.has_probabilities else None
        return LeastCost(least, cost_estimate(self._confusion, decision.costs), decision.costs)

    def value(self, metric: str) -> float:
        """One of the overall metrics, without its interval."""
        require_metric(metric, self.overall)
        return self.overall[metric].value

    # Curves -----------------------------------------------------------------------------------------------------

    def roc(self, label: Any = None) -> RocCurve:
        """The ROC curve of a class against the rest; of the positive one where there are two."""
        return roc_curve(self._tally(self._place(label)))

    def precision_recall(self, label: Any = None) -> PrecisionRecallCurve:
        """Precision against recall of a class; of the positive one where there are two."""
        return precision_recall_curve(self._tally(self._place(label)))

    def calibration(self, label: Any = None, bins: int = 10, least_rows: float = 0) -> CalibrationCurve:
        """How often a class came where it was predicted so probable; the positive one where there are two.

        Neighbouring bins are joined until each has `least_rows`: a bin of two rows says nothing.
        """
        if not self.has_probabilities:
            raise SettingError(f"{self.model} has scores but no probabilities, which could be right or wrong.")
        return calibration_curve(self._tally(self._place(label)), bins, least_rows)

    def plot(self, figsize: tuple[float, float] | None = None) -> Any:
        """Draw the confusion matrix, ROC, precision–recall and calibration; needs matplotlib. Returns the four Axes."""
        from suffice.evaluation.judging.shown.evaluation_picture import draw_evaluation

        return draw_evaluation(self, figsize)

    def report(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Write it as one HTML file that needs nothing else."""
        from suffice.evaluation.judging.shown.evaluation_page import write_evaluation

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

    def _repr_html_(self) -> str:
        """The metrics for notebooks."""
        return evaluation_html(self)

    # How they are computed --------------------------------------------------------------------------------------

    @property
    def _confusion(self) -> Confusion:
        return self.judged.confusion

    def _tally(self, k: int) -> ScoreTally:
        return self.judged.tally(k)

    def _place(self, label: Any) -> int:
        if label is None:
            if self.positive is None:
                raise SettingError(f"Which class against the rest? Name one of {quoted(self.classes)}.")
            return self.asked.positive
        return class_position(label, self.classes)

    def _of_class(self, k: int) -> dict[str, Estimate]:
        area, average_precision = self._areas[k]
        found = {
            "precision": self._confusion.precision[k],
            "recall": self._confusion.recall[k],
            "f1": self._confusion.f1[k],
            "auc": area,
            "average_precision": average_precision,
        }
        if self.has_probabilities:
            found["brier"] = self.judged.class_brier(k).estimate
        return found

    @cached_property
    def _areas(self) -> list[tuple[Estimate, Estimate]]:
        """The area under every class's ROC curve, and its average precision."""
        tallies = map(self._tally, range(len(self.classes)))
        return [(_area(tally), _average_precision(tally)) for tally in tallies]

    @property
    def _auc(self) -> Estimate:
        if len(self.classes) == 2:
            return self._areas[self.asked.positive][0]
        known = [area for area, _ in self._areas if not np.isnan(area.value)]
        if not known:
            return Estimate(NOT_KNOWN)
        mean, error = float(np.mean([area.value for area in known])), self.judged.mean_area_error()
        if 0.0 < error < np.inf:
            return area_estimate(mean, error, (0.0, 0.0))
        low, high = (float(np.mean([getattr(area, bound) for area in known])) for bound in ("low", "high"))
        return Estimate(mean, low, high)

    @property
    def _average_precision(self) -> Estimate:
        every = [average_precision for _, average_precision in self._areas]
        return every[self.asked.positive] if len(every) == 2 else estimate_of_mean(every)


def _area(tally: ScoreTally) -> Estimate:
    if np.isnan(tally.area):
        return Estimate(NOT_KNOWN)
    sides = tally.effective_positives, tally.effective_negatives
    return area_estimate(tally.area, AreaInfluence.of(tally).error, sides)


def _average_precision(tally: ScoreTally) -> Estimate:
    """The average precision, with the interval of a share of the positive rows (Boyd, Eng and Page 2013)."""
    area = precision_recall_curve(tally).area
    low, high = wilson(area, tally.effective_positives)
    return Estimate(area, float(low), float(high))
