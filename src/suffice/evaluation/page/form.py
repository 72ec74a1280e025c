"""The what-if panel's form: a field for every column, and typical rows to start from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.schema import AnyArray, Batch, Column, Nominal, Numeric
from suffice.schema.bags import Bags

MOST_STARTS = 8  # classes with a typical row of their own
MOST_WORDS = 6  # of a typical text


def fields(batch: Batch, order: Sequence[str]) -> list[dict[str, Any]]:
    """What can be set, the most telling column first."""
    columns = {column.name: column for column in batch.schema.columns}
    return [_field(batch, columns[name]) for name in order if name in columns]


def _field(batch: Batch, column: Column) -> dict[str, Any]:
    if isinstance(column, Nominal):
        return {"name": column.name, "kind": "nominal", "levels": list(column.levels)}
    if isinstance(column, Numeric):
        numbers = batch.numbers(column.name)
        known = numbers[~np.isnan(numbers)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        is_whole = bool(len(known)) and bool(np.all(known == np.floor(known)))
        return {
            "name": column.name,
            "kind": "numeric",
            "time": column.time,
            "low": low,
            "high": high,
            "step": 1 if is_whole else _step(high - low),
        }
    return {"name": column.name, "kind": "text"}


def _step(extent: float) -> float:
    """A round hundredth, or less, of the extent.

    >>> _step(3.6), _step(0.02)
    (0.01, 0.0001)
    """
    return float(f"{10.0 ** np.floor(np.log10(extent / 100)):.0e}") if extent > 0 else 0.01


def starts(batch: Batch) -> list[dict[str, Any]]:
    """Typical rows, of all rows and within classes: medians and most frequent levels; missing where most are."""
    found = [{"name": "a typical row", "values": _typical(batch, slice(None))}]
    if isinstance(batch.schema.target, Nominal) and batch.schema.class_count <= MOST_STARTS:
        classes = batch.class_codes()
        for k, label in enumerate(batch.schema.classes):
            rows = np.flatnonzero(classes == k)
            if len(rows):
                found.append({"name": f"typical of {label}", "values": _typical(batch, rows)})
    return found


def _typical(batch: Batch, rows: AnyArray | slice) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for column in batch.schema.columns:
        values[column.name] = None
        if isinstance(column, Numeric):
            numbers = batch.numbers(column.name)[rows]
            known = np.sort(numbers[~np.isnan(numbers)])
            if 2 * len(known) >= len(numbers) > 0:
                values[column.name] = float(known[(len(known) - 1) // 2])  # a value that some row has
        elif isinstance(column, Nominal):
            codes = batch.level_codes(column.name)[rows]
            if 2 * np.count_nonzero(codes >= 0) >= len(codes) > 0:
                values[column.name] = column.levels[int(np.bincount(codes[codes >= 0]).argmax())]
        else:
            values[column.name] = _typical_words(batch.bags(column.name), rows)
    return values


def _typical_words(bags: Bags, rows: AnyArray | slice) -> str | None:
    """The words that the largest share of these texts has, beyond their share of all texts where these are some."""
    has = bags.matrix(is_counted=False)
    own = has[rows]
    if not own.shape[0] or not bags.words:
        return None
    share = own.sum(axis=0) / own.shape[0]
    if own.shape[0] < has.shape[0]:
        share = share - has.sum(axis=0) / has.shape[0]
    order = np.argsort(-share, kind="stable")[:MOST_WORDS]
    return " ".join(bags.words[place] for place in order.tolist() if share[place] > 0) or None
