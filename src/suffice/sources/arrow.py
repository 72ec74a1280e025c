"""Arrow columns as raw columns: the one place that knows Arrow's types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.errors import TableError
from suffice.schema import AnyArray, Chunk, Coded, RawColumn, Values


def arrow_column(array: Any, name: str) -> RawColumn:
    """One Arrow array or chunked array: numbers and times as values, everything else as codes and levels."""
    if isinstance(array, pa.ChunkedArray):
        array = _combined(array)
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _of_dictionary(array, name)
    if pa.types.is_boolean(kind):
        codes = pc.fill_null(array.cast(pa.int8()), -1)
        return Coded(codes.to_numpy(zero_copy_only=False), (False, True))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Values(_floats(array), is_integer=pa.types.is_integer(kind))
    if pa.types.is_null(kind):
        return Values(np.full(len(array), np.nan))
    if pa.types.is_temporal(kind):
        return Values(_seconds(array), is_time=True)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        return _of_text(array)
    raise TableError(
        f"Column {name!r} is {'nested' if pa.types.is_nested(kind) else 'of a type with no order or levels'} "
        f"({kind}). Take it apart into plain columns, or leave it out."
    )


def arrow_chunk(batch: Any) -> Chunk:
    """A record batch or table as a chunk."""
    columns = {name: arrow_column(batch.column(position), name) for position, name in enumerate(batch.schema.names)}
    return Chunk(batch.num_rows, columns)


def arrow_chunks(batches: Any) -> Iterator[Chunk]:
    """Every record batch as a chunk; empty ones are passed over."""
    return (arrow_chunk(batch) for batch in batches if batch.num_rows)


def _combined(array: Any) -> Any:
    if pa.types.is_dictionary(array.type):
        array = array.unify_dictionaries()
    combined = array.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined


def _floats(array: Any) -> AnyArray:
    numbers: AnyArray = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return numbers


def _of_dictionary(array: Any, name: str) -> RawColumn:
    levels = arrow_column(array.dictionary, name)
    codes = pc.fill_null(array.indices, -1) if array.null_count else array.indices
    codes = codes.to_numpy(zero_copy_only=False)
    if isinstance(levels, Values):
        plain = tuple(int(v) if levels.is_integer else v for v in levels.data.tolist())
        return Coded(codes, plain, declared=True)
    missing_level = -1 if -1 in levels.codes else None
    named = tuple(levels.levels[code] for code in levels.codes if code >= 0)
    if missing_level is not None or len(set(named)) < len(named):
        return Coded(np.append(levels.codes, -1)[codes], levels.levels, declared=True)
    return Coded(codes, named, declared=True)


def _of_text(array: Any) -> Coded:
    encoded = (
        array.cast(pa.large_string()).dictionary_encode()
        if array.type == pa.string_view()
        else array.dictionary_encode()
    )
    codes = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False)
    return Coded(codes, tuple(encoded.dictionary.to_pylist()))


def _seconds(array: Any) -> AnyArray:
    kind = array.type
    if pa.types.is_date(kind):
        array = array.cast(pa.timestamp("s"))
        kind = array.type
    per_second = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[kind.unit]
    whole = array.cast(pa.int32() if pa.types.is_time32(kind) else pa.int64())
    return _floats(whole) / per_second
