"""The classifiers as scikit-learn estimators: settings, and the fitted model once there is one."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from suffice.estimators.classifier import Classifier as Classifier
    from suffice.estimators.distributions.gaussian_density import GaussianDensity as GaussianDensity
    from suffice.estimators.distributions.joint_distribution import JointDistribution as JointDistribution
    from suffice.estimators.distributions.kernel_density import KernelDensity as KernelDensity
    from suffice.estimators.gaussian_discriminant import LDA as LDA
    from suffice.estimators.gaussian_discriminant import QDA as QDA
    from suffice.estimators.gaussian_discriminant import GaussianDiscriminant as GaussianDiscriminant
    from suffice.estimators.generative_classifier import GenerativeClassifier as GenerativeClassifier
    from suffice.estimators.joint_bayes import JointBayes as JointBayes
    from suffice.estimators.linear.logistic_regression import LogisticRegression as LogisticRegression
    from suffice.estimators.linear.perceptron import Perceptron as Perceptron
    from suffice.estimators.linear.separability import Separability as Separability
    from suffice.estimators.linear.separability import linearly_separable as linearly_separable
    from suffice.estimators.naive_bayes import NaiveBayes as NaiveBayes
    from suffice.estimators.predictor import Predictor as Predictor
    from suffice.estimators.refitted import Refitted as Refitted
    from suffice.estimators.trees.classic_trees import c45 as c45
    from suffice.estimators.trees.classic_trees import cart as cart
    from suffice.estimators.trees.classic_trees import id3 as id3
    from suffice.estimators.trees.decision_tree import DecisionTreeClassifier as DecisionTreeClassifier
    from suffice.estimators.trees.decision_tree import DecisionTreeRegressor as DecisionTreeRegressor
    from suffice.estimators.trees.tree_base import DecisionTree as DecisionTree

# Where each is defined, loaded when first used: one model does not need what the others are made of. `suffice` gives
# out those of PUBLIC; a file may hold the estimators among them.
PUBLIC = {
    "LDA": "gaussian_discriminant",
    "QDA": "gaussian_discriminant",
    "DecisionTreeClassifier": "trees.decision_tree",
    "DecisionTreeRegressor": "trees.decision_tree",
    "GaussianDensity": "distributions.gaussian_density",
    "GaussianDiscriminant": "gaussian_discriminant",
    "JointBayes": "joint_bayes",
    "JointDistribution": "distributions.joint_distribution",
    "KernelDensity": "distributions.kernel_density",
    "LogisticRegression": "linear.logistic_regression",
    "NaiveBayes": "naive_bayes",
    "Perceptron": "linear.perceptron",
    "c45": "trees.classic_trees",
    "cart": "trees.classic_trees",
    "id3": "trees.classic_trees",
    "linearly_separable": "linear.separability",
}
_HOMES = PUBLIC | {
    "Classifier": "classifier",
    "DecisionTree": "trees.tree_base",
    "GenerativeClassifier": "generative_classifier",
    "Predictor": "predictor",
    "Refitted": "refitted",
    "Separability": "linear.separability",
}
__all__ = sorted([*_HOMES, "load"])


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'suffice.estimators' has no attribute {name!r}", name=name)
    return getattr(import_module(f"suffice.estimators.{_HOMES[name]}"), name)


def load(path: str | bytes | os.PathLike[str]) -> Any:
    """Read a model that `save` wrote; nothing in the file is executed.

    >>> import os, tempfile
    >>> import suffice as sf
    >>> model = sf.LDA().fit(sf.datasets.load("iris"), "species")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(os.path.join(folder, "iris.json"))
    ...     print(sf.load(os.path.join(folder, "iris.json")))
    LDA()
    """
    from suffice import persist
    from suffice.errors import ModelFileError
    from suffice.estimators.saved import Saved

    kind, content = persist.load(path)
    estimator: Any = __getattr__(kind) if kind in PUBLIC else None
    if not (isinstance(estimator, type) and issubclass(estimator, Saved)):
        raise ModelFileError(f"{os.fsdecode(path)} holds a {kind!r}, which this version of suffice does not know.")
    try:
        return estimator._restored(content)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise ModelFileError(f"{os.fsdecode(path)} cannot be understood ({error}). Use another copy.") from error
