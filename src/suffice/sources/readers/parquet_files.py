"""Parquet files, which declare their columns; where their pages have checksums, these are verified."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from suffice.errors import TableError
from suffice.sources.reader import CHUNK_ROWS
from suffice.sources.readers.arrow import FOUND, is_number, is_text
from suffice.sources.readers.files import Files
from suffice.sources.readers.partitions import Partitions
from suffice.sources.readers.unreadable import telling, told_batches, unreadable

BUFFER = 1 << 16  # bytes of a column at a time: without it all of a row group would be held
CODE_BYTES = 2  # for a value: text that is spelled out takes more than that
DICTIONARY_BYTES = 1 << 16  # of a column in a row group
LARGE_CHUNK = 4 * CHUNK_ROWS  # rows: between many short chunks threads wait for the interpreter
LARGE_CELLS = 1 << 22  # of such a chunk
EQUAL_PARTS = 16  # chunks at least, so that threads end together
LEAST_ROWS = 4_096  # in a row group: each has its own dictionary, and no chunk has two


class ParquetFiles(Files):
    """Parquet files with the same columns; in a folder, those that its subfolders' names give besides.

    Text of few levels comes as the codes and dictionaries that the file holds: to spell it out would take ten times
    as long, and to find the levels again once more.
    """

    def __init__(self, files: Sequence[str], partitions: Partitions) -> None:
        self._files, self._partitions = files, partitions
        schemas, coded, rows = zip(*(_layout(name) for name in files), strict=True)
        _require_alike(files, schemas)
        self._coded = dict(zip(files, coded, strict=True))
        self._own = tuple(schemas[0].names)
        self._added = tuple(name for name in partitions.names if name not in self._own)
        self.names = (*self._own, *self._added)
        # more at a time of a table of many rows and few columns
        most = min(LARGE_CHUNK, LARGE_CELLS // max(len(self.names), 1), sum(rows) // EQUAL_PARTS)
        self.chunk_rows = max(CHUNK_ROWS, most)

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows in order."""
        for path in self._files:
            yield from told_batches(partial(self._of_file, path, names, rows), partial(_unreadable, path))

    def _of_file(self, path: str, names: Sequence[str], rows: int) -> Iterator[Any]:
        own = [name for name in names if name not in self._added]
        coded = self._coded[path]
        fields: list[Any] | None = None
        with _opened(path, coded) as file:
            for batch in file.iter_batches(rows, columns=None if len(own) == len(self._own) else own):
                _require_entries(batch, coded)
                columns = [
                    self._partitions.column(path, name, batch.num_rows) if name in self._added else batch[name]
                    for name in names
                ]
                fields = fields or [
                    pa.field(name, column.type, metadata=FOUND if name in coded else None)
                    for name, column in zip(names, columns, strict=True)
                ]
                yield pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def _layout(path: str) -> tuple[Any, tuple[str, ...], int]:
    """The schema of a file, the columns of text that are codes of a small dictionary in every row group, the rows."""
    with telling(partial(_unreadable, path)), _opened(path) as file:
        schema, found = file.schema_arrow, file.metadata
        assert schema.names is not None  # a name that is not UTF-8 shows here
        groups = [found.row_group(number) for number in range(found.num_row_groups)]
    if found.num_rows < LEAST_ROWS * len(groups) or found.num_columns != len(schema.names):  # some are nested
        return schema, (), found.num_rows
    texts = (place for place, kind in enumerate(schema.types) if is_text(kind))
    coded = tuple(schema.names[j] for j in texts if all(_is_coded(group.column(j)) for group in groups))
    return schema, coded, found.num_rows


def _is_coded(column: Any) -> bool:
    most = CODE_BYTES * column.num_values + DICTIONARY_BYTES
    return bool(column.has_dictionary_page and column.total_uncompressed_size <= most)


def _require_entries(batch: Any, coded: Sequence[str]) -> None:
    """Codes of a damaged file may point beyond their dictionary, which spelling them out would show."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if name in coded:
            ends = pc.min_max(column.indices).as_py()
            if ends["min"] is not None and not 0 <= ends["min"] <= ends["max"] < len(column.dictionary):
                raise ValueError(f"column {name!r} has a code that is not in its dictionary")


def _unreadable(path: str, error: Exception, rows: int) -> TableError:
    return unreadable(path, error, "Check that the file is complete and undamaged.", rows)


def _opened(path: str, coded: Sequence[str] = ()) -> Any:
    # Parquet's own buffers would hold all of a large file; a mapped one that is cut short would end the process.
    return pq.ParquetFile(
        pa.OSFile(os.fsencode(path)),
        read_dictionary=coded,
        buffer_size=BUFFER,
        pre_buffer=False,
        page_checksum_verification=True,
        coerce_int96_timestamp_unit="us",
    )


def _require_alike(files: Sequence[str], schemas: Sequence[Any]) -> None:
    """Columns go by their names; what is a number in one file must be one in all."""
    first = schemas[0]
    for path, schema in zip(files, schemas, strict=True):
        if sorted(schema.names) != sorted(first.names):
            raise TableError(
                f"{path} has not the columns that {files[0]} has: {', '.join(first.names)!r:.200} there, "
                f"{', '.join(schema.names)!r:.200} here. Give files with the same columns."
            )
        kinds = dict(zip(first.names, first.types, strict=True))
        for name, kind in zip(schema.names, schema.types, strict=True):
            if len({_family(kind), _family(kinds[name])} - {"null"}) > 1:
                raise TableError(
                    f"Column {name!r} is {kind} in {path} and {kinds[name]} in {files[0]}. Give it one type."
                )


def _family(kind: Any) -> str:
    """What a column of this type is read as."""
    if pa.types.is_dictionary(kind):
        return _family(kind.value_type).replace("number", "level")
    if is_number(kind):
        return "number"
    if is_text(kind):
        return "text"
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return "moment"
    return str(kind)
