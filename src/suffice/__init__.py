"""Glass-box classifiers for tables of any size: train where the data lives, read every decision.

>>> import suffice as sf
>>> model = sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")
>>> model.predict(sf.datasets.load("play_tennis"))[:3].tolist()
['No', 'No', 'Yes']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from suffice import estimators as _estimators
from suffice.machine import forking as _forking  # forks must be safe from the first import on  # noqa: F401
from suffice.version import __version__ as __version__

if TYPE_CHECKING:
    from suffice import datasets as datasets
    from suffice import errors as errors
    from suffice.estimators import LDA as LDA
    from suffice.estimators import QDA as QDA
    from suffice.estimators import DecisionTreeClassifier as DecisionTreeClassifier
    from suffice.estimators import DecisionTreeRegressor as DecisionTreeRegressor
    from suffice.estimators import GaussianDensity as GaussianDensity
    from suffice.estimators import GaussianDiscriminant as GaussianDiscriminant
    from suffice.estimators import JointBayes as JointBayes
    from suffice.estimators import JointDistribution as JointDistribution
    from suffice.estimators import KernelDensity as KernelDensity
    from suffice.estimators import LogisticRegression as LogisticRegression
    from suffice.estimators import NaiveBayes as NaiveBayes
    from suffice.estimators import Perceptron as Perceptron
    from suffice.estimators import c45 as c45
    from suffice.estimators import cart as cart
    from suffice.estimators import id3 as id3
    from suffice.estimators import linearly_separable as linearly_separable
    from suffice.estimators import load as load
    from suffice.evaluation.comparison.comparison import compare as compare
    from suffice.evaluation.cross_validation.cross_validation import cross_validate as cross_validate
    from suffice.evaluation.judging.held_out import evaluate as evaluate
    from suffice.evaluation.learning_curves.learning_curve import learning_curve as learning_curve
    from suffice.information import conditional_entropy as conditional_entropy
    from suffice.information import entropy as entropy
    from suffice.information import gain_ratio as gain_ratio
    from suffice.information import information_gain as information_gain
    from suffice.information import mutual_information as mutual_information
    from suffice.information import optimal_code as optimal_code
    from suffice.information import rank_features as rank_features
    from suffice.information.overview import overview as overview
    from suffice.models.decision import decide as decide
    from suffice.plot import plot_boundary as plot_boundary
    from suffice.plot import plot_climb as plot_climb
    from suffice.sources.csv_file import CsvFile as CsvFile

# Loaded when first used: `import suffice` itself costs next to nothing.
_HOMES = {
    "CsvFile": "suffice.sources.csv_file",
    **dict.fromkeys((*_estimators.PUBLIC, "load"), "suffice.estimators"),
    "decide": "suffice.models.decision",
    "compare": "suffice.evaluation",
    "cross_validate": "suffice.evaluation",
    "evaluate": "suffice.evaluation",
    "learning_curve": "suffice.evaluation",
    "conditional_entropy": "suffice.information",
    "entropy": "suffice.information",
    "gain_ratio": "suffice.information",
    "information_gain": "suffice.information",
    "mutual_information": "suffice.information",
    "optimal_code": "suffice.information",
    "overview": "suffice.information.overview",
    "rank_features": "suffice.information",
    "plot_boundary": "suffice.plot",
    "plot_climb": "suffice.plot",
}

_ELSEWHERE = {
    "BernoulliNB": "NaiveBayes",
    "CategoricalNB": "NaiveBayes",
    "GaussianNB": "NaiveBayes",
    "MultinomialNB": "NaiveBayes",
    "LinearDiscriminantAnalysis": "LDA",
    "QuadraticDiscriminantAnalysis": "QDA",
    "J48": "c45",
    "GaussianMixture": "GaussianDensity",
    "gaussian_kde": "KernelDensity",
}

__all__ = sorted([*_HOMES, "__version__", "datasets", "errors"])


def __getattr__(name: str) -> Any:
    if name in ("datasets", "errors"):
        return import_module(f"suffice.{name}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name.startswith("__"):  # whoever asks for it looks at any module so, and will not read a hint
        raise AttributeError(f"module 'suffice' has no attribute {name!r}", name=name)
    from suffice.errors import did_you_mean

    hint = f" Did you mean {_ELSEWHERE[name]!r}?" if name in _ELSEWHERE else did_you_mean(name, __all__)
    raise AttributeError(f"module 'suffice' has no attribute {name!r}.{hint}", name=name)


def __dir__() -> list[str]:
    return sorted(__all__)
