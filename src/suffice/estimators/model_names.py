"""The names by which `compare` and the command line know estimators; nothing is imported to list them."""

from __future__ import annotations

from typing import Any

Named = dict[str, tuple[str, dict[str, Any]]]  # the estimator, and the settings that the name stands for

CLASSIFIERS: Named = {
    "naive_bayes": ("NaiveBayes", {}),
    "naive_bayes_kde": ("NaiveBayes", {"likelihoods": "binned_or_kde"}),
    "lda": ("LDA", {}),
    "qda": ("QDA", {}),
    "joint_bayes": ("JointBayes", {}),
    "logistic": ("LogisticRegression", {}),
    "perceptron": ("Perceptron", {}),
    "id3": ("id3", {}),
    "c45": ("c45", {}),
    "cart": ("cart", {}),
    "majority": ("DecisionTreeClassifier", {"max_depth": 0}),  # what every other model should do better than
}

REGRESSORS: Named = {
    "cart": ("cart", {"criterion": "variance"}),
    "id3": ("id3", {"criterion": "standard_deviation"}),
    "mean": ("DecisionTreeRegressor", {"max_depth": 0}),  # what every other model should do better than
}

SHORT = {"nb": "naive_bayes", "nb_kde": "naive_bayes_kde", "joint": "joint_bayes"}
