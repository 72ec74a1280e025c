"""From a path to the files that are meant: a file, all that a glob matches, or a folder of Parquet files."""

from __future__ import annotations

import glob
import os
import re

from suffice.errors import TableError
from suffice.sources.readers.file_kind import file_kind

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # a drive of Windows has one letter
LOGS = ("_delta_log", ".hoodie")  # such a folder's log says which of its files count


def matching_files(path: str) -> list[str]:
    """The file, or the files of a glob or a folder in the order of their names. A path that exists is no pattern."""
    if os.path.isfile(path):
        return [path]
    if os.path.isdir(path):
        return parquet_files_in(path)
    if os.path.exists(path):
        raise TableError(f"{path!r} is a pipe or a device, and a table is read several times. Save it to a file first.")
    files = sorted(name for name in glob.glob(_pattern(path), recursive=True) if os.path.isfile(name))
    if not files and _ADDRESS.match(path):
        raise TableError(
            f"{path!r} is an address, and nothing is fetched from a network. Download the table and give the file, or "
            "read it with pandas, Polars or DuckDB and give the frame."
        )
    if not files:
        raise TableError(f"There is no file {path!r} (in {os.getcwd()}). Check the path.")
    _require_one_kind(path, files)
    return files


def _pattern(path: str) -> str:
    """The path as a glob, of which the folders at the beginning that exist are those folders and no pattern."""
    folder = os.path.dirname(path)
    while folder != os.path.dirname(folder) and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return glob.escape(folder) + path[len(folder) :]


def parquet_files_in(folder: str) -> list[str]:
    """The files of a folder that is one table in many Parquet files, however deep they lie."""
    files = []
    for place, folders, names in os.walk(folder):
        if logs := set(folders) & set(LOGS):
            raise TableError(
                f"{place!r} keeps a log ({', '.join(logs)}) of which of its files count. Read it with the library that "
                "wrote it, and give the frame."
            )
        folders[:] = [name for name in folders if not name.startswith((".", "_"))]
        files += [os.path.join(place, name) for name in names if not name.startswith((".", "_"))]
    if not any(name.lower().endswith((".parquet", ".pq")) for name in files):
        pattern = os.path.join(folder, "*.csv")
        raise TableError(
            f"{folder!r} is a folder. Give a file in it, or a glob such as {pattern!r}; only a folder of Parquet files "
            "is read as one table."
        )
    if no_tables := [name for name in sorted(files) if not _is_table(name)]:
        pattern = os.path.join(folder, "*.parquet")
        raise TableError(
            f"{folder!r} is a folder of Parquet files and of others, such as {no_tables[0]!r}. Give a glob of its "
            f"tables, such as {pattern!r}."
        )
    _require_one_kind(folder, files)
    return sorted(files)


def _is_table(path: str) -> bool:
    try:
        file_kind(path)
    except TableError:
        return False
    return True


def _require_one_kind(path: str, files: list[str]) -> None:
    kinds = {file_kind(name) for name in files}
    if len(kinds) > 1:
        raise TableError(f"{path!r} matches files of different kinds ({', '.join(sorted(kinds))}). Match one kind.")
