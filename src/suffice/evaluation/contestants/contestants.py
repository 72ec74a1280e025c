"""Which models take part in a comparison: those that are named, those of one's own, or all that suit the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, SettingError, did_you_mean
from suffice.estimators import JointBayes, contract
from suffice.estimators.capabilities import is_estimator
from suffice.estimators.enough_memory import lack_of_memory
from suffice.estimators.naming import under_names
from suffice.evaluation.contestants.estimated_seconds import has_kernels, too_long
from suffice.evaluation.contestants.linear_baseline import LinearBaseline
from suffice.evaluation.cross_validation.contestant import Contestant
from suffice.evaluation.cross_validation.contestant_of import contestant_of, own_model
from suffice.evaluation.models import (
    BASELINES,
    EVERY_BASELINE,
    LINEAR,
    MODELS_OF,
    Model,
    full_name,
    make_model,
    reading_model,
)
from suffice.sources import Rows
from suffice.sources.targets.task import CLASSIFICATION, REGRESSION


def of_ones_own(models: Any) -> dict[str, Contestant]:
    """The estimators that were given, under their names; none where models are named."""
    if models is None or isinstance(models, str):
        return {}
    contract.require_object(models)
    if not isinstance(models, Mapping) and not is_estimator(models):
        models = list(models)
        if all(isinstance(model, str) for model in models):
            return {}
    return {name: contestant(model) for name, model in under_names(models).items()}


def contestant(model: Any) -> Contestant:
    """An estimator of suffice, or one of scikit-learn; an error where it is neither."""
    found = contestant_of(model)
    if found is None:
        raise SettingError(
            f"{model!r:.60} cannot be compared: it is no model of suffice, nor one of scikit-learn. Name "
            "models, or give estimators such as sf.LDA() or RandomForestClassifier()."
        )
    return found


def task_of_models(models: Mapping[str, Contestant], task: str | None) -> str:
    """What estimators of one's own predict, all of them classes or all of them numbers."""
    tasks = {name: model.task for name, model in models.items()}
    for name, other in tasks.items():
        if other != (task or next(iter(tasks.values()))):
            asked = f"the task is {task}" if task else f"{next(iter(tasks))} does not"
            raise SettingError(
                f"{name} predicts {'classes' if other == CLASSIFICATION else 'numbers'}, and {asked}. Compare models "
                "of classes, or models of numbers."
            )
    return next(iter(tasks.values()))


def named_models(models: Any, task: str) -> dict[str, Contestant]:
    """The models that are named; all of them where none is."""
    names = [models] if isinstance(models, str) else list(MODELS_OF[task] if models is None else models)
    if not names:
        raise SettingError(f"models is empty. Name some of {', '.join(MODELS_OF[task])}.")
    once = dict[str, str]()
    for name in names:
        once.setdefault(full_name(name), name)
    return {name: _named_model(name, task) for name in once.values()}


def _named_model(name: str, task: str) -> Contestant:
    """A model by its name, or the baseline that is none of suffice's estimators."""
    if name == LINEAR and task == REGRESSION:
        return LinearBaseline(reading_model(task))
    return own_model(make_model(name, task))


def with_baselines(models: Mapping[str, Contestant], task: str, skip: Sequence[str]) -> dict[str, Contestant]:
    """The models and, first, the baselines; without those that are to be skipped."""
    for name in set(models) & EVERY_BASELINE:
        if not models[name].is_baseline:
            raise SettingError(f"{name!r} is the name of a baseline. Call the model something else.")
    every: dict[str, Contestant] = {name: _named_model(name, task) for name in BASELINES[task]}
    every |= models
    skipped = {_taking_part(name, every) for name in skip}
    left = {name: model for name, model in every.items() if name not in skipped}
    if left.keys().isdisjoint(models):
        raise SettingError(Message(Setting("skip"), " names every model. Leave some to compare."))
    return left


def _taking_part(name: str, every: Iterable[str]) -> str:
    """What a model to skip, which may be named in short or in full, is called where it takes part; else an error."""
    called = {full_name(other): other for other in every} | {other: other for other in every}
    if found := called.get(name, called.get(full_name(name))):
        return found
    said = f" names {name!r}, which does not take part.{did_you_mean(str(name), called)} "
    raise SettingError(Message(Setting("skip"), said, f"There are {', '.join(every)}."))


def why_not(contestant: Contestant, table: Rows, folds: int, turns: int) -> str | None:
    """Why a model that nobody asked for does not take part; it would learn so many times."""
    model = contestant.own
    if model is None:
        return None
    return lack_of_memory(model, table, folds) or too_long(model, table, turns) or unsuitable(model, table)


def unsuitable(estimator: Model, table: Rows) -> str | None:
    """Joint tables of mostly single rows only remember; kernel densities need a numeric column."""
    if isinstance(estimator, JointBayes):
        counts = table.measure(contract.measurement(estimator, table)).parts["joint"].table.sum(axis=1)
        if np.count_nonzero(counts <= 1) > 0.5 * len(counts):
            return "most combinations of values occur in one row only"
    if has_kernels(estimator) and not table.schema.numeric:
        return "there is no numeric column"
    return None
