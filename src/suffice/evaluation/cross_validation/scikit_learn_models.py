"""Models of scikit-learn in a comparison: the same rows, the same folds, the same columns as a pandas frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.estimators.capabilities import has_probabilities
from suffice.estimators.classifier import label_array
from suffice.evaluation.cross_validation.contestant import Fitted, ForeignModel
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.results import result_of
from suffice.evaluation.cross_validation.trial import Trial
from suffice.evaluation.judging.scikit_learn_answers import answers_of, predicted_from, table_frame, task_of
from suffice.evaluation.models import reading_model
from suffice.progress import report_rows
from suffice.schema import AnyArray, Batch, Nominal
from suffice.sources import Rows, gathered


@dataclass(frozen=True)
class ScikitLearnModel(ForeignModel):
    """An estimator or a pipeline of scikit-learn, or of any library that keeps to its rules."""

    estimator: Any

    @classmethod
    def of(cls, estimator: Any) -> ScikitLearnModel:
        """A model of another library, read for by one of suffice."""
        return cls(reading_model(task_of(estimator)), estimator)

    @property
    def task(self) -> str:
        """What it predicts."""
        return task_of(self.estimator)

    def fitted_on(self, batch: Batch) -> Any:
        """A copy, fitted on some rows."""
        return self._fitted(*self._table(batch))

    def judged(self, model: Any) -> Fitted:
        """A fitted model, which gets rows as a frame."""
        return Fitted(partial(answers_of, model), has_probabilities(model))

    def cross_validated(self, table: Rows, dealing: Dealing) -> Trial:
        """What copies fitted without each fold say of it, and one fitted on all rows."""
        batch = gathered(table)
        (frame, answers), fold = self._table(batch), dealing.of_batch(batch)
        predicted = np.empty((batch.rows, batch.schema.class_count) if batch.schema.classes else batch.rows)
        for k in range(dealing.count):
            held_out, others = np.flatnonzero(fold == k), np.flatnonzero(fold != k)
            model = self._fitted(frame.iloc[others], answers[others])
            predicted[held_out] = predicted_from(model, frame.iloc[held_out], batch)
            report_rows(len(held_out))
        fitted = self._fitted(frame, answers)
        rows = predicted, batch.truth(), batch.row_weights(), fold, dealing.count
        result = result_of(batch.schema.classes, *rows, has_probabilities(fitted))
        return Trial(result, lambda: fitted)

    def _table(self, batch: Batch) -> tuple[Any, AnyArray]:
        """The columns as a frame, and the target."""
        if batch.weights is not None:
            raise SettingError(
                f"{type(self.estimator).__name__} is of another library and is compared without weights. Leave out "
                "sample_weight, or compare the models of suffice alone."
            )
        is_nominal = isinstance(batch.schema.target, Nominal)
        labels = np.take(label_array(batch.schema.classes), batch.class_codes()) if is_nominal else batch.responses()
        return table_frame(batch), labels

    def _fitted(self, frame: Any, answers: AnyArray) -> Any:
        from suffice.estimators.scikit import clone

        try:
            return clone(self.estimator).fit(frame, answers)
        except (ValueError, TypeError, KeyError) as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise SettingError(
                f"{type(self.estimator).__name__} could not be fitted: {first} It gets the table as it is, with "
                "levels as text and missing values; put what encodes and imputes before it, in a pipeline."
            ) from error
