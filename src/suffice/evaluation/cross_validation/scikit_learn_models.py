"""Models of scikit-learn in a comparison: the same rows, the same folds, the same columns as a pandas frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import SettingError, TableError
from suffice.estimators.classifier import label_array
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.foreign_model import ForeignModel
from suffice.evaluation.cross_validation.results import Result, result_of
from suffice.evaluation.models import reading_model
from suffice.progress import report_rows
from suffice.schema import AnyArray, Array, Batch, Nominal
from suffice.sources import Rows, gathered
from suffice.sources.reading import lacking
from suffice.sources.task import CLASSIFICATION, REGRESSION


@dataclass(frozen=True)
class ScikitLearnModel(ForeignModel):
    """An estimator or a pipeline of scikit-learn, or of any library that keeps to its rules."""

    estimator: Any

    @classmethod
    def of(cls, estimator: Any) -> ScikitLearnModel:
        """A model of another library; an error where it is none."""
        if isinstance(estimator, type) or not all(
            hasattr(estimator, name) for name in ("fit", "predict", "get_params")
        ):
            raise SettingError(
                f"{estimator!r:.60} cannot be compared: it is no model of suffice, nor one of scikit-learn. Name "
                "models, or give estimators such as sf.LDA() or RandomForestClassifier()."
            )
        return cls(reading_model(task_of(estimator)), estimator)

    @property
    def task(self) -> str:
        """What it predicts."""
        return task_of(self.estimator)

    def fitted(self, batch: Batch) -> Any:
        """A copy, fitted on some rows."""
        return self._fitted(*self._table(batch))

    @staticmethod
    def answers(model: Any, batch: Batch) -> Array:
        """What a fitted model says of rows: probabilities or scores of the classes, or numbers.

        It gets the columns that it was trained on, in that order, where it knows their names.
        """
        frame = table_frame(batch)
        names = list(getattr(model, "feature_names_in_", frame.columns))
        absent = [name for name in names if name not in frame.columns]
        if absent:
            raise TableError(lacking("The table", absent, f"{type(model).__name__} reads"))
        return _predicted(model, frame[names], batch)

    def cross_validated(self, table: Rows, dealing: Dealing) -> tuple[Any, Result]:
        """A copy fitted on all rows, and what those without each fold say of it."""
        batch = gathered(table)
        (frame, answers), fold = self._table(batch), dealing.of_batch(batch)
        predicted = np.empty((batch.rows, batch.schema.class_count) if batch.schema.classes else batch.rows)
        for k in range(dealing.count):
            held_out, others = np.flatnonzero(fold == k), np.flatnonzero(fold != k)
            model = self._fitted(frame.iloc[others], answers[others])
            predicted[held_out] = _predicted(model, frame.iloc[held_out], batch)
            report_rows(len(held_out))
        fitted = self._fitted(frame, answers)
        rows = predicted, batch.truth(), batch.row_weights(), fold, dealing.count
        return fitted, result_of(batch.schema.classes, *rows, hasattr(fitted, "predict_proba"))

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


def task_of(estimator: Any) -> str:
    """What an estimator of scikit-learn predicts."""
    from sklearn.base import is_regressor

    return REGRESSION if is_regressor(estimator) else CLASSIFICATION


def table_frame(batch: Batch) -> Any:
    """The rows as a pandas frame: numbers as numbers, levels as they are, missing ones None or NaN."""
    try:
        import pandas as pd
    except ImportError as error:
        raise SettingError(
            "Models of scikit-learn get the table as a pandas frame, and pandas is not installed. Install it "
            "(pip install pandas), or compare the models of suffice alone."
        ) from error
    numeric = {column.name: batch.numeric[:, place] for place, column in enumerate(batch.schema.numeric)}
    levels = {
        column.name: np.array([*column.levels, None], dtype=object)[batch.codes[place]]
        for place, column in enumerate(batch.schema.nominal)
    }
    every = numeric | levels
    names = [column.name for column in batch.schema.columns if column.name in every]
    return pd.DataFrame({name: every[name] for name in names})


def _predicted(model: Any, frame: Any, batch: Batch) -> Array:
    """Probabilities of the classes, or without them scores, or without these ones and zeros; or numbers."""
    if not batch.schema.classes:
        numbers: Array = np.asarray(model.predict(frame), dtype=np.float64).reshape(-1)
        return numbers
    known = list(model.classes_) if hasattr(model, "classes_") else list(label_array(batch.schema.classes))
    places = [known.index(label) if label in known else -1 for label in label_array(batch.schema.classes).tolist()]
    if hasattr(model, "predict_proba"):
        scores = np.asarray(model.predict_proba(frame), dtype=np.float64)
    elif hasattr(model, "decision_function"):
        decided = np.asarray(model.decision_function(frame), dtype=np.float64)
        scores = np.stack([-decided, decided], axis=1) if decided.ndim == 1 else decided
    else:
        said = model.predict(frame)
        scores = np.stack([np.asarray(said == label, dtype=np.float64) for label in known], axis=1)
    absent = 0.0 if hasattr(model, "predict_proba") else scores.min() - 1
    return np.column_stack([scores[:, place] if place >= 0 else np.full(len(scores), absent) for place in places])
