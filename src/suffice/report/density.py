"""Densities as text."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from suffice.models.gaussian_discriminant import GaussianDiscriminantModel
from suffice.models.kernel_density import KernelDensityModel
from suffice.report.extent import Extent
from suffice.report.maximisation_steps import maximisation_steps
from suffice.report.text import text_table
from suffice.schema import Array
from suffice.schema.columns import six_digits
from suffice.shown import counted


@singledispatch
def density_text(model: Any, title: str, extent: Extent) -> str:
    """The density as text: how wide, where, and how the columns vary together."""
    raise TypeError(f"{type(model).__name__} is no density")


@density_text.register
def _(model: KernelDensityModel, title: str, extent: Extent) -> str:
    points = model.points
    left_out = f"; {points.incomplete:,g} with missing values left out" if points.incomplete else ""
    rows = f"{points.total:,g} rows ({len(points.weight):,} different{left_out})"
    heading = (
        f"{title}: {counted(model.dimensions, 'column')}, {rows}, bandwidth {model.factor:.4g} standard deviations"
    )
    low, high = points.values.min(axis=0), points.values.max(axis=0)
    cells = [
        [
            column.name,
            column.shown_mean(model.mean[j]),
            column.shown_spread(model.deviations[j], six_digits),
            column.shown_mean(low[j]),
            column.shown_mean(high[j]),
            column.shown_spread(model.factor * model.deviations[j], six_digits),
        ]
        for j, column in enumerate(model.schema.numeric)
    ]
    table = text_table(["column", "mean", "deviation", "smallest", "largest", "bandwidth"], cells)
    return "\n\n".join([heading, table, *_correlations(model.schema.names, model.correlation, extent)])


@density_text.register
def _(model: GaussianDiscriminantModel, title: str, extent: Extent) -> str:
    columns, covariance = model.schema.numeric, model.covariance[0]
    heading = f"{title}: {counted(len(columns), 'column')}, {float(model.class_weight.sum()):,g} rows"
    deviations = np.sqrt(np.diagonal(covariance))
    cells = [
        [column.name, column.shown_mean(model.mean[0, j]), column.shown_spread(deviations[j], six_digits)]
        for j, column in enumerate(columns)
    ]
    notes = [maximisation_steps(model)] if model.steps else []
    if model.shrinkage[0]:
        notes.append(f"the covariance cannot be inverted as it is: shrunk by {model.shrinkage[0]:.3g}")
    tables = _correlations(model.schema.names, covariance / deviations / deviations[:, None], extent)
    return "\n\n".join([heading, text_table(["column", "mean", "deviation"], cells), *tables, *notes])


def _correlations(names: tuple[str, ...], matrix: Array, extent: Extent) -> list[str]:
    if not 1 < len(names) <= extent.dimensions:
        return []
    rows = [[name, *(f"{value:.4f}" for value in row)] for name, row in zip(names, matrix + 0.0, strict=True)]
    return [text_table(["correlation", *names], rows)]
