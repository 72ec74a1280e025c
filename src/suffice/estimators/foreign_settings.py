"""Settings by the names and values that scikit-learn's users know: what they are called here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from typing import Any

from suffice.errors import SettingError, did_you_mean
from suffice.settings import is_number

TREES = {
    "min_samples_leaf": "min_leaf says how much weight of rows a leaf must have: min_leaf={value}",
    "min_samples_split": "min_split says how much weight of rows a node must have to be split: min_split={value}",
    "max_leaf_nodes": "max_leaves is the most leaves: max_leaves={value}",
    "ccp_alpha": "prune='cost_complexity' chooses it by cross-validation; "
    "tree.pruned('cost_complexity', alpha=…) takes one of your own, in errors per row",
    "splitter": "splits are always the best",
    "max_features": "every split looks at all columns",
    "min_impurity_decrease": "limit the tree with min_leaf, max_leaves or prune",
    "confidence": "pessimistic pruning counts errors, which numbers have none of; use prune='cost_complexity'",
    "class_weight": "numbers have no classes; give sample_weight to fit",
}
LINEAR = {
    "C": "l2 is the strength of the penalty itself, 1/C: l2={inverse}; on columns as they are with standardize=False",
    "penalty": "the penalty is l2, l2=0 is none and l2='firth' is Firth's",
    "l1_ratio": "the penalty is l2 only",
    "alpha": "l2 is the strength of the penalty",
    "fit_intercept": "there always is an intercept",
    "warm_start": "fit(…, start=model.logistic_weights()) climbs from weights of your own",
    "multi_class": "more than two classes are always learned together",
    "random_state": "nothing in it is random",
}
NAIVE_BAYES = {
    "alpha": "smoothing is added to every count: smoothing={value}",
    "var_smoothing": "variances are pulled up only where a class hardly varies",
    "fit_prior": "priors are the shares of the classes unless given: priors={{'no': 0.5, 'yes': 0.5}}",
    "class_prior": "priors has them: priors={value}",
    "min_categories": "declare the levels in the table, as a categorical column or in an ARFF file",
    "binarize": "name the columns in nominal=[…], or cut them first",
}
DISCRIMINANT = {
    "reg_param": "shrinkage is a number from 0 to 1: shrinkage={value} pulls towards uncorrelated columns",
    "store_covariance": "covariance_ is always there",
    "covariance_estimator": "shrinkage chooses: 'ledoit_wolf', 'oas' or a number",
    "n_components": "transform gives all directions; take the first columns",
    "solver": "there is one way to solve it, which needs no choice",
    "tol": "columns without variation are found by themselves",
}
PERCEPTRON = {
    "max_iter": "max_epochs is the most rounds over the rows: max_epochs={value}",
    "eta0": "the size of the step changes nothing but the length of the weights",
    "penalty": "there is none; LogisticRegression has l2",
    "alpha": "there is no penalty; LogisticRegression has l2",
    "early_stopping": "it stops by itself where every row is on its own side",
    "tol": "it stops by itself where every row is on its own side",
    "shuffle": "rows are always taken in a random order, which random_state seeds",
}
EVERYWHERE = {
    "n_jobs": "all processors are used by themselves",
    "verbose": "there is nothing to set",
    "categorical_features": "nominal=[…] names columns of numbers to read as levels",
}
OF_CLASS = {
    "DecisionTreeClassifier": TREES,
    "DecisionTreeRegressor": TREES,
    "LogisticRegression": LINEAR,
    "NaiveBayes": NAIVE_BAYES,
    "JointBayes": NAIVE_BAYES,
    "GaussianDiscriminant": DISCRIMINANT,
    "LDA": DISCRIMINANT,
    "QDA": DISCRIMINANT,
    "Perceptron": PERCEPTRON,
}
VALUES: dict[tuple[str, Any], str] = {
    ("criterion", "entropy"): "'information_gain', or 'gain_ratio' as in C4.5",
    ("criterion", "log_loss"): "'information_gain', or 'gain_ratio' as in C4.5",
    ("criterion", "squared_error"): "'variance'",
    ("criterion", "friedman_mse"): "'variance'",
    ("criterion", "mse"): "'variance'",
    ("solver", "lbfgs"): "'newton', which comes to the same weights",
    ("solver", "liblinear"): "'newton', which comes to the same weights",
    ("solver", "newton-cg"): "'newton' or 'conjugate_gradient'",
    ("solver", "newton-cholesky"): "'newton'",
    ("solver", "sag"): "'newton', which comes to the same weights",
    ("solver", "saga"): "'newton', which comes to the same weights",
    ("shrinkage", "auto"): "'ledoit_wolf'",
    ("shrinkage", None): "0, or 'as_needed'",
}


class UnknownSettingError(SettingError, TypeError):
    """A setting that the estimator does not have, as Python says of any unknown argument."""


def no_such_setting(kind: str, name: str, value: Any, known: Iterable[str]) -> UnknownSettingError:
    """What to say of it: what it is called here, else the nearest name.

    >>> print(no_such_setting("LogisticRegression", "C", 0.5, ["l2"]))
    LogisticRegression has no setting 'C'. Here l2 is the strength of the penalty itself, 1/C: l2=2; on columns as \
they are with standardize=False.
    """
    hint = {**EVERYWHERE, **OF_CLASS.get(kind, {})}.get(name)
    if hint is not None:
        is_positive = is_number(value) and value > 0
        said = hint.format(value=repr(value), inverse=f"{1 / value:g}" if is_positive else "1/C")
        return UnknownSettingError(f"{kind} has no setting {name!r}. Here {said}.")
    names = list(known)
    return UnknownSettingError(
        f"{kind} has no setting {name!r}.{did_you_mean(name, names)} Its settings are {', '.join(names)}."
    )


def require_own_value(name: str, value: Any) -> None:
    """A value by which another library calls something that is here too."""
    hint = VALUES.get((name, value)) if isinstance(value, (str, type(None))) else None
    if hint is not None:
        raise SettingError(f"{name} has no {value!r}; here it is {hint}.")


def require_known(kind: type[Any], settings: Mapping[str, Any]) -> None:
    """Every setting must be one that the class has."""
    known = kind._get_param_names()
    for name, value in settings.items():
        if name not in known:
            raise no_such_setting(kind.__name__, name, value, known)


def with_hints(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor that knows the names other libraries use; its signature stays as it is."""
    known = tuple(signature(init).parameters)[1:]

    @wraps(init)
    def hinting(self: Any, *args: Any, **settings: Any) -> None:
        for name, value in settings.items():
            if name not in known:
                raise no_such_setting(type(self).__name__, name, value, known)
        init(self, *args, **settings)

    return hinting
