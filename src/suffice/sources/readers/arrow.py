"""Arrow columns as raw columns: the one place that knows Arrow's types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import suffice.machine.arrow_at_work  # noqa: F401
from suffice.errors import Message, Setting, TableError
from suffice.schema import AnyArray, Chunk, Coded, Level, RawColumn, Values
from suffice.schema.chunk import without_empty
from suffice.schema.spelling import EXACT
from suffice.schema.times import CLOCK, DURATION, MOMENT, seconds_of_ticks, time_text
from suffice.sources.reader import read_columns

MOST_CELLS = 1 << 24  # in a chunk: 128 MB of numbers
WRITTEN = ("arrow.uuid", "arrow.json")
FOUND = {b"levels": b"found"}  # of a field: its dictionary is how a file holds text, and declares nothing


@dataclass(frozen=True)
class Entries:
    """A dictionary, and the levels that it has; those that are missing or stand there twice have other places."""

    dictionary: Any
    levels: tuple[Level, ...]
    places: AnyArray | None  # of every entry among the levels, and of a missing one at the end; None where they agree

    @classmethod
    def of(cls, dictionary: Any, name: str) -> Entries:
        """What a dictionary has."""
        entries = _entries(arrow_column(dictionary, name))
        levels = tuple(dict.fromkeys(entry for entry in entries if entry is not None and entry != ""))
        if len(levels) == len(entries):
            return cls(dictionary, levels, None)
        where = {level: code for code, level in enumerate(levels)}
        return cls(dictionary, levels, np.array([*(where.get(entry, -1) for entry in entries), -1], dtype=np.int32))


def arrow_column(array: Any, name: str, known: MutableMapping[str, Entries] | None = None) -> RawColumn:
    """One Arrow array or chunked array: numbers and times as values, everything else as codes and levels.

    Of several arrays of a column, `known` keeps the last dictionary: where the next has the same, so are its levels.
    """
    if isinstance(array, pa.ChunkedArray):
        array = _combined(array)
    if getattr(array.type, "extension_name", "") in WRITTEN:
        array = _written(array)
    if pa.types.is_run_end_encoded(array.type):
        array = pc.run_end_decode(array)
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _of_dictionary(array, name, {} if known is None else known)
    if pa.types.is_boolean(kind):
        codes = pc.fill_null(array.cast(pa.int8()), -1)
        return Coded(codes.to_numpy(zero_copy_only=False), (False, True))
    if is_number(kind):
        is_integer = pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale <= 0)
        if is_integer and _is_beyond_floats(array):
            return _large_numbers(array)
        if pa.types.is_decimal(kind):
            array = array.cast(pa.string())  # and then the nearest float, as text has; Arrow's own cast may miss it
        is_held = pa.types.is_integer(kind) and not array.null_count
        held = array if is_held else array.cast(pa.float64(), safe=False)
        return Values(held.to_numpy(zero_copy_only=False), is_integer)
    if pa.types.is_null(kind):
        return Values(np.full(len(array), np.nan))
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        return _times(array)
    if is_text(kind):
        return _of_text(array, name)
    raise not_plain(name, f"is {'nested' if pa.types.is_nested(kind) else 'of a type that is not read here'} ({kind})")


def is_number(kind: Any) -> bool:
    """Whether a type is one of numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def is_text(kind: Any) -> bool:
    """Whether a type is one of text, in whatever form."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view())


def not_plain(name: str, what: str) -> TableError:
    """The error of a column whose cells are neither numbers nor text."""
    said = f"Column {name!r} {what}. Take it apart into plain columns, or leave it out: name it in "
    return TableError(Message(said, Setting("drop"), "."))


def bounded_rows(rows: int, columns: int) -> int:
    """How many rows to read at a time: wide tables come in fewer.

    >>> bounded_rows(32_768, 10), bounded_rows(32_768, 16_384)
    (32768, 1024)
    """
    return max(1, min(rows, MOST_CELLS // max(columns, 1)))


def arrow_chunks(
    batches: Iterable[Any], names: tuple[str, ...], refused: Mapping[str, TableError] | None = None
) -> Iterator[Chunk]:
    """Every record batch as a chunk, its columns under the given names; empty ones are passed over.

    Some columns may be refused already.
    """
    known: dict[str, Entries] = {}
    for batch in batches:
        if batch.num_rows:
            yield arrow_chunk(batch, names, known, refused)


def arrow_chunk(
    batch: Any,
    names: tuple[str, ...],
    known: MutableMapping[str, Entries] | None = None,
    refused: Mapping[str, TableError] | None = None,
) -> Chunk:
    """A record batch or a table as a chunk; a column that cannot be read is refused when it is asked for."""
    arrays = [*zip(batch.schema, batch.columns, strict=True)]
    return read_columns(batch.num_rows, names, lambda j: _of_field(*arrays[j], names[j], known), refused)


def cannot_be_read(name: str, kind: Any, error: Exception) -> TableError:
    """What is said of a column that Arrow does not take, or not as numbers or text."""
    return TableError(
        f"Column {name!r} ({kind}) cannot be read: {error}. Turn it into numbers or text, or leave it out."
    )


def _of_field(field: Any, array: Any, name: str, known: MutableMapping[str, Entries] | None) -> RawColumn:
    column = arrow_column(array, name, known)
    is_found = field.metadata is not None and FOUND.items() <= field.metadata.items()
    return replace(column, declared=False) if is_found and isinstance(column, Coded) else column


def _combined(array: Any) -> Any:
    if pa.types.is_dictionary(array.type):
        array = array.unify_dictionaries()
    combined = array.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined


def _written(array: Any) -> Any:
    """Extension types that are text as they are written."""
    if array.type.extension_name == "arrow.json":
        return array.storage
    return pa.array([None if cell is None else str(cell) for cell in array.to_pylist()], pa.string())


def _of_dictionary(array: Any, name: str, known: MutableMapping[str, Entries]) -> Coded:
    """A dictionary declares its levels."""
    entries = known.get(name)
    if entries is None or not entries.dictionary.equals(array.dictionary):
        entries = known[name] = Entries.of(array.dictionary, name)
    codes = _codes(array)
    return Coded(codes if entries.places is None else entries.places[codes], entries.levels, declared=True)


def _entries(column: RawColumn) -> list[Any]:
    if isinstance(column, Coded):
        return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]
    if column.time:
        return [None if value != value else time_text(value, column.time) for value in column.data.tolist()]
    plain = int if column.is_integer else float
    return [None if value != value else plain(value) for value in column.data.tolist()]


def _codes(array: Any) -> AnyArray:
    """The indices of a dictionary array, -1 where they are missing."""
    codes = array.indices
    if codes.null_count:
        codes = pc.fill_null(codes.cast(pa.int64()) if pa.types.is_unsigned_integer(codes.type) else codes, -1)
    indices: AnyArray = codes.to_numpy(zero_copy_only=False)
    return indices


def _is_beyond_floats(array: Any) -> bool:
    """Whether float64 would round some of these integers."""
    ends = pc.min_max(array).as_py()
    return ends["min"] is not None and not (ends["min"] >= -EXACT and ends["max"] <= EXACT)


def _of_text(array: Any, name: str) -> Coded:
    is_view = array.type == pa.string_view()
    encoded = (array.cast(pa.large_string()) if is_view else array).dictionary_encode()
    try:
        return without_empty(Coded(_codes(encoded), tuple(encoded.dictionary.to_pylist())))
    except UnicodeDecodeError as error:
        raise TableError(f"Column {name!r} has text that is not UTF-8. Save the table in UTF-8.") from error


def _large_numbers(array: Any) -> Coded:
    """Whole numbers that float64 would round, as levels."""
    encoded = array.dictionary_encode()
    return Coded(_codes(encoded), tuple(map(int, encoded.dictionary.to_pylist())))


def _times(array: Any) -> Values:
    kind = array.type
    time = DURATION if pa.types.is_duration(kind) else CLOCK if pa.types.is_time(kind) else MOMENT
    if pa.types.is_date(kind):
        array = array.cast(pa.timestamp("ms" if pa.types.is_date64(kind) else "s"))
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[array.type.unit]
    whole = array.cast(pa.int32() if pa.types.is_time32(kind) else pa.int64())
    seconds = seconds_of_ticks(pc.fill_null(whole, 0).to_numpy(zero_copy_only=False), per_second)
    if array.null_count:
        seconds[array.is_null().to_numpy(zero_copy_only=False)] = np.nan
    return Values(seconds, time=time)
