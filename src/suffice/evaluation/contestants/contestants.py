"""Which models take part in a comparison: those that are named, those of one's own, or all that suit the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.errors import SettingError, did_you_mean
from suffice.estimators import Classifier, GenerativeClassifier, JointBayes, Predictor, contract
from suffice.estimators.naive_bayes import KERNELS
from suffice.estimators.naming import under_names
from suffice.evaluation.contestants.linear_baseline import LinearBaseline
from suffice.evaluation.cross_validation.foreign_model import ForeignModel
from suffice.evaluation.cross_validation.scikit_learn_models import ScikitLearnModel
from suffice.evaluation.models import (
    BASELINES,
    EVERY_BASELINE,
    LINEAR,
    MODELS_OF,
    Model,
    make_model,
    reading_as,
    reading_model,
)
from suffice.sources import Rows
from suffice.sources.task import CLASSIFICATION, REGRESSION

Contestant = Model | ForeignModel


def of_ones_own(models: Any) -> dict[str, Contestant]:
    """The estimators that were given, under their names; none where models are named."""
    if models is None or isinstance(models, str):
        return {}
    if not isinstance(models, (Mapping, type)) and not hasattr(models, "fit"):
        models = list(models)
        if all(isinstance(model, str) for model in models):
            return {}
    return {name: contestant(model) for name, model in under_names(models).items()}


def contestant(model: Any) -> Model | ScikitLearnModel:
    """An estimator of suffice, or one of scikit-learn; an error where it is neither."""
    if isinstance(model, type) and issubclass(model, Predictor):
        raise SettingError(f"{model.__name__} is a class. Give an estimator: sf.{model.__name__}().")
    return model if isinstance(model, Predictor) else ScikitLearnModel.of(model)


def with_reading(model: Contestant, settings: Mapping[str, Any]) -> Contestant:
    """The same model, reading the table as the settings say."""
    if isinstance(model, ForeignModel):
        return replace(model, reader=reading_as(model.reader, settings))
    return reading_as(model, settings)


def reader_of(model: Contestant) -> Predictor:
    """Who reads the table for it."""
    return model.reader if isinstance(model, ForeignModel) else model


def task_of_models(models: Mapping[str, Contestant], task: str | None) -> str:
    """What estimators of one's own predict, all of them classes or all of them numbers."""
    tasks = {name: _task(model) for name, model in models.items()}
    for name, other in tasks.items():
        if other != (task or next(iter(tasks.values()))):
            asked = f"the task is {task}" if task else f"{next(iter(tasks))} does not"
            raise SettingError(
                f"{name} predicts {'classes' if other == CLASSIFICATION else 'numbers'}, and {asked}. Compare models "
                "of classes, or models of numbers."
            )
    return next(iter(tasks.values()))


def _task(model: Contestant) -> str:
    if isinstance(model, ForeignModel):
        return model.task
    return CLASSIFICATION if isinstance(model, Classifier) else REGRESSION


def named_models(models: Any, task: str) -> dict[str, Contestant]:
    """The models that are named; all of them where none is."""
    names = [models] if isinstance(models, str) else list(MODELS_OF[task] if models is None else models)
    if not names:
        raise SettingError(f"models is empty. Name some of {', '.join(MODELS_OF[task])}.")
    return {name: _named_model(name, task) for name in names}


def _named_model(name: str, task: str) -> Contestant:
    """A model by its name, or the baseline that is none of suffice's estimators."""
    if name == LINEAR and task == REGRESSION:
        return LinearBaseline(reading_model(task))
    return make_model(name, task)


def with_baselines(models: Mapping[str, Contestant], task: str, skip: Sequence[str]) -> dict[str, Contestant]:
    """The models and, first, the baselines; without those that are to be skipped."""
    for name in set(models) & EVERY_BASELINE:
        if not _is_baseline(models[name]):
            raise SettingError(f"{name!r} is the name of a baseline. Call the model something else.")
    every: dict[str, Contestant] = {name: _named_model(name, task) for name in BASELINES[task]}
    every |= models
    for name in skip:
        if name not in every:
            known = [*every, *(other for other in MODELS_OF[task] if other not in every)]
            raise SettingError(f"skip names {name!r}, which does not take part.{did_you_mean(name, known)}")
    left = {name: model for name, model in every.items() if name not in skip}
    if left.keys().isdisjoint(models):
        raise SettingError("skip names every model. Leave some to compare.")
    return left


def _is_baseline(model: Contestant) -> bool:
    return isinstance(model, LinearBaseline) or getattr(model, "max_depth", None) == 0


def effort(model: Contestant, folds: int) -> float:
    """About what it costs to cross-validate a model, beside the others: a pass, or half of one for every fold.

    Pruning by a cross-validation of its own takes three times as long.
    """
    if isinstance(model, (GenerativeClassifier, LinearBaseline)) or _is_baseline(model):
        return 1.0
    return folds * (1.5 if getattr(model, "prune", None) == "cost_complexity" else 0.5)


def unsuitable(estimator: Model, table: Rows) -> str | None:
    """Joint tables of mostly single rows only remember; kernel densities need a numeric column."""
    if isinstance(estimator, JointBayes):
        counts = table.measure(contract.measurement(estimator, table)).parts["joint"].table.sum(axis=1)
        if np.count_nonzero(counts <= 1) > 0.5 * len(counts):
            return "most combinations of values occur in one row only"
    is_density = getattr(estimator, "likelihoods", None) in KERNELS
    if is_density and not table.schema.numeric:
        return "there is no numeric column"
    return None
