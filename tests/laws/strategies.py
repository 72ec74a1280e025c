"""Random schemas and batches: mixed columns, missing values, weights, declared levels, large offsets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from suffice.schema import Alignment, Batch, Column, Nominal, Numeric, Schema

LEVELS = ("a", "b", "c", "d", 1, 2.5)
CLASSES = ("No", "Yes", 0, 7)
OFFSETS = (0.0, 0.0, -40.0, 1e6)
GAPS = (0.0, 0.1, 0.5)

# Made once: to make a strategy takes longer than to draw from it.
randoms = st.integers(0, 2**32 - 1).map(np.random.default_rng)
up_to_three = st.integers(0, 3)
some_levels = st.lists(st.sampled_from(LEVELS), min_size=1, max_size=5, unique=True)
some_classes = {
    least: st.lists(st.sampled_from(CLASSES), min_size=least, max_size=4, unique=True)
    for least in range(1, len(CLASSES) + 1)
}
offsets, shares_of_gaps = st.sampled_from(OFFSETS), st.sampled_from(GAPS)
either, with_or_without = st.booleans(), st.sampled_from(("none", "some"))


@st.composite
def schemas(draw: st.DrawFn, least_classes: int = 1) -> Schema:
    """Up to three numeric and three nominal columns in any order, and up to four classes."""
    columns: list[Column] = [Numeric(f"x{j}") for j in range(draw(up_to_three))]
    columns += [draw(nominals(f"n{j}")) for j in range(draw(up_to_three))]
    classes = draw(some_classes[least_classes])
    return Schema(tuple(draw(st.permutations(columns))), _nominal("target", classes, False))


@st.composite
def nominals(draw: st.DrawFn, name: str) -> Nominal:
    """A column of one to five levels; declared levels keep their own order, found ones are sorted."""
    return _nominal(name, draw(some_levels), draw(either))


@st.composite
def batches(
    draw: st.DrawFn, schema: Schema | None = None, most: int = 24, weights: str = "any", least: int = 0
) -> Batch:
    """Rows under a schema; `weights` is "any", "none", "some" (fractions and zeros) or "whole"."""
    schema = draw(schemas()) if schema is None else schema
    random, rows = draw(randoms), draw(st.integers(least, most))
    offset, gaps = draw(offsets), draw(shares_of_gaps)
    if weights == "any":
        weights = draw(with_or_without)
    return random_batch(schema, random, rows, offset, gaps, weights)


def random_batch(
    schema: Schema,
    random: np.random.Generator,
    rows: int,
    offset: float = 0.0,
    gaps: float = 0.0,
    weights: str = "none",
) -> Batch:
    """Rows with repeated values, so that tallies and combinations meet."""
    numeric = offset + np.round(random.normal(size=(rows, len(schema.numeric))), 1)
    numeric[random.random(numeric.shape) < gaps] = np.nan
    codes = np.empty((len(schema.nominal), rows), dtype=np.int32)
    for position, column in enumerate(schema.nominal):
        codes[position] = random.integers(0, len(column.levels), rows)
    codes[random.random(codes.shape) < gaps] = -1
    classes = random.integers(0, schema.class_count, rows).astype(np.int32)
    return Batch(schema, numeric, codes, classes, _weights(random, rows, weights))


def parts_of(batch: Batch, random: np.random.Generator, count: int = 4) -> list[Batch]:
    """The rows in any order, dealt to some slices, of which some may stay empty."""
    order = random.permutation(batch.rows)
    slices = random.integers(0, count, batch.rows)
    return [batch.take(order[slices == part]) for part in range(count)]


def concatenated(batches_: list[Batch]) -> Batch:
    """The rows of several batches under one schema."""
    first = batches_[0]
    has_weights = any(batch.weights is not None for batch in batches_)
    return replace(
        first,
        numeric=np.concatenate([batch.numeric for batch in batches_]),
        codes=np.concatenate([batch.codes for batch in batches_], axis=1),
        classes=np.concatenate([batch.class_codes() for batch in batches_]),
        weights=np.concatenate([batch.row_weights() for batch in batches_]) if has_weights else None,
    )


def recoded(batch: Batch, schema: Schema) -> Batch:
    """The same rows under another schema, cell by cell; a level it does not know becomes missing."""
    back = Alignment.between(schema, batch.schema)  # for each old class and level: its new position
    columns = [batch.schema.numeric_position[column.name] for column in schema.numeric]
    numeric = np.ascontiguousarray(batch.numeric[:, columns])
    codes = np.empty((len(schema.nominal), batch.rows), dtype=np.int32)
    for position, column in enumerate(schema.nominal):
        old = batch.schema.nominal_position[column.name]
        codes[position] = np.append(back.levels[old], np.int32(-1))[batch.codes[old]]
    classes = back.classes[batch.class_codes()]
    return replace(batch, schema=schema, numeric=numeric, codes=codes, classes=classes)


def own_schema(batch: Batch, random: np.random.Generator) -> Schema:
    """A schema that a table of these rows alone could have: fewer levels and classes, columns in another order."""
    columns: list[Column] = []
    for column in batch.schema.columns:
        if isinstance(column, Nominal):
            codes = batch.codes[batch.schema.nominal_position[column.name]]
            column = _some_of(column, codes, random)
        columns.append(column)
    target = _some_of(batch.schema.target, batch.class_codes(), random)
    order = random.permutation(len(columns))
    return Schema(tuple(columns[position] for position in order), target)


def _some_of(column: Nominal, codes: np.ndarray, random: np.random.Generator) -> Nominal:
    is_kept = random.random(len(column.levels)) < 0.3
    is_kept[codes[codes >= 0]] = True
    kept = [level for level, keep in zip(column.levels, is_kept, strict=True) if keep]
    return _nominal(column.name, kept, column.declared)


def _nominal(name: str, levels: list, declared: bool) -> Nominal:
    ordered = levels if declared else sorted(levels, key=lambda level: (isinstance(level, str), level))
    return Nominal(name, tuple(ordered), declared)


def _weights(random: np.random.Generator, rows: int, kind: str) -> np.ndarray | None:
    if kind == "none":
        return None
    if kind == "whole":
        return random.integers(0, 4, rows).astype(np.float64)
    return random.choice([0.0, 0.1, 0.5, 1.0, 1.7, 3.0], rows)
