"""What a fitted model of scikit-learn says of rows: it gets the columns as a pandas frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.errors import SettingError, TableError
from suffice.estimators.capabilities import has_probabilities, has_scores
from suffice.estimators.classifier import label_array
from suffice.estimators.feature_names import own_feature_names
from suffice.schema import Array, Batch
from suffice.sources.reading import lacking
from suffice.sources.targets.task import CLASSIFICATION, REGRESSION


def task_of(estimator: Any) -> str:
    """What an estimator of scikit-learn predicts."""
    from sklearn.base import is_regressor

    return REGRESSION if is_regressor(estimator) else CLASSIFICATION


def answers_of(model: Any, batch: Batch) -> Array:
    """What a fitted model says of rows: probabilities or scores of the classes, or numbers.

    It gets the columns that it was trained on, in that order, where it knows their names.
    """
    frame = table_frame(batch)
    names = list(own_feature_names(model) or frame.columns)
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise TableError(lacking("The table", absent, f"{type(model).__name__} reads"))
    return predicted_from(model, frame[names], batch)


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


def predicted_from(model: Any, frame: Any, batch: Batch) -> Array:
    """Probabilities of the classes, or without them scores, or without these ones and zeros; or numbers."""
    if not batch.schema.classes:
        numbers: Array = np.asarray(model.predict(frame), dtype=np.float64).reshape(-1)
        return numbers
    known = list(model.classes_) if hasattr(model, "classes_") else list(label_array(batch.schema.classes))
    places = [known.index(label) if label in known else -1 for label in label_array(batch.schema.classes).tolist()]
    if has_probabilities(model):
        scores = np.asarray(model.predict_proba(frame), dtype=np.float64)
    elif has_scores(model):
        decided = np.asarray(model.decision_function(frame), dtype=np.float64)
        scores = np.stack([-decided, decided], axis=1) if decided.ndim == 1 else decided
    else:
        said = model.predict(frame)
        scores = np.stack([np.asarray(said == label, dtype=np.float64) for label in known], axis=1)
    absent = 0.0 if has_probabilities(model) else scores.min() - 1
    return np.column_stack([scores[:, place] if place >= 0 else np.full(len(scores), absent) for place in places])
