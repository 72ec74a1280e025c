"""Model files: a file, or what comes through a pipe."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from suffice.cli.piped import is_piped, kept
from suffice.errors import ModelFileError, SettingError

if TYPE_CHECKING:
    from suffice.estimators import Predictor

MODEL_ENDINGS = (".json", ".zip", ".model")


def saved_model(path: str) -> Any:
    """What was saved: a model, or a distribution."""
    from suffice.estimators import load

    return load(kept(path) if is_piped(path) else path)


def predictor(path: str) -> Predictor:
    """A model of a target; a distribution has none, so that nothing can be predicted with it."""
    from suffice.estimators import Predictor

    try:
        estimator = saved_model(path)
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
