"""A model file that must hold a model of a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from suffice.errors import SettingError

if TYPE_CHECKING:
    from suffice.estimators import Predictor


def predictor(path: str) -> Predictor:
    """The model in a file; a distribution has no target, so that nothing can be predicted with it."""
    from suffice.estimators import Predictor, load

    estimator = load(path)
    if not isinstance(estimator, Predictor):
        raise SettingError(
            f"{path} holds a {type(estimator).__name__}, which has no target to predict. `suffice describe` shows it, "
            "and `suffice sample` draws rows from it."
        )
    return estimator
