"""The classifiers as scikit-learn estimators: settings, and the fitted model once there is one."""

from __future__ import annotations

import os
from typing import Any

from suffice import persist
from suffice.errors import ModelFileError
from suffice.estimators.base import GenerativeClassifier
from suffice.estimators.gaussian_discriminant import LDA, QDA, GaussianDiscriminant
from suffice.estimators.joint_bayes import JointBayes
from suffice.estimators.naive_bayes import NaiveBayes

__all__ = ["LDA", "QDA", "GaussianDiscriminant", "GenerativeClassifier", "JointBayes", "NaiveBayes", "load"]

KINDS: dict[str, type[GenerativeClassifier]] = {
    kind.__name__: kind for kind in (NaiveBayes, JointBayes, GaussianDiscriminant, LDA, QDA)
}


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that `save` wrote; nothing in the file is executed.

    >>> import os, tempfile
    >>> import suffice as sf
    >>> model = sf.LDA().fit(sf.datasets.load("iris"), "species")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(os.path.join(folder, "iris.json"))
    ...     print(sf.load(os.path.join(folder, "iris.json")))
    LDA()
    """
    kind, content = persist.load(path)
    if kind not in KINDS:
        raise ModelFileError(f"{os.fspath(path)} holds a {kind!r}, which this version of suffice does not know.")
    try:
        return KINDS[kind]._restored(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelFileError(f"{os.fspath(path)} cannot be understood ({error}). Use another copy.") from error
