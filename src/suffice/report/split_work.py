"""Candidate splits at a node as a table: the gain of every column, and which is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.models.trees.candidate_split import CandidateSplit
from suffice.models.trees.conditions import comparison
from suffice.report.html import html_table
from suffice.report.text import text_table
from suffice.schema import Nominal, Numeric, Schema
from suffice.schema.columns import number_text
from suffice.shown import ShownAsText


@dataclass(frozen=True, repr=False)
class SplitWork(ShownAsText):
    """Every column's best split at a node, best gain first."""

    schema: Schema
    node: int
    weight: float
    criterion: str
    impurity: float
    columns: tuple[CandidateSplit, ...]

    @property
    def best(self) -> str | None:
        """The name of the chosen column; None where the node stays a leaf."""
        return next((self.schema.names[work.column] for work in self.columns if work.is_chosen), None)

    def __getitem__(self, name: str) -> CandidateSplit:
        """The work of one column."""
        return next(work for work in self.columns if self.schema.names[work.column] == name)

    @property
    def heading(self) -> list[str]:
        """What the columns of the table are called."""
        ratio = ["split information", "gain ratio"] if self.has_ratio else []
        return ["column", _GAIN[self.criterion], *ratio, "split", ""]

    @property
    def has_ratio(self) -> bool:
        """Whether gains are in bits, so that their ratio to the split's information means something."""
        return self.criterion in ("information_gain", "gain_ratio")

    def rows(self) -> list[list[str]]:
        """The table as text cells."""
        return [
            [
                self.schema.names[work.column],
                _cell(work.gain),
                *([_cell(work.split_information), _cell(work.gain_ratio)] if self.has_ratio else []),
                self._split(work),
                "chosen" if work.is_chosen else "",
            ]
            for work in self.columns
        ]

    def _split(self, work: CandidateSplit) -> str:
        column = self.schema.columns[work.column]
        if np.isnan(work.gain):
            return "none is allowed"
        if work.takes_first is not None and isinstance(column, Nominal):
            levels = [str(level) for level, first in zip(column.levels, work.takes_first, strict=True) if first]
            return f"in {{{', '.join(levels)}}}"
        if isinstance(column, Nominal):
            return f"{len(column.levels)} levels"
        assert isinstance(column, Numeric)
        return comparison(column, work.threshold)

    @property
    def table(self) -> Any:
        """The table as a PyArrow table of numbers."""
        import pyarrow as pa

        rows = [
            {
                "column": self.schema.names[work.column],
                "gain": work.gain,
                "split_information": work.split_information,
                "gain_ratio": work.gain_ratio,
                "threshold": work.threshold,
                "is_chosen": work.is_chosen,
            }
            for work in self.columns
        ]
        return pa.Table.from_pylist(rows)

    def __str__(self) -> str:
        """The table as text."""
        title = f"node {self.node}: {number_text(self.weight)} rows, {_IMPURITY[self.criterion]} {self.impurity:.4f}"
        return f"{title}\n\n{text_table(self.heading, self.rows())}"

    def _repr_html_(self) -> str:
        """The table for notebooks."""
        return html_table(self.heading, self.rows())


_GAIN = {
    "information_gain": "gain",
    "gain_ratio": "gain",
    "gini": "decrease of gini",
    "variance": "reduction of variance",
    "standard_deviation": "reduction of sd",
}
_IMPURITY = {
    "information_gain": "entropy",
    "gain_ratio": "entropy",
    "gini": "gini",
    "variance": "variance",
    "standard_deviation": "standard deviation",
}


def split_work(
    schema: Schema, node: int, weight: float, criterion: str, impurity: float, work: Sequence[CandidateSplit]
) -> SplitWork:
    """The work at a node, the largest gain first; columns without a split come last."""
    ordered = sorted(work, key=lambda column: -column.gain if not np.isnan(column.gain) else np.inf)
    return SplitWork(schema, node, weight, criterion, impurity, tuple(ordered))


def _cell(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.4f}"
