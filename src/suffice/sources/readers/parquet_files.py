"""Parquet files, which declare their columns; where their pages have checksums, these are verified."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from suffice.errors import TableError
from suffice.sources.readers.partitions import Partitions
from suffice.sources.readers.unreadable import telling, told_batches, unreadable


class ParquetFiles:
    """Parquet files with the same columns; in a folder, those that its subfolders' names give besides."""

    def __init__(self, files: Sequence[str], partitions: Partitions) -> None:
        self._files, self._partitions = files, partitions
        schemas = [_schema(name) for name in files]
        _require_alike(files, schemas)
        self._own = tuple(schemas[0].names)
        self._added = tuple(name for name in partitions.names if name not in self._own)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return (*self._own, *self._added)

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows in order."""
        for path in self._files:
            yield from told_batches(partial(self._of_file, path, names, rows), partial(_unreadable, path))

    def _of_file(self, path: str, names: Sequence[str], rows: int) -> Iterator[Any]:
        own = [name for name in names if name not in self._added]
        with _opened(path) as file:
            for batch in file.iter_batches(rows, columns=None if len(own) == len(self._own) else own):
                columns = [
                    self._partitions.column(path, name, batch.num_rows) if name in self._added else batch[name]
                    for name in names
                ]
                yield pa.RecordBatch.from_arrays(columns, list(names))


def _unreadable(path: str, error: Exception, rows: int) -> TableError:
    return unreadable(path, error, "Check that the file is complete and undamaged.", rows)


def _opened(path: str) -> Any:
    # Parquet's own buffers would hold all of a large file; a mapped one that is cut short would end the process.
    return pq.ParquetFile(
        pa.OSFile(os.fsencode(path)),
        pre_buffer=False,
        page_checksum_verification=True,
        coerce_int96_timestamp_unit="us",
    )


def _schema(path: str) -> Any:
    with telling(partial(_unreadable, path)), _opened(path) as file:
        schema = file.schema_arrow
        assert schema.names is not None  # a name that is not UTF-8 shows here
        return schema


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
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "number"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        return "text"
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return "moment"
    return str(kind)
