"""Distributions as tables: of all combinations, and of one variable given others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.models.joint_table import JointTable
from suffice.report.bars import DistributionPicture
from suffice.report.distribution_picture import conditional_picture
from suffice.report.html import html_table
from suffice.report.text import text_table
from suffice.schema import Array
from suffice.shown import ShownAsText, quoted

MOST_ROWS = 40


def joint_rows(table: JointTable) -> list[list[str]]:
    """The combinations with their probabilities, as text cells."""
    pairs = zip(table.cells, table.probability, strict=True)
    return [[*table.labels.combination(cell), f"{p:.6g}"] for cell, p in pairs]


def joint_text(table: JointTable, is_full: bool = False) -> str:
    """The table as text; of a long one the most probable combinations, unless it is to be full."""
    chosen, note = (table, "") if is_full else most_probable_part(table)
    text = text_table([*table.schema.names, "P"], joint_rows(chosen), labels=len(table.schema.names))
    return f"{text}\n\n{note}" if note else text


def most_probable_part(table: JointTable) -> tuple[JointTable, str]:
    """The combinations that are shown, and what is said of the others; a short table is shown whole."""
    count = len(table.cells)
    if count <= MOST_ROWS:
        return table, ""
    order = np.argsort(-table.probability, kind="stable")[:MOST_ROWS]
    chosen = replace(table, cells=table.cells[order], probability=table.probability[order])
    rest = 1.0 - chosen.probability.sum()
    return chosen, f"and {count - MOST_ROWS:,} combinations less probable, together {rest:.4g}"


def joint_html(table: JointTable) -> str:
    """The table for notebooks."""
    chosen, note = most_probable_part(table)
    return html_table([*table.schema.names, "P"], joint_rows(chosen)) + (f"<p>{note}</p>" if note else "")


@dataclass(frozen=True, repr=False)
class ConditionalTable(ShownAsText):
    """P(variable | given): a row for every combination of the given variables, adding up to 1."""

    name: str
    given: tuple[str, ...]
    conditions: tuple[tuple[Any, ...], ...]
    condition_labels: tuple[tuple[str, ...], ...]
    values: tuple[Any, ...]
    labels: tuple[str, ...]
    probability: Array  # (condition, value)

    def __getitem__(self, condition: Any) -> dict[Any, float]:
        """The distribution under one condition: a value, or a tuple of values for several given variables."""
        key = condition if isinstance(condition, tuple) else (condition,)
        if key not in self.conditions:
            raise KeyError(f"{key!r} does not occur; the conditions are {quoted(self.conditions)}")
        return dict(zip(self.values, self.probability[self.conditions.index(key)].tolist(), strict=True))

    @property
    def title(self) -> str:
        """What it is a table of."""
        return f"P({self.name} | {', '.join(self.given)})" if self.given else f"P({self.name})"

    @property
    def heading(self) -> list[str]:
        """What the columns of the table are called."""
        return [*self.given, *self.labels]

    def rows(self) -> list[list[str]]:
        """The table as text cells."""
        pairs = zip(self.condition_labels, self.probability, strict=True)
        return [[*labels, *(f"{p:.4g}" for p in row)] for labels, row in pairs]

    def __str__(self) -> str:
        return f"{self.title}\n\n{text_table(self.heading, self.rows(), labels=max(1, len(self.given)))}"

    def _repr_html_(self) -> str:
        return html_table(self.heading, self.rows())

    def plot(self) -> DistributionPicture:
        """A bar of length 1 for every condition, divided among the values; of many conditions the first 40."""
        return conditional_picture(self, MOST_ROWS)


def conditional_table(table: JointTable, name: str, given: Sequence[str]) -> ConditionalTable:
    """P(variable | given) of every combination of the given variables that occurs."""
    joint = table.over([*given, name])
    column = joint.schema.columns[-1]
    codes = np.unique(joint.cells[:, -1])
    conditions: dict[tuple[int, ...], int] = {}
    rows = [conditions.setdefault(tuple(cell[:-1]), len(conditions)) for cell in joint.cells.tolist()]
    share = np.zeros((len(conditions), len(codes)))
    share[rows, np.searchsorted(codes, joint.cells[:, -1])] = joint.probability
    others = joint.over(given)
    return ConditionalTable(
        name,
        tuple(given),
        tuple(tuple(map(joint.value, joint.schema.columns[:-1], condition)) for condition in conditions),
        tuple(tuple(others.labels.combination(list(condition))) for condition in conditions),
        tuple(joint.value(column, int(code)) for code in codes),
        tuple("missing" if code < 0 else joint.labels.of(column)[code] for code in codes),
        share / share.sum(axis=1, keepdims=True),
    )
