"""Whole models as text, in the language of the lectures: tables of fractions, means, covariances."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from itertools import islice

import numpy as np

from suffice.errors import Message, joined
from suffice.models.factor import fractions
from suffice.models.gaussian_discriminant import GaussianDiscriminantModel
from suffice.models.generative import GenerativeModel
from suffice.models.joint_bayes import JointBayesModel
from suffice.models.likelihoods.bag_of_words import BagOfWords
from suffice.models.likelihoods.binned import Binned
from suffice.models.likelihoods.categorical import Categorical
from suffice.models.likelihoods.gaussian import Gaussian
from suffice.models.likelihoods.kernel_density import KernelDensity
from suffice.models.likelihoods.poisson import Poisson
from suffice.models.logistic import LogisticModel
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.models.perceptron import PerceptronModel
from suffice.models.prior import prior_factor
from suffice.models.trees.tree import TreeModel
from suffice.report.extent import BRIEF, Extent
from suffice.report.maximisation_steps import maximisation_steps
from suffice.report.telling_words import words_table
from suffice.report.text import text_table
from suffice.report.tree.text import tree_lines
from suffice.schema import Array, Nominal
from suffice.schema.columns import number_text, six_digits
from suffice.shown import counted, shown, whole_number

Model = GenerativeModel | TreeModel | LogisticModel | PerceptronModel

PRIORS = {
    "none": "maximum likelihood",
    "gaussian": "MAP, weights shrunk by a Gaussian prior",
    "jeffreys": "Firth's penalty",
}


def describe(model: Model, title: str, extent: Extent = BRIEF) -> Message:
    """The whole model as text; of a long table or a large tree the beginning. Its notes may speak of settings."""
    priors = [_priors(model)] if isinstance(model, GenerativeModel) else []
    heading = shown(f"{title}: {_columns(model)}, {_size(model)}")
    return joined("\n\n", (part for part in (heading, *priors, *_body(model, extent), *_remarks(model)) if part))


def _columns(model: Model) -> str:
    schema = model.schema
    classes = f" with {schema.class_count} classes" if isinstance(schema.target, Nominal) else ""
    kinds = f"{len(schema.numeric)} numeric and {len(schema.nominal)} nominal columns"
    if schema.text:
        numbers = f"{len(schema.numeric)} numeric, {len(schema.nominal)} nominal and {len(schema.text)} text"
        kinds = f"{numbers} column{'s' if len(schema.columns) > 1 else ''}"
    return f"{schema.target.name}{classes}, {kinds}"


def _size(model: Model) -> str:
    if not isinstance(model, TreeModel):
        return counted(model.parameter_count, "parameter")
    leaves, nodes = model.nodes.leaf_count, model.nodes.count
    named = f"{leaves:,} {'leaf' if leaves == 1 else 'leaves'}, {counted(nodes, 'node')}"
    return f"{named}, depth {model.nodes.depth}"


def _priors(model: GenerativeModel) -> str:
    weight: Array = getattr(model, "class_weight", model.priors)
    factor = prior_factor(model.priors, weight)
    pairs = zip(model.schema.classes, factor.texts, model.priors, strict=True)
    return "\n".join(shown(f"P({label}) = {text}") + _decimal(text, prior) for label, text, prior in pairs)


def _decimal(text: str, value: float) -> str:
    return f" = {value:.4f}" if "/" in text else ""


def _remarks(model: Model) -> Iterator[str]:
    if model.without_evidence and not isinstance(model, TreeModel):  # which columns a tree asks, it shows itself
        yield shown(f"without evidence (no variation, or all missing): {', '.join(model.without_evidence)}")
    for left_out in model.schema.left_out:
        yield Message(f"left out: {left_out.name} (", left_out.reason, ")").rewritten(shown)
    for note in model.schema.notes:
        yield Message("note: ", note).rewritten(shown)


@singledispatch
def _body(model: Model, extent: Extent) -> list[str]:
    """The model's own tables; one that nobody told how to show has a heading and remarks."""
    return []


@_body.register
def _(model: NaiveBayesModel, extent: Extent) -> list[str]:
    found: dict[str, str] = {}
    for part in model.likelihoods:
        found |= _tables(part, model, extent)
    return [found[name] for name in model.schema.names if name in found]


@singledispatch
def _tables(part: object, model: NaiveBayesModel, extent: Extent) -> dict[str, str]:
    raise TypeError(f"there is no description for {type(part).__name__}")


