"""A model file that must hold a model of a target."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from suffice.errors import ModelFileError, SettingError

if TYPE_CHECKING:
    from suffice.estimators import Predictor

MODEL_ENDINGS = (".json", ".zip", ".model")


def predictor(path: str) -> Predictor:
    """The model in a file; a distribution has no target, so that nothing can be predicted with it."""
    from suffice.estimators import Predictor, load

    try:
        estimator = load(path)
    except ModelFileError as error:
        if os.path.isfile(path) and not path.lower().endswith(MODEL_ENDINGS):
            raise ModelFileError(f"{error} The model comes first, and then the table.") from error
        raise
    if not isinstance(estimator, Predictor):
        raise SettingError(
            f"{path} holds a {type(estimator).__name__}, which has no target to predict. `suffice describe` shows it, "
            "and `suffice sample` draws rows from it."
        )
    return estimator
