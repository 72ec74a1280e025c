"""Files that a command writes: checked before the work begins, there whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from suffice.errors import SettingError
from suffice.whole_file import no_folder, whole_file

STANDARD_OUTPUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
PICTURE_FILES = (".png", ".svg", ".pdf")
ROW_FILES = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}


def file_or_none(path: str | None) -> str | None:
    """The file to write; none where standard output is meant."""
    return None if path in STANDARD_OUTPUT else path


def require_writable(path: str | None) -> None:
    """Fail before the work rather than after it."""
    if path is None:
        return
    place = os.path.realpath(path)  # a symbolic link stays where it is
    if os.path.isdir(place):
        raise SettingError(f"{path!r} is a folder. Give the name of a file in it.")
    if why_not := no_folder(path):
        raise SettingError(why_not)
    is_replaced = not os.path.exists(place) or os.path.isfile(place)
    if is_replaced and not os.access(os.path.dirname(place), os.W_OK):
        raise SettingError(f"{path!r} cannot be written: permission denied in its folder. Choose another place.")
    if os.path.exists(place) and not os.access(place, os.W_OK):
        raise SettingError(f"{path!r} cannot be written: permission denied.")


def require_model_file(path: str | None, what: str = "A model") -> None:
    """A model's file, or a report's, takes the place of what was there before, so that must be a file."""
    if path in STANDARD_OUTPUT:
        raise SettingError(f"{path!r} is the standard output. {what} needs a file.")
    require_writable(path)
    if path is not None and os.path.exists(path) and not os.path.isfile(path):
        raise SettingError(f"{path!r} is a device or a pipe. {what} needs a file.")


def require_picture_file(path: str | None) -> None:
    """A picture's kind is known by its ending."""
    require_writable(path)
    if path is not None and os.path.splitext(path)[1].lower() not in PICTURE_FILES:
        raise SettingError(f"{path!r} must end in .png, .svg or .pdf, so that its kind is known.")


def require_rows_file(path: str | None) -> None:
    """A file of rows can be written, and its kind is known."""
    if path is not None:
        rows_kind(path)
        require_writable(path)


def rows_kind(path: str) -> str:
    """csv, parquet or jsonl, by the ending; a device or a pipe without one gets csv.

    >>> rows_kind("rows.parquet")
    'parquet'
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in ROW_FILES and os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        return "csv"
    if ending not in ROW_FILES:
        raise SettingError(f"{path!r} must end in .csv, .parquet or .jsonl, so that its kind is known.")
    return ROW_FILES[ending]


@contextmanager
def opened(path: str | None) -> Iterator[IO[bytes]]:
    """Standard output, or a file that takes its name only once it is complete."""
    if path is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe must not be replaced
        with open(path, "wb") as file:
            yield file
        return
    with whole_file(path) as file:
        yield file
