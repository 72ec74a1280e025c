"""A chapter for each model, in the language of the lectures."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from suffice.estimators import Predictor
from suffice.estimators.naming import one_line
from suffice.evaluation.page.chapters.chapter import Chapter, Words
from suffice.evaluation.page.chapters.gaussian import gaussian_chapter
from suffice.evaluation.page.chapters.joint import joint_chapter
from suffice.evaluation.page.chapters.linear import logistic_chapter, perceptron_chapter
from suffice.evaluation.page.chapters.naive_bayes import naive_bayes_chapter
from suffice.evaluation.page.chapters.tree import tree_chapter
from suffice.models.gaussian_discriminant import GaussianDiscriminantModel
from suffice.models.joint_bayes import JointBayesModel
from suffice.models.logistic import LogisticModel
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.models.perceptron import PerceptronModel
from suffice.models.trees.tree import TreeModel
from suffice.schema import Batch
from suffice.shown import whole_number

__all__ = ["Chapter", "chapter"]

MOST_LETTERS = 20_000  # of a model as text


def chapter(name: str, estimator: Any, batch: Batch, order: list[str]) -> Chapter:
    """The chapter of a fitted estimator; of one that is not ours only its settings."""
    if not isinstance(estimator, Predictor):
        return Chapter(
            name, type(estimator).__name__, Words("", "It was fitted by another library, and shows no more.")
        )
    model: Any = estimator.model_
    title, words, body = _body(model, estimator, batch, order)
    text = estimator.describe()
    is_cut = len(text) > MOST_LETTERS
    return Chapter(
        name,
        title,
        words,
        body,
        whole_number(model.parameter_count),
        tuple(model.without_evidence),
        one_line(estimator),
        text[:MOST_LETTERS] + ("\n…" if is_cut else ""),
    )


@singledispatch
def _body(model: Any, estimator: Any, batch: Batch, order: list[str]) -> tuple[str, Words, Any]:
    """The title of a fitted model, what it computes in words, and what it has learned."""
    return type(estimator).__name__, Words("", "What it computes is told below."), None


@_body.register
def _(model: NaiveBayesModel, estimator: Any, batch: Batch, order: list[str]) -> tuple[str, Words, Any]:
    return naive_bayes_chapter(model, batch, order)


@_body.register
def _(model: GaussianDiscriminantModel, estimator: Any, batch: Batch, order: list[str]) -> tuple[str, Words, Any]:
    return gaussian_chapter(model, order)


@_body.register
def _(model: JointBayesModel, *_: Any) -> tuple[str, Words, Any]:
    return joint_chapter(model)


@_body.register
def _(model: LogisticModel, estimator: Any, *_: Any) -> tuple[str, Words, Any]:
    return logistic_chapter(model, estimator)


@_body.register
def _(model: PerceptronModel, *_: Any) -> tuple[str, Words, Any]:
    return perceptron_chapter(model)


@_body.register
def _(model: TreeModel, estimator: Any, *_: Any) -> tuple[str, Words, Any]:
    return tree_chapter(model, estimator)
