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
from suffice.version import __version__

if TYPE_CHECKING:
    from suffice import datasets, errors
    from suffice.estimators import (
        LDA,
        QDA,
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        GaussianDensity,
        GaussianDiscriminant,
        JointBayes,
        JointDistribution,
        KernelDensity,
        LogisticRegression,
        NaiveBayes,
        Perceptron,
        c45,
        cart,
        id3,
        linearly_separable,
        load,
    )
    from suffice.evaluation.comparison.comparison import compare
    from suffice.evaluation.cross_validation.cross_validation import cross_validate
    from suffice.evaluation.judging.held_out import evaluate
    from suffice.evaluation.learning_curves.learning_curve import learning_curve
    from suffice.information import (
        conditional_entropy,
        entropy,
        gain_ratio,
        information_gain,
        mutual_information,
        optimal_code,
        rank_features,
    )
    from suffice.information.overview import overview
    from suffice.models.decision import decide
    from suffice.plot import plot_boundary, plot_climb
    from suffice.sources.csv_file import CsvFile

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

__all__ = [
    "LDA",
    "QDA",
    "CsvFile",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "GaussianDensity",
    "GaussianDiscriminant",
    "JointBayes",
    "JointDistribution",
    "KernelDensity",
    "LogisticRegression",
    "NaiveBayes",
    "Perceptron",
    "__version__",
    "c45",
    "cart",
    "compare",
    "conditional_entropy",
    "cross_validate",
    "datasets",
    "decide",
    "entropy",
    "errors",
    "evaluate",
    "gain_ratio",
    "id3",
    "information_gain",
    "learning_curve",
    "linearly_separable",
    "load",
    "mutual_information",
    "optimal_code",
    "overview",
    "plot_boundary",
    "plot_climb",
    "rank_features",
]


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
