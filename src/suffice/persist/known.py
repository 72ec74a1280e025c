"""The types a model file may hold. Nothing else is ever made when a file is read, and each says what it must be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from suffice.schema import Schema
from suffice.statistics.moments.indicators import Indicators

HOMES = {
    "models.fractions": ("Fractions",),
    "models.gaussian_discriminant": ("GaussianDiscriminantModel",),
    "models.joint_bayes": ("JointBayesModel",),
    "models.joint_table": ("JointTable",),
    "models.kernel_density": ("KernelDensityModel",),
    "models.likelihoods.bag_of_words": ("BagOfWords",),
    "models.likelihoods.binned": ("Binned",),
    "models.likelihoods.categorical": ("Categorical",),
    "models.likelihoods.gaussian": ("Gaussian",),
    "models.likelihoods.kernel_density": ("KernelDensity",),
    "models.likelihoods.poisson": ("Poisson",),
    "models.logistic": ("LogisticModel",),
    "models.naive_bayes": ("NaiveBayesModel",),
    "models.perceptron": ("PerceptronModel",),
    "models.trees.tree": ("ClassificationTree", "RegressionTree"),
    "report.optimisation_trace": ("ClimbPath",),
    "schema": ("LeftOut", "Nominal", "Numeric", "Schema", "Text"),
    "models.trees.nodes": ("Nodes",),
    "statistics.class_weights": ("ClassWeights",),
    "statistics.counts": ("Counts",),
    "statistics.linear.design": ("Design",),
    "statistics.moments.fourth_moments": ("FourthMoments",),
    "statistics.moments.full_moments": ("FullMoments",),
    "statistics.moments.indicators": ("Indicators",),
    "statistics.histograms": ("Histograms",),
    "statistics.joint_counts": ("JointCounts",),
    "statistics.moments.matrix_moments": ("MatrixMoments",),
    "statistics.moments.column_moments": ("Moments",),
    "statistics.moments.pairwise_moments": ("PairwiseMoments",),
    "statistics.moments.higher_moments": ("Tails",),
    "statistics.points": ("Points",),
    "statistics.shapes": ("Shapes",),
    "statistics.statistic": ("Together",),
    "statistics.tally": ("Tally",),
    "statistics.totals": ("Totals",),
    "statistics.value_counts": ("ValueCounts",),
    "statistics.word_counts": ("WordCounts", "WordTable"),
}


class Types(Mapping[str, type[Any]]):
    """Types by their names, each imported when a file first holds one: a model loads what it is made of, no more."""

    def __init__(self, homes: Mapping[str, tuple[str, ...]]) -> None:
        self._homes = {name: f"suffice.{home}" for home, names in homes.items() for name in names}

    def __getitem__(self, name: str) -> type[Any]:
        found: type[Any] = getattr(import_module(self._homes[name]), name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


KNOWN = Types(HOMES)
SHARED = (Schema, Indicators)  # every statistic carries them; the file has each once
DTYPES = ("float64", "int32", "int64", "bool")
