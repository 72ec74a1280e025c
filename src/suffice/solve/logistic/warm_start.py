"""Warm start: the weights of another logistic function, such as a generative model's."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import spsolve

from suffice.schema import AnyArray, Array, Level, class_position
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.units import table_units


def weights_from(
    names: tuple[str, ...],
    classes: tuple[Level, ...],
    intercept: Array,
    coefficients: Array,
    design: Design,
    reference: int,
) -> Array:
    """Log-odds of `classes` in the table's units as weights in the design's, against its reference class.

    Terms that the other function does not have begin at 0.
    """
    labels = design.schema.classes
    where = {name: dimension for dimension, name in enumerate(design.names)}
    siblings = _siblings(design)
    scores = np.zeros((len(labels), design.dimensions))
    for label, constant, row in zip(classes, np.atleast_1d(intercept), np.atleast_2d(coefficients), strict=True):
        k = class_position(label, labels, "start")
        scores[k, 0] += constant
        for name, value in zip(names, row, strict=True):
            if name in where:
                scores[k, where[name]] += value
            elif name in siblings:  # a level that the others are compared with here
                scores[k, 0] += value
                scores[k, siblings[name]] -= value
    against = np.delete(scores - scores[reference], reference, axis=0)
    return np.atleast_2d(spsolve(table_units(design).tocsc(), against.T).T)


def _siblings(design: Design) -> dict[str, AnyArray]:
    """For every level without a weight of its own, the dimensions of the other levels of its column."""
    found = {}
    for position, column in enumerate(design.schema.nominal):
        start = design.starts[position]
        places = design.places[start : start + len(column.levels) + 1]
        others = places[places >= 0]
        for level, place in zip(column.levels, places[1:], strict=True):
            if place < 0 and others.size:
                found[f"{column.name}={level}"] = others
    return found
