"""What kind of table a file holds: its ending says so, or its first bytes where it has none that is known."""

from __future__ import annotations

import os
from pathlib import Path

from suffice.errors import TableError
from suffice.sources.readers.text_files.packed import name_inside, needs_copy, unpacked_beginning

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
ARCHIVES = (".7z", ".rar", ".tar", ".tgz")
WORKBOOKS = {
    ".xls": "a workbook in Excel's old form",
    ".xlsb": "a binary workbook",
    ".ods": "a workbook of LibreOffice",
}
FRAMES = (".pkl", ".pickle", ".dta", ".sav", ".sas7bdat", ".xpt", ".h5", ".hdf5", ".hdf", ".orc")
UNPACKED_KINDS = ("csv", "json")  # which are read as streams
BEGINNINGS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"FEA1": ".feather", b"\xff\xff\xff\xff": ".arrow"}
GZIP = b"\x1f\x8b"
DATABASE = "a database. Write the table to a file, or give the relation: duckdb.connect({path!r}).table(…)"
FOREIGN = {  # first bytes of what is often taken for a table, what it is, and what to do
    b"<!doctype": "a web page, not a table. Download the file that it links to",
    b"<html": "a web page, not a table. Download the file that it links to",
    b"<?xml": "an XML file. Write its table to a CSV file",
    b"%pdf": "a PDF document. Write its table to a CSV file",
    b"\x89png": "a picture. Give a table",
    b"\xff\xd8\xff": "a picture. Give a table",
    b"\xd0\xcf\x11\xe0": "a workbook in Excel's old form. Save it as .xlsx or .csv",
    b"sqlite format 3": "an SQLite database. Write the table to a CSV file: sqlite3 -header -csv {path} 'SELECT …'",
    b"pk\x03\x04": "a zip archive or a workbook. Rename it so that it ends in .zip or .xlsx",
    b"par1\x15": "a Parquet file. Rename it so that it ends in .parquet",
    b"arrow1\0": "an Arrow file. Rename it so that it ends in .arrow",
    b"\x1f\x8b": "packed with gzip. Rename it so that it ends in .gz",
    **{b"bzh%d1ay&sy" % level: "packed with bzip2. Rename it so that it ends in .bz2" for level in range(1, 10)},
    b"\xfd7zxz": "packed with xz. Rename it so that it ends in .xz",
    b"(\xb5/\xfd": "packed with zstd. Rename it so that it ends in .zst",
    b'\x04"m\x18': "packed with lz4. Unpack it",
}
NAME_IN_ZIP = 30  # where the name of the first file in a zip archive begins
PARTS_OF_WORKBOOKS = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/", b"customXml/")
BYTES_TO_TELL = 1 << 20  # a block of bzip2, which is unpacked whole or not at all, has up to 900,000
BYTES_OF_FOREIGN = 256


def file_kind(path: str) -> str:
    """csv, parquet, json, arff, arrow or workbook, by the file's ending.

    >>> file_kind("adult.csv.gz"), file_kind("a.parquet"), file_kind("a.jsonl"), file_kind("a.feather")
    ('csv', 'parquet', 'json', 'arrow')
    """
    last = Path(path).suffix.lower()
    if last in ARCHIVES:
        raise TableError(
            f"{path!r} is an archive. Unpack it first; .gz, .bz2, .xz, .zst and .zip are read as they are."
        )
    if last in WORKBOOKS:
        raise TableError(f"{path!r} is {WORKBOOKS[last]}. Save it as .xlsx or .csv.")
    if last in FRAMES:
        raise TableError(
            f"{path!r} is read by pandas: give the frame, sf.NaiveBayes().fit(frame, …), or save it as .csv."
        )
    kind = _kind_by_name(name_inside(path)) or ("csv" if needs_copy(path) else _kind_by_beginning(path))
    if needs_copy(path) and kind not in UNPACKED_KINDS:
        raise TableError(f"{path!r} is packed, and only CSV and JSON lines are read so. Unpack it first.")
    return kind


def require_text(path: str) -> None:
    """A file that is to be read as text must not begin as something else does."""
    with open(path, "rb") as file:
        beginning = file.read(BYTES_OF_FOREIGN)
    if what := _foreign(path, beginning):
        raise TableError(f"{path!r} is {what}.")


def _kind_by_name(name: str) -> str | None:
    suffixes = (suffix.lower() for suffix in reversed(Path(name).suffixes))
    return next((ENDINGS[suffix] for suffix in suffixes if suffix in ENDINGS), None)


def _kind_by_beginning(path: str) -> str:
    """What a file is whose name does not tell; text is a table if it can be one."""
    beginning = b""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            beginning = file.read(BYTES_TO_TELL)
    kind = ENDINGS.get(ending_of(beginning).removesuffix(".gz")) if beginning else None
    is_known = beginning.startswith((*BEGINNINGS, GZIP))
    what = "" if is_known else _foreign(path, beginning)
    if kind and (is_known or not (what or b"\0" in beginning)):
        return kind
    if what:
        raise TableError(f"{path!r} is {what}.")
    raise TableError(
        f"{path!r} is no table that its name or its beginning tells. Files may be .csv, .parquet, .jsonl, .arff (also "
        "packed), .feather, .arrow or .xlsx."
    )


def _foreign(path: str, beginning: bytes) -> str:
    """What a file is that is no table, and what to do; nothing where it may be one."""
    if beginning[8:12] == b"DUCK":
        return DATABASE.format(path=path)
    start = beginning.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return next((what.format(path=path) for begin, what in FOREIGN.items() if start.startswith(begin)), "")


def ending_of(beginning: bytes) -> str:
    r"""The ending that suits the first bytes of a file.

    >>> ending_of(b'{"a": 1}\n'), ending_of(b"% a comment\n@relation x\n"), ending_of(b"a,b\n1,2\n")
    ('.json', '.arff', '.csv')
    """
    for start, ending in BEGINNINGS.items():
        if beginning.startswith(start):
            return ending
    if beginning.startswith(b"PK"):
        return ".xlsx" if beginning[NAME_IN_ZIP:].startswith(PARTS_OF_WORKBOOKS) else ".zip"
    packing, inside = unpacked_beginning(beginning, BYTES_TO_TELL)
    return f"{ending_of(inside)}{packing}" if packing else _ending_of_text(beginning.removeprefix(b"\xef\xbb\xbf"))


def _ending_of_text(beginning: bytes) -> str:
    first = beginning.lstrip()[:1]
    if first in (b"{", b"["):
        return ".json"
    lines = (line.strip() for line in beginning.splitlines())
    declaration = next((line for line in lines if line and not line.startswith(b"%")), b"")
    is_arff = declaration.lower().startswith((b"@relation", b"@attribute"))
    return ".arff" if is_arff else ".csv"
