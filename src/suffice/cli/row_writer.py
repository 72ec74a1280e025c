"""Rows out: Arrow tables, one after the other, as CSV, Parquet or JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import IO, Any

from suffice.cli.json_document import plain
from suffice.cli.output_file import opened, rows_kind
from suffice.schema.spelling import as_number
from suffice.shown import shown, shown_json

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
PIECE = 100_000  # cells that are turned into text at once


def write_rows(
    tables: Iterator[Any], path: str | None, as_json_lines: bool = False, has_safe_cells: bool = False
) -> int:
    """Write tables of one schema, at least one, to a file or to standard output; how many rows there were."""
    kind = rows_kind(path) if path is not None else "jsonl" if as_json_lines else "csv"
    rows, first = 0, next(tables)

    def counted() -> Iterator[Any]:
        nonlocal rows
        for table in chain([first], tables):
            rows += table.num_rows
            yield table

    with opened(path) as file:
        names = first.schema.names
        if kind == "csv":
            _write_csv(counted(), names, file, safe if has_safe_cells else as_it_is)
        elif kind == "parquet":
            _write_parquet(counted(), first.schema, file)
        else:
            _write_json_lines(counted(), names, file)
    return rows


def as_it_is(cell: Any) -> Any:
    """A cell."""
    return cell


def safe(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: text that begins like one gets a ' before it; numbers do not.

    >>> safe("=1+1"), safe("-3.5"), safe(-3.5), safe("plain")
    ("'=1+1", '-3.5', -3.5, 'plain')
    """
    is_formula = isinstance(cell, str) and cell.startswith(FORMULA_STARTS) and as_number(cell) is None
    return f"'{cell}" if is_formula else cell


def _write_csv(tables: Iterable[Any], names: list[str], file: IO[bytes], made: Callable[[Any], Any]) -> None:
    write = _csv_on_screen if file.isatty() else _csv_lines  # a person reads, or a program, which wants what is there
    file.write(write([map(made, names)]))
    for piece in _pieces(tables):
        file.write(write(zip(*(map(made, _cells(column)) for column in piece.columns), strict=True)))


def _pieces(tables: Iterable[Any]) -> Iterator[Any]:
    """The same rows, a few at a time: as text they take many times the memory, and Ctrl-C waits for what is written."""
    for table in tables:
        rows = max(PIECE // max(table.num_columns, 1), 1)
        for start in range(0, table.num_rows, rows):
            yield table.slice(start, rows)


def _cells(column: Any) -> list[Any]:
    """The cells of a column; times as text that is read as times again."""
    import pyarrow as pa

    from suffice.schema.times import DURATION, duration_seconds, time_text

    cells: list[Any] = column.to_pylist()
    if not pa.types.is_duration(column.type):
        return cells
    return [None if cell is None else time_text(duration_seconds(cell), DURATION) for cell in cells]


def _csv_on_screen(rows: Iterable[Iterable[Any]]) -> bytes:
    return _csv_lines([[shown(cell) if isinstance(cell, str) else cell for cell in row] for row in rows])


def _csv_lines(rows: Iterable[Iterable[Any]]) -> bytes:
    """Rows as CSV, quoted only where needed (Arrow's own writer quotes all text)."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


def _write_parquet(tables: Iterable[Any], schema: Any, file: IO[bytes]) -> None:
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(file, schema) as writer:
        for table in tables:
            writer.write_table(table)


def _write_json_lines(tables: Iterable[Any], names: list[str], file: IO[bytes]) -> None:
    for piece in _pieces(tables):
        rows = zip(*map(_cells, piece.columns), strict=True)
        named = (dict(zip(names, row, strict=True)) for row in rows)
        lines = (json.dumps(plain(row), ensure_ascii=False, allow_nan=False) for row in named)
        file.write("".join(f"{shown_json(line)}\n" for line in lines).encode())
