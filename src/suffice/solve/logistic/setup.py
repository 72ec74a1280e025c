"""Columns of the model matrix from the first pass: centres and scales, and which levels and products have a weight."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from suffice.errors import Message, Setting, SettingError
from suffice.schema import AnyArray, Array
from suffice.solve.pooled import pooled_columns
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts
from suffice.statistics.linear.design import Design, with_parts
from suffice.statistics.linear.occurrences import MeasureOccurrences, Occurrences
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.moments.magnitudes import require_squares
from suffice.statistics.quotient import quotient
from suffice.statistics.row_sample import RowCount
from suffice.statistics.statistic import Measure, MeasureTogether, Together
from suffice.statistics.word_counts import MeasureWords

FIRST_PASS = MeasureTogether(
    {
        "known": MeasureTogether(
            {"classes": ClassWeights, "counts": Counts, "moments": Moments, "words": MeasureWords()}
        ),
        "rows": RowCount,
    }
)
ROUNDING = 1e-12  # of a sum of weights
MOST_CELLS = 50_000_000
NO_VARIATION = 1e-12  # of the mean square: a variance below this is rounding


def first_design(
    parts: Together,
    degree: int,
    is_centred: bool = True,
    is_scaled: bool = True,
    has_reference: AnyArray | None = None,
    vocabulary: int | None = None,
) -> Design:
    """The model matrix's columns, with products and pairs not looked at yet.

    Without centring, products are those of the table's own numbers; `has_reference` (nominal column,) tells where the
    first level is left out, which the others are then compared with. Of each text the `vocabulary` most frequent words
    have a weight.
    """
    schema = parts.schema
    total = parts.parts["classes"].weight.sum()
    columns = pooled_columns(parts.parts["moments"])
    if degree > 1:  # the variance of a square's coefficient is in units of its fourth power
        names = [column.name for column in schema.numeric]
        with np.errstate(over="ignore"):
            require_squares(names, np.ones(len(names)), columns.variance**2, columns.varies)
    has_missing = (columns.weight < (1.0 - ROUNDING) * total) & (columns.weight > 0)
    scale = np.where(columns.varies, np.sqrt(columns.variance) if is_scaled else 1.0, 0.0)
    centre = columns.mean if is_centred else np.zeros_like(columns.mean)
    tables = [parts.parts["words"].tables[column.name] for column in schema.text]
    words = tuple(tuple(table.words[place] for place in table.most_frequent(vocabulary).tolist()) for table in tables)
    design = Design(schema, columns.mean, centre, scale, has_missing, degree, np.empty(0, bool), words)
    _require_few_cells(design)
    is_used = np.ones(design.cell_count, dtype=bool)
    is_used[1 : 1 + len(scale)] = scale > 0
    for position, start in enumerate(design.starts[: len(schema.nominal)]):
        seen = parts.parts["counts"].column(position).sum(axis=1)
        own = np.concatenate([[seen.sum() < (1.0 - ROUNDING) * total], seen > 0])
        if np.count_nonzero(own) < 2:
            own[:] = False  # no variation, no evidence
        elif has_reference is not None and has_reference[position]:
            own[np.flatnonzero(own[1:])[0] + 1 if own[1:].any() else 0] = False
        is_used[start : start + len(own)] = own
    for table, start in zip(tables, design.text_starts[:-1], strict=True):
        is_used[start] = table.texts.sum() < (1.0 - ROUNDING) * total
    return replace(design, is_used=is_used & with_parts(design, is_used))


def _require_few_cells(design: Design) -> None:
    if design.cell_count > MOST_CELLS:
        largest = max(design.coded, key=design.cells_of)
        names = [design.schema.nominal[q].name for q in (largest.first, largest.second) if q >= 0]
        raise SettingError(
            Message(
                f"With degree=2 the levels of {' and '.join(map(repr, names))} make {design.cells_of(largest):,} "
                "pairs, too many to look at. Leave out one of the columns, or use ",
                Setting("degree", 1),
                ".",
            )
        )


def with_occurring_pairs(design: Design, measure: Measure) -> Design:
    """The design without products that do not vary and pairs that no row has; it takes one pass."""
    if design.degree < 2 or not design.dimensions:
        return design
    occurring: Occurrences = measure(MeasureOccurrences(design))
    square, mean = occurring.square / occurring.rows, occurring.total / occurring.rows
    is_idle = square - mean**2 <= NO_VARIATION * square
    is_idle[: np.searchsorted(design.used, 1 + len(design.base_columns))] = False  # the numbers themselves do vary
    is_used = design.is_used.copy()
    is_used[design.used[is_idle]] = False
    return replace(design, is_used=is_used & with_parts(design, is_used))


def level_shares(counts: Counts) -> Array:
    """How often each level of every nominal column in turn occurs, of the rows that know the column."""
    shares = np.zeros(len(counts.table))
    for position, (start, stop) in enumerate(pairwise(counts.schema.level_offsets)):
        seen = counts.column(position).sum(axis=1)
        shares[start:stop] = quotient(seen, seen.sum())
    return shares
