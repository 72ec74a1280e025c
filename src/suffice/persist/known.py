"""The types a model file may hold. Nothing else is ever made when a file is read, and each says what it must be."""

from __future__ import annotations

from typing import Any

from suffice.models.gaussian_discriminant import GaussianDiscriminantModel
from suffice.models.joint_bayes import JointBayesModel
from suffice.models.joint_table import JointTable
from suffice.models.kernel_density import KernelDensityModel
from suffice.models.likelihoods.bag_of_words import BagOfWords
from suffice.models.likelihoods.categorical import Categorical
from suffice.models.likelihoods.gaussian import Gaussian
from suffice.models.likelihoods.kernel_density import KernelDensity
from suffice.models.likelihoods.poisson import Poisson
from suffice.models.logistic import LogisticModel
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.models.perceptron import PerceptronModel
from suffice.models.tree import ClassificationTree, RegressionTree
from suffice.report.climb_path import ClimbPath
from suffice.schema import LeftOut, Nominal, Numeric, Schema, Text
from suffice.solve.probabilities import Fractions
from suffice.solve.trees.nodes import Nodes
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts
from suffice.statistics.design import Design
from suffice.statistics.fourth_moments import FourthMoments
from suffice.statistics.full_moments import FullMoments
from suffice.statistics.indicators import Indicators
from suffice.statistics.joint_counts import JointCounts
from suffice.statistics.matrix_moments import MatrixMoments
from suffice.statistics.moments import Moments
from suffice.statistics.pairwise_moments import PairwiseMoments
from suffice.statistics.points import Points
from suffice.statistics.statistic import Together
from suffice.statistics.tally import Tally
from suffice.statistics.totals import Totals
from suffice.statistics.value_counts import ValueCounts
from suffice.statistics.word_counts import WordCounts, WordTable

KNOWN: dict[str, type[Any]] = {
    known.__name__: known
    for known in (
        BagOfWords,
        Categorical,
        ClassWeights,
        ClassificationTree,
        ClimbPath,
        Counts,
        Design,
        FourthMoments,
        Fractions,
        FullMoments,
        Gaussian,
        GaussianDiscriminantModel,
        Indicators,
        JointBayesModel,
        JointCounts,
        JointTable,
        KernelDensity,
        KernelDensityModel,
        LeftOut,
        LogisticModel,
        MatrixMoments,
        Moments,
        NaiveBayesModel,
        Nodes,
        Nominal,
        Numeric,
        PairwiseMoments,
        PerceptronModel,
        Points,
        Poisson,
        RegressionTree,
        Schema,
        Tally,
        Text,
        Together,
        Totals,
        ValueCounts,
        WordCounts,
        WordTable,
    )
}
SHARED = (Schema, Indicators)  # every statistic carries them; the file has each once
DTYPES = ("float64", "int32", "int64", "bool")