@_tables.register
def _(part: Categorical, model: NaiveBayesModel, extent: Extent) -> dict[str, str]:
    tables = {}
    for column, table, varies in zip(part.schema.nominal, part.tables, part.varies, strict=True):
        pairs = zip(column.levels, table.numerator, strict=True)
        rows = [[str(level), *fractions(row, table.denominator)] for level, row in pairs]
        if varies:
            tables[column.name] = text_table([f"P({column.name} | ·)", *_labels(model)], _cut(rows, extent))
    return tables


@_tables.register
def _(part: Gaussian, model: NaiveBayesModel, extent: Extent) -> dict[str, str]:
    tables = {}
    for j, name in enumerate(part.columns):
        column = part.schema.numeric[part.schema.numeric_position[name]]
        rows = [["mean", *(column.shown_mean(value) for value in part.mean[:, j])]]
        shared = " (shared)" if part.is_shared else ""
        spread = np.sqrt(part.variance[:, j]) if column.time else part.variance[:, j]
        name_of_spread = "standard deviation" if column.time else "variance"
        rows.append([f"{name_of_spread}{shared}", *(column.shown_spread(value, six_digits) for value in spread)])
        if part.varies[j]:
            tables[name] = text_table([f"{name} (Gaussian)", *_labels(model)], rows)
    return tables


@_tables.register
def _(part: Binned, model: NaiveBayesModel, extent: Extent) -> dict[str, str]:
    tables = {}
    for j, (name, table) in enumerate(zip(part.columns, part.tables, strict=True)):
        pairs = zip(part.labels(j), table.numerator, strict=True)
        rows = [[label, *fractions(row, table.denominator)] for label, row in pairs]
        tables[name] = text_table([f"{name} (bins)", *_labels(model)], rows)
    return tables


@_tables.register
def _(part: Poisson, model: NaiveBayesModel, extent: Extent) -> dict[str, str]:
    return {
        name: text_table(
            [f"{name} (Poisson)", *_labels(model)], [["rate", *(f"{rate:.6g}" for rate in part.rate[:, j])]]
        )
        for j, name in enumerate(part.columns)
        if part.rate[:, j].any()
    }


@_tables.register
def _(part: KernelDensity, model: NaiveBayesModel, extent: Extent) -> dict[str, str]:
    tables = {}
    for j, name in enumerate(part.columns):
        column = part.schema.numeric[part.schema.numeric_position[name]]
        rows = [
            ["values", *(str(len(tally.values)) for tally in part.tallies[j])],
            ["bandwidth", *(column.shown_spread(width, six_digits) for width in part.bandwidth[:, j])],
        ]
        if part.varies[j]:
            tables[name] = text_table([f"{name} (kernel density)", *_labels(model)], rows)
    return tables


@_tables.register
def _(part: BagOfWords, model: NaiveBayesModel, extent: Extent) -> dict[str, str]:
    return {part.column: words_table(part, model, extent)} if part.vocabulary else {}


@_body.register
def _(model: JointBayesModel, extent: Extent) -> list[str]:
    heading = [*model.schema.names, *(f"P(· | {label})" for label in model.schema.classes)]
    rows = [
        [*labels, *fractions(numerators, denominators)] for labels, numerators, denominators in model.rows(extent.rows)
    ]
    total = len(model.counts.cells)
    remark = f"{total:,} of {whole_number(model.cell_count)} combinations occur; one never seen gets " + (
        "the class priors" if not model.smoothing else f"a count of {number_text(model.smoothing)} in every class"
    )
    return [text_table(heading, _cut(rows, extent, total), labels=len(model.schema.names)), remark]


@_body.register
def _(model: GaussianDiscriminantModel, extent: Extent) -> list[str]:
    if not len(model.dimensions):
        return []
    rows = [[name, *_means(model, j)] for j, name in enumerate(model.names)]
    parts = [text_table(["mean", *_labels(model)], _cut(rows, extent))]
    for label, matrix, intensity in zip(_matrix_names(model), model.covariance, model.shrinkage, strict=True):
        parts.append(_covariance(model, label, matrix, float(intensity), extent))
    if model.widening > 1.0:
        parts.append(f"few rows for so many dimensions: covariances were multiplied by {model.widening:.3g}")
    if model.steps:
        parts.append(maximisation_steps(model))
    if model.is_shared:
        parts.append(_discriminants(model, extent))
    return parts


