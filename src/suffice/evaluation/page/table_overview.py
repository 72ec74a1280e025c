"""The table: what its columns are, what is missing, how the classes are spread, what each column tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.evaluation.page_parts.minus import minus
from suffice.evaluation.page_parts.palette import colours_among
from suffice.information.features import FeatureRanking, ranking
from suffice.report.colours import GREY
from suffice.schema import Array, Batch, Column, Level, Nominal, Numeric
from suffice.shown import percent, weight_text

MOST_LEVELS = 5  # of a column that are named
SHORT = 12  # letters
NO_BREAK = "\u00a0"
MOST_CLASSES = 12  # that have a line of their own


@dataclass(frozen=True)
class ColumnLine:
    """One column of the table."""

    name: str
    kind: str
    missing: str
    values: str
    gain: float | None = None  # bits
    gain_text: str = "–"
    gain_share: float = 0.0  # of the target's entropy
    ratio: str = "–"
    split: str = ""
    remark: str = ""


@dataclass(frozen=True)
class ClassLine:
    """One class of the target, or all rare ones together."""

    label: str
    rows: str
    share: float
    percent: str
    colour: str


@dataclass(frozen=True)
class TableOverview:
    """The table, the most telling column first; columns that are not used come last."""

    rows: str
    columns: tuple[ColumnLine, ...]
    classes: tuple[ClassLine, ...]
    entropy: float | None  # of the target, in bits
    target: str
    target_values: str
    unused: int

    @property
    def has_gain(self) -> bool:
        """Whether it is known what columns tell of the target."""
        return self.entropy is not None


def table_overview(batch: Batch, suspects: Mapping[str, str]) -> TableOverview:
    """Look at all rows; `suspects` are remarks on columns that may give the target away."""
    schema = batch.schema
    told = telling(batch) if isinstance(schema.target, Nominal) else None
    lines = [_line(batch, column, told, suspects.get(column.name, "")) for column in schema.columns]
    lines.sort(key=lambda line: -(line.gain or 0.0))
    lines += [ColumnLine(left.name, "not used", "–", "", remark=left.reason) for left in schema.left_out]
    values = "" if isinstance(schema.target, Nominal) else _extent(batch.responses(), schema.target)
    return TableOverview(
        f"{batch.rows:,}",
        tuple(lines),
        tuple(class_lines(batch)) if isinstance(schema.target, Nominal) else (),
        None if told is None else told.entropy,
        schema.target.name,
        values,
        len(schema.left_out),
    )


def telling(batch: Batch) -> FeatureRanking:
    """What numbers and levels tell of the classes; texts are not parted."""
    schema = batch.schema
    columns = [column for column in schema.columns if isinstance(column, (Numeric, Nominal))]
    return ranking(replace(batch, schema=schema.with_columns(columns), texts=()))


def _line(batch: Batch, column: Column, told: FeatureRanking | None, remark: str) -> ColumnLine:
    missing, kind, values = _cells(batch, column)
    gaps = f"{missing:,} ({percent(missing / batch.rows)})" if missing else "none"
    found = told.get(column.name) if told is not None else None
    if found is None or told is None:
        return ColumnLine(column.name, kind, gaps, values, remark=remark)
    share = found.gain / told.entropy if told.entropy > 0 else 0.0
    ratio, split = f"{found.gain_ratio:.3f}", found.split.replace("<=", "≤").replace("≤ -", "≤ −")
    return ColumnLine(
        column.name, kind, gaps, values, found.gain, f"{found.gain:.3f}", min(share, 1.0), ratio, split, remark
    )


def _cells(batch: Batch, column: Column) -> tuple[int, str, str]:
    """How many values are missing, the type of the column, and what it holds."""
    if isinstance(column, Numeric):
        numbers = batch.numbers(column.name)
        return int(np.isnan(numbers).sum()), "time" if column.time else "numeric", _extent(numbers, column)
    if isinstance(column, Nominal):
        codes = batch.level_codes(column.name)
        counts = np.bincount(codes[codes >= 0], minlength=len(column.levels))
        return int(np.count_nonzero(codes < 0)), "nominal", _levels(column, counts)
    bags = batch.bags(column.name)
    return int(np.count_nonzero(bags.is_missing)), "text", f"{len(bags.words):,} different words"


def _extent(numbers: Array, column: Numeric) -> str:
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return "no value"
    low, middle, high = (minus(column.shown(float(value))) for value in (known.min(), np.median(known), known.max()))
    return f"always {low}" if low == high else f"{low} to {high}, median {middle}"


def _levels(column: Nominal, counts: Any) -> str:
    order = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    shares = [percent(counts[code] / max(counts.sum(), 1)) for code in order]
    named = ", ".join(_with_share(str(column.levels[code]), share) for code, share in zip(order, shares, strict=True))
    more = len(column.levels) - len(order)
    return f"{named}, {more:,} more" if more > 0 else named or "no value"


def _with_share(level: str, share: str) -> str:
    """A level and its share, which stay on one line where the level is short."""
    return f"{level}{NO_BREAK if len(level) <= SHORT else ' '}({share})"


def class_lines(batch: Batch) -> list[ClassLine]:
    """The classes in their order; of many the most frequent, and the others together."""
    labels: tuple[Level, ...] = batch.schema.classes
    weight = np.bincount(batch.class_codes(), batch.row_weights(), len(labels)).astype(np.float64)
    total = float(weight.sum())
    chosen = list(range(len(labels)))
    if len(labels) > MOST_CLASSES:
        chosen = sorted(np.argsort(-weight, kind="stable")[:MOST_CLASSES].tolist())
    colours = colours_among(chosen, len(labels))
    lines = [
        ClassLine(str(labels[k]), weight_text(weight[k]), weight[k] / total, percent(weight[k] / total), colours[k])
        for k in chosen
    ]
    rest = total - float(weight[chosen].sum())
    if len(chosen) < len(labels):
        name = f"{len(labels) - len(chosen):,} other classes"
        lines.append(ClassLine(name, weight_text(rest), rest / total, percent(rest / total), GREY))
    return lines
