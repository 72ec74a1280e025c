"""Discretisation: where the numeric columns of records are cut."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, SettingError, TableError
from suffice.schema import Array
from suffice.schema.columns import number_text
from suffice.settings import is_whole
from suffice.sources import Reading, Rows
from suffice.sources.reading import column_name, named_in, require_columns
from suffice.sources.records import read_records
from suffice.sources.source import is_source
from suffice.statistics.number_lines import NumberLines
from suffice.statistics.tally import Tally

FEW_NUMBERS = 20  # so many different ones need not be cut


def cut_records(table: Any, weights: Any, reading: Reading, edges: Any) -> tuple[Rows, tuple[Array, ...]]:
    """Records, and for each numeric column its cuts; a column of few different numbers is read as levels instead.

    A source has a schema already, and there a column of numbers stays one.
    """
    source = read_records(table, weights, reading)
    given = _given_edges(edges, source)
    open_columns = [column.name for column in source.schema.numeric if column.name not in given]
    if open_columns:
        lines = source.measure(NumberLines).tallies
        found = {column.name: tally for column, tally in zip(source.schema.numeric, lines, strict=True)}
        most = 0 if is_source(table) else FEW_NUMBERS
        few = [name for name in open_columns if len(found[name].values) <= most]
        for name in open_columns:
            if name not in few:
                given[name] = _quantiles(found[name], edges, name)
        if few:
            source = read_records(table, weights, replace(reading, nominal=(*reading.nominal, *few)))
    return source, tuple(given[column.name] for column in source.schema.numeric)


def _given_edges(edges: Any, source: Rows) -> dict[str, Array]:
    if edges is None or is_whole(edges, least=2):
        return {}
    if not isinstance(edges, Mapping):
        raise SettingError(f"edges must be {{column: [edge, …]}} or a whole number of at least 2, not {edges!r}.")
    given = {column_name(name, source.names): _edges(name, cuts) for name, cuts in edges.items()}
    require_columns(named_in("edges"), given, source.names)
    for name in given:
        if name in source.schema.nominal_position:
            said = f"Column {name!r} has levels, not numbers, so it cannot be cut. Take it out of "
            raise TableError(Message(said, Setting("edges"), "."))
    return given


def _edges(name: Any, cuts: Collection[Any]) -> Array:
    values = np.asarray(cuts, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all() or np.any(np.diff(values) <= 0):
        raise SettingError(f"The edges of {name!r} must be numbers in ascending order, not {cuts!r}.")
    return values


def _quantiles(tally: Tally, edges: Any, name: str) -> Array:
    if edges is not None and not isinstance(edges, Mapping):
        return tally.quantile_cuts(int(edges))
    quartiles = ", ".join(number_text(cut) for cut in tally.quantile_cuts(4))
    raise TableError(
        Message(
            f"Column {name!r} has {len(tally.values)} different numbers. Say where to cut it: edges={{{name!r}: "
            f"[{quartiles}]}} for its quartiles, ",
            Setting("edges", 4),
            " for quartiles of every such column, or ",
            Setting("nominal", [name]),
            " to count every number by itself.",
        )
    )
