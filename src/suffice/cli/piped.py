"""Tables that come through standard input or a pipe: kept in a temporary file, as a table is read several times."""

from __future__ import annotations

import atexit
import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Mapping
from typing import IO

from suffice.errors import SettingError, TableError
from suffice.machine.temporary_files import most_bytes, too_large
from suffice.whole_file import lock, remove_abandoned

STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
NAME = "standard input"
PREFIX = "suffice-input-"
BLOCK = 1 << 20

_names: dict[str, str] = {}  # what a temporary file is called in messages


def is_piped(given: str) -> bool:
    """Whether it can be read only once."""
    return given in STANDARD_INPUT or (os.path.exists(given) and not os.path.isfile(given) and not os.path.isdir(given))


def require_read_once(given: Mapping[str, str | None]) -> None:
    """The standard input holds one file, so that it cannot be two of those that are `given`, by what they are called.

    >>> require_read_once({"MODEL": "-", "DATA": "table.csv"})
    """
    piped = [what for what, path in given.items() if path in STANDARD_INPUT]
    if len(piped) > 1:
        raise SettingError(
            f"{' and '.join(piped)} cannot both be the standard input, which holds one file. Give the path of a file "
            "for one of them."
        )


def shown(text: str) -> str:
    """A text in which temporary files go by the names of what came through them."""
    for path, name in _names.items():
        text = text.replace(path, name)
    return text


def kept(given: str) -> str:
    """The path of a file that holds what came through; a file that is merely redirected is read where it lies."""
    if given not in STANDARD_INPUT:
        with open(given, "rb") as stream:
            return _spooled(stream, given)
    if sys.stdin is None:
        raise TableError("The standard input is closed. Give a file.")
    return _redirected() or _spooled(sys.stdin.buffer, NAME)


def remove_kept() -> None:
    """Remove the temporary files, as the end of the process does."""
    for path in _names:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _redirected() -> str | None:
    """The file behind standard input, if it has a name that tells its kind and nothing of it was read before."""
    try:
        number = sys.stdin.fileno()
        path = os.path.realpath(f"/dev/fd/{number}")
        found = os.fstat(number)
        is_that_file = stat.S_ISREG(found.st_mode) and os.path.samestat(found, os.stat(path))
        is_unread = os.lseek(number, 0, os.SEEK_CUR) == 0
    except (OSError, ValueError):  # no such file, or a stream that is none
        return None
    from suffice.sources.readers.file_kind import file_kind

    with contextlib.suppress(TableError):
        return path if is_that_file and is_unread and file_kind(path) else None
    return None


def _spooled(stream: IO[bytes], name: str) -> str:
    from suffice.sources.readers.file_kind import BYTES_TO_TELL, ending_of

    most = most_bytes()
    beginning = stream.read(BYTES_TO_TELL)
    path, number = _temporary(ending_of(beginning))
    _names[path] = name
    with os.fdopen(number, "wb", closefd=False) as file:  # it stays open, and with it locked, to the end
        size, block = 0, beginning
        while block:
            size += len(block)
            if size > most:
                raise TableError(
                    f"What came through {name} takes {too_large(most)}. Save the table to a file and give its name."
                )
            file.write(block)
            block = stream.read(BLOCK)
    return path


def _temporary(ending: str) -> tuple[str, int]:
    """A file that is removed when the process ends, or else by the next one that needs such a file."""
    remove_abandoned(os.path.join(tempfile.gettempdir(), f"{PREFIX}*"))
    while True:
        number, path = tempfile.mkstemp(ending, PREFIX)
        lock(number)
        if os.path.exists(path):  # else another process took it for abandoned before it was locked
            atexit.register(_remove, path, number)
            return path, number
        os.close(number)


def _remove(path: str, number: int) -> None:
    with contextlib.suppress(OSError):
        os.close(number)
    with contextlib.suppress(OSError):
        os.unlink(path)
