"""Files that a command writes: checked before the work begins, there whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from suffice.errors import SettingError

ROW_FILES = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}


def require_writable(path: str | None) -> None:
    """Fail before the work rather than after it."""
    if path is None:
        return
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path):
        raise SettingError(f"{path!r} is a folder. Give the name of a file in it.")
    if not os.path.isdir(folder):
        raise SettingError(f"{path!r} cannot be written: there is no folder {folder!r}. Make it first.")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise SettingError(f"{path!r} cannot be written: permission denied.")


def require_model_file(path: str | None) -> None:
    """A model file takes the place of what was there before, so that must be a file."""
    require_writable(path)
    if path is not None and os.path.exists(path) and not os.path.isfile(path):
        raise SettingError(f"{path!r} is a device or a pipe. A model needs a file.")


def rows_kind(path: str) -> str:
    """csv, parquet or jsonl, by the ending.

    >>> rows_kind("rows.parquet")
    'parquet'
    """
    ending = os.path.splitext(path)[1].lower()
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
    whole = os.path.realpath(path)
    partial = f"{whole}.{os.getpid()}.partial"
    try:
        with open(partial, "xb") as file:
            yield file
        os.replace(partial, whole)
    except BaseException:
        if os.path.exists(partial):
            os.unlink(partial)
        raise