@_body.register
def _(model: LogisticModel, extent: Extent) -> list[str]:
    weights = model.logistic_weights()
    every = np.column_stack([np.atleast_1d(weights.intercept), np.atleast_2d(weights.coefficients)])
    heading = ["coefficient", *(f"ln P({label})/P({weights.reference})" for label in weights.classes)]
    rows = [[name, *(f"{value:.6g}" for value in row)] for name, row in zip(model.design.names, every.T, strict=True)]
    shares = f"of class shares alone {model.null_log_likelihood:.4f}"
    strength = f", l2 = {model.l2:.3g}" if model.l2 else ""
    fit = f"log-likelihood {round(model.log_likelihood, 4) + 0.0:.4f} ({PRIORS[model.prior]}{strength}), {shares}"
    parts = [text_table(heading, _strongest(rows, model.weights, extent)), fit]
    if model.separation != "none":
        how = "completely" if model.separation == "complete" else "quasi-completely"
        parts.append(f"the classes are {how} separable: these weights would grow without end")
    return parts


@_body.register
def _(model: PerceptronModel, extent: Extent) -> list[str]:
    heading = ["weight", *(str(label) for label in model.labels)]
    rows = [
        [name, *(f"{value:.6g}" for value in row)]
        for name, row in zip(model.design.names, model.coefficients.T, strict=True)
    ]
    mistakes = f"{model.mistakes:,} of {model.rows:,} training rows are on the wrong side"
    return [
        text_table(heading, _strongest(rows, model.weights, extent)),
        "every training row is on its own side" if model.is_separating else mistakes,
    ]


@_body.register
def _(model: TreeModel, extent: Extent) -> list[str]:
    lines = list(islice(tree_lines(model), extent.lines))
    more = max(model.nodes.count - 1, 1) - len(lines)  # every node but the root has its line
    return ["\n".join([*lines, f"… {more:,} more" if more else ""]).rstrip()]


def _strongest(rows: list[list[str]], weights: Array, extent: Extent) -> list[list[str]]:
    """All rows of a short table; of a long one the intercept and the terms with the largest weights, in their order."""
    if len(rows) <= extent.rows:
        return rows
    strength = np.abs(weights).max(axis=0)
    strength[0] = np.inf
    chosen = np.sort(np.argsort(-strength, kind="stable")[: extent.rows])
    more = [f"… {len(rows) - extent.rows:,} weaker ones", *[""] * (len(rows[0]) - 1)]
    return [*(rows[j] for j in chosen), more]


def _means(model: GaussianDiscriminantModel, j: int) -> list[str]:
    """The class means of one dimension; what is nothing but rounding reads as 0."""
    deviation = float(np.sqrt(model.covariance[:, j, j].max()))
    dimension = int(model.dimensions[j])
    if dimension < len(model.schema.numeric) and model.schema.numeric[dimension].time:
        return [model.schema.numeric[dimension].shown_mean(value) for value in model.mean[:, j]]
    return [f"{value if abs(value) > 1e-12 * deviation else 0.0:.6g}" for value in model.mean[:, j]]


def _matrix_names(model: GaussianDiscriminantModel) -> list[str]:
    if len(model.covariance) == 1:
        return ["covariance (shared)"]
    return [f"covariance ({label})" for label in model.schema.classes]


def _covariance(model: GaussianDiscriminantModel, label: str, matrix: Array, intensity: float, extent: Extent) -> str:
    shrunk = f"{label}, shrunk by {intensity:.3g}" if intensity else label
    if model.kind == "diagonal":
        rows = [[name, f"{matrix[j, j]:.6g}"] for j, name in enumerate(model.names)]
        return text_table([shrunk, "variance"], _cut(rows, extent))
    if len(model.names) > extent.dimensions:
        deviations = np.sqrt(np.diagonal(matrix))
        rows = [[name, f"{deviation:.6g}"] for name, deviation in zip(model.names, deviations, strict=True)]
        return text_table([f"{shrunk}, its standard deviations", ""], _cut(rows, extent))
    rows = [[name, *(f"{value:.6g}" for value in matrix[j])] for j, name in enumerate(model.names)]
    return text_table([shrunk, *model.names], rows)


def _discriminants(model: GaussianDiscriminantModel, extent: Extent) -> str:
    projection = model.projection
    names = [f"LD{d + 1}" for d in range(projection.scalings.shape[1])]
    rows = [[name, *(f"{value:.6g}" for value in projection.scalings[j])] for j, name in enumerate(model.names)]
    rows = [*_cut(rows, extent), ["proportion of trace", *(f"{share:.4f}" for share in projection.share)]]
    return text_table(["discriminants", *names], rows, lines_before=(len(rows) - 1,))


def _labels(model: GenerativeModel) -> list[str]:
    return [str(label) for label in model.schema.classes]


def _cut(rows: list[list[str]], extent: Extent, total: int | None = None) -> list[list[str]]:
    """The first rows of a long table, and how many more there are."""
    total = len(rows) if total is None else total
    if total <= extent.rows:
        return rows
    width = len(rows[0])
    return [*rows[: extent.rows], [f"… {total - extent.rows:,} more", *[""] * (width - 1)]]
