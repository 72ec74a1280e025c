"""What kind of table a file holds: its ending says so, or the first bytes of what comes through a pipe."""

from __future__ import annotations

import zlib
from pathlib import Path

from suffice.errors import TableError

ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".arff": "arff",
    ".feather": "arrow",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrow",
    ".xlsx": "workbook",
    ".xlsm": "workbook",
}
PACKED = (".zip", ".zst", ".bz2", ".xz", ".7z", ".rar")
BEGINNINGS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"FEA1": ".feather", b"\xff\xff\xff\xff": ".arrow"}
GZIP = b"\x1f\x8b"
BYTES_TO_TELL = 1 << 16


def file_kind(path: str) -> str:
    """csv, parquet, json, arff, arrow or workbook, by the file's ending.

    >>> file_kind("adult.csv.gz"), file_kind("a.parquet"), file_kind("a.jsonl"), file_kind("a.feather")
    ('csv', 'parquet', 'json', 'arrow')
    """
    last = Path(path).suffix.lower()
    if last in PACKED:
        raise TableError(f"{path!r} is packed. Unpack it first, or pack it with gzip: .gz is read as it is.")
    if last == ".xls":
        raise TableError(f"{path!r} is a workbook in Excel's old form. Save it as .xlsx or .csv.")
    for suffix in reversed(Path(path).suffixes):
        if suffix.lower() in ENDINGS:
            return ENDINGS[suffix.lower()]
    raise TableError(
        f"{path!r} has no ending that says what it is. Files may be .csv, .parquet, .jsonl, .arff (also .gz), "
        ".feather, .arrow or .xlsx."
    )


def ending_of(beginning: bytes) -> str:
    r"""The ending that suits the first bytes of a file.

    >>> ending_of(b'{"a": 1}\n'), ending_of(b"% a comment\n@relation x\n"), ending_of(b"a,b\n1,2\n")
    ('.json', '.arff', '.csv')
    """
    for start, ending in BEGINNINGS.items():
        if beginning.startswith(start):
            return ending
    if beginning.startswith(b"PK"):
        return ".xlsx"
    if beginning.startswith(GZIP):
        try:
            return f"{ending_of(zlib.decompressobj(wbits=31).decompress(beginning, BYTES_TO_TELL))}.gz"
        except zlib.error:
            return ".csv.gz"  # whatever is wrong, its reader says it
    return _ending_of_text(beginning.removeprefix(b"\xef\xbb\xbf"))


def _ending_of_text(beginning: bytes) -> str:
    first = beginning.lstrip()[:1]
    if first in (b"{", b"["):
        return ".json"
    lines = (line.strip() for line in beginning.splitlines())
    declaration = next((line for line in lines if line and not line.startswith(b"%")), b"")
    is_arff = declaration.lower().startswith((b"@relation", b"@attribute"))
    return ".arff" if is_arff else ".csv"
