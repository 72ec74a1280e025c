"""The models that take part in a comparison, by the names the command line knows them by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from suffice import estimators
from suffice.errors import Message, Setting, SettingError, did_you_mean
from suffice.estimators import GenerativeClassifier, Predictor, Refitted
from suffice.estimators.model_names import CLASSIFIERS, REGRESSORS, SHORT, Named
from suffice.estimators.scikit import clone
from suffice.sources.targets.task import CLASSIFICATION, REGRESSION

Model = GenerativeClassifier | Refitted
M = TypeVar("M", bound=Predictor)


def _makers(named: Named) -> dict[str, Callable[..., Model]]:
    return {name: partial(getattr(estimators, kind), **settings) for name, (kind, settings) in named.items()}


MODELS, REGRESSION_MODELS = _makers(CLASSIFIERS), _makers(REGRESSORS)

FAMILIAR = {
    "tree": "'c45' or 'cart'",
    "decision_tree": "'c45' or 'cart'",
    "j48": "'c45'",
    "logistic_regression": "'logistic'",
    "gaussian_nb": "'naive_bayes'",
    "kde": "'naive_bayes_kde'",
    "gda": "'lda' or 'qda'",
}

LINEAR = "least_squares"
BASELINES = {CLASSIFICATION: ("majority",), REGRESSION: ("mean", LINEAR)}  # in every comparison
EVERY_BASELINE = frozenset(name for names in BASELINES.values() for name in names)
MODELS_OF = {CLASSIFICATION: MODELS, REGRESSION: REGRESSION_MODELS}


def full_name(name: str) -> str:
    """The name of a model in full, which may be given in short: nb, nb_kde, joint.

    >>> full_name("nb"), full_name("lda")
    ('naive_bayes', 'lda')
    """
    return SHORT.get(name, name)


def make_model(name: str, task: str = CLASSIFICATION, **settings: Any) -> Model:
    """A model by its name, of which some have a short one: nb, nb_kde, joint.

    >>> make_model("lda"), make_model("nb")
    (LDA(), NaiveBayes())
    >>> make_model("cart", "regression", prune=None)
    DecisionTreeRegressor()
    """
    models = MODELS_OF[task]
    name = full_name(name)
    if name in models:
        return models[name](**settings)
    if name in MODELS:
        raise SettingError(
            Message(
                f"{name} predicts classes, and the target is taken as a quantity. For quantities there are "
                f"{', '.join(models)}; ",
                Setting("task", CLASSIFICATION),
                " takes every number of the target as a class.",
            )
        )
    if name in REGRESSION_MODELS:
        raise SettingError(
            Message(
                f"{name} predicts quantities, and the target is taken as classes. For classes there are "
                f"{', '.join(models)}; ",
                Setting("task", REGRESSION),
                " takes the target's numbers as quantities.",
            )
        )
    if name == LINEAR:
        raise SettingError(
            f"{name} is a baseline, which takes part in every comparison of quantities. It cannot be trained alone."
        )
    hint = f" Did you mean {FAMILIAR[name]}?" if name in FAMILIAR else did_you_mean(str(name), (*models, *SHORT))
    raise SettingError(f"There is no model {name!r}.{hint} The models are {', '.join(models)}.")


def reading_as(model: M, settings: Mapping[str, Any]) -> M:
    """The model with settings of how columns are read, where it has none of its own; the given one is not changed.

    >>> reading_as(estimators.LDA(), {"drop": "x2", "keep": None})
    LDA(drop='x2')
    """
    own = model.get_params(deep=False)
    news = {name: value for name, value in settings.items() if value is not None and own.get(name, value) is None}
    return clone(model).set_params(**news) if news else model


def reading_model(task: str) -> Model:
    """A model that reads a table as most do: for models of other libraries."""
    return make_model(BASELINES[task][0], task)
