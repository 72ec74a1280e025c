"""Workbooks: the first sheet of an Excel file, where openpyxl is there to read it."""

from __future__ import annotations

import numpy as np

from suffice.errors import TableError, warn_user
from suffice.sources.reader import require_distinct
from suffice.sources.readers.frames.array import ArrayReader
from suffice.sources.readers.unreadable import reason_of

ADVICE = "Save it as .csv or .parquet instead"


def workbook_reader(path: str) -> ArrayReader:
    """A reader of the first sheet, whose first row names the columns; empty rows are no rows."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise TableError(
            f"{path} is a workbook, which openpyxl reads, and it is not installed. Install it, or read the file with "
            f"your own library and give the frame. {ADVICE}, if that is easier."
        ) from error
    try:
        with open(path, "rb") as file:
            book = load_workbook(file, read_only=True, data_only=True)
            sheets = book.worksheets
            rows = [row for row in sheets[0].iter_rows(values_only=True) if any(cell is not None for cell in row)]
    except Exception as error:  # a damaged workbook raises what its parts raise: zip, XML, and more
        raise TableError(f"{path} cannot be read: {reason_of(error)} {ADVICE}.") from error
    if not rows:
        raise TableError(f"{path} is empty. The first row of its first sheet must name the columns.")
    if len(sheets) > 1:
        warn_user(f"{path} has {len(sheets)} sheets; the first, {sheets[0].title!r}, is read.")
    width = max(len(row) for row in rows)
    names = [f"column{j}" if j >= len(rows[0]) or rows[0][j] is None else str(rows[0][j]) for j in range(width)]
    require_distinct(names)
    table = np.empty((len(rows) - 1, width), dtype=object)
    for number, row in enumerate(rows[1:]):
        table[number, : len(row)] = row
    return ArrayReader(table, names)
