"""The models that take part in a comparison, by the names the command line knows them by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from suffice.errors import SettingError, did_you_mean
from suffice.estimators import LDA, QDA, GenerativeClassifier, JointBayes, NaiveBayes

MODELS: dict[str, Callable[..., GenerativeClassifier]] = {
    "naive_bayes": NaiveBayes,
    "naive_bayes_kde": lambda **settings: NaiveBayes(likelihoods="kde", **settings),
    "lda": LDA,
    "qda": QDA,
    "joint_bayes": JointBayes,
}


def make_model(name: str, **settings: Any) -> GenerativeClassifier:
    """A model by its name.

    >>> make_model("lda")
    LDA()
    """
    if name not in MODELS:
        hint = did_you_mean(name, MODELS)
        raise SettingError(f"There is no model {name!r}.{hint} The models are {', '.join(MODELS)}.")
    return MODELS[name](**settings)
