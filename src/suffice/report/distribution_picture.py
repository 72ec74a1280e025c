"""Pictures of distributions: a bar for every combination, or a divided bar for every condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from suffice.models.joint_table import JointTable
from suffice.report.bars import BarRow, DistributionPicture, Part, bars
from suffice.report.colours import CLASS_COLOURS, class_colours
from suffice.report.legend import heading, legend_of

if TYPE_CHECKING:
    from suffice.report.distribution import ConditionalTable


def joint_picture(shown: JointTable, note: str) -> DistributionPicture:
    """A bar for every combination, the longest the most probable."""
    names = shown.schema.names
    longest = float(shown.probability.max())
    rows = []
    for cell, p in zip(shown.cells, shown.probability.tolist(), strict=True):
        labels = shown.labels.combination(cell)
        rows.append(BarRow(labels, [Part(0.0, p / longest, CLASS_COLOURS[0], f"{p:.6g}")], f"{p:.4g}"))
    title = f"P({', '.join(names)})"
    return DistributionPicture(bars([heading(title)], names, rows, note, title))


def conditional_picture(table: ConditionalTable, most: int) -> DistributionPicture:
    """A bar of length 1 for every condition, divided among the values."""
    colours = class_colours(len(table.labels))
    rows = [
        BarRow(labels, _parts(table, row, colours))
        for labels, row in zip(table.condition_labels[:most], table.probability[:most].tolist(), strict=True)
    ]
    beyond = len(table.conditions) - most
    note = f"and {beyond:,} more conditions" if beyond > 0 else ""
    legend = legend_of(table.title, table.labels, colours)
    return DistributionPicture(bars(legend, table.given, rows, note, table.title))


def _parts(table: ConditionalTable, row: list[float], colours: list[str]) -> list[Part]:
    ends = np.minimum(np.cumsum(row), 1.0).tolist()
    parts = zip([0.0, *ends], ends, colours, table.labels, row, strict=False)
    return [
        Part(begin, end, colour, f"{label}: {p:.6g}", f"{p:.3g}") for begin, end, colour, label, p in parts if p > 0
    ]
