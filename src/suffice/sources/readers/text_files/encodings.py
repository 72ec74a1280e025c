"""Character encodings: of text files that are not UTF-8 it is recognised, and a copy in UTF-8 is read instead.

UTF-16 shows in its first bytes, and UTF-32 in its mark. What is no UTF-8 is Windows-1252 (Latin-1 and a few letters
more) if all its letters beyond ASCII could be; a file that has lines in UTF-8 and others that are not is damaged, and
not guessed at.
"""

from __future__ import annotations

import codecs
import os
import tempfile
from typing import Any
from weakref import WeakValueDictionary

from suffice.errors import Message, TableError, warn_user
from suffice.machine.temporary_files import most_bytes, too_large
from suffice.sources.csv_file import CsvSetting
from suffice.sources.readers.text_files.packed import DAMAGED, needs_copy, opened_bytes

BEGINNING = 1 << 12  # bytes that tell UTF-16 and UTF-32
BLOCK = 1 << 20
NAMES = {
    "utf-32": "UTF-32",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp1252": "Windows-1252 (Latin-1)",
    "utf-8-sig": "UTF-8",
}


class Copy:
    """A temporary file with the text of another, unpacked, which lasts as long as this object.

    It is in UTF-8 if the `encoding` of the other is given, else as it was; its lines may be made to end alike.
    """

    def __init__(self, path: str, encoding: str | None, has_one_end: bool) -> None:
        self.is_converted = encoding is not None or has_one_end
        self._most = most_bytes()
        self._file: Any = tempfile.NamedTemporaryFile(prefix="suffice-utf8-", suffix=".csv")  # noqa: SIM115
        self.name: str = self._file.name
        name = "packed" if encoding is None else NAMES.get(encoding, encoding)
        try:
            with opened_bytes(path) as source:
                if has_one_end:
                    for line in source:
                        self._write(line[:-2] + b"\n" if line.endswith(b"\r\n") else line, path)
                elif encoding is None:
                    while block := source.read(BLOCK):
                        self._write(block, path)
                else:
                    reader = codecs.getreader(encoding)(source)
                    while letters := reader.read(BLOCK):
                        self._write(letters.encode(), path)
            self._file.flush()
        except UnicodeError as error:
            raise TableError(Message(f"{path} cannot be read as {name}: {error}. ", ADVICE)) from error
        except DAMAGED as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise TableError(
                f"{path} is {name}, and no copy of it could be made in {tempfile.gettempdir()}: {reason}. Check that "
                "it is whole, or save it unpacked and as UTF-8."
            ) from error

    def _write(self, block: bytes, path: str) -> None:
        if self._file.tell() + len(block) > self._most:
            raise TableError(f"{path} takes {too_large(self._most)}, to be read. Save it unpacked and as UTF-8.")
        self._file.write(block)


ADVICE = Message(
    "If that is not its encoding, name another, as in ",
    CsvSetting("encoding", "latin-1"),
    "; else save it as UTF-8, for example with iconv.",
)
_copies: WeakValueDictionary[tuple[Any, ...], Copy] = WeakValueDictionary()  # of files that are being read


def utf8_copy(path: str, is_utf8_refuted: bool) -> Copy | None:
    """A copy in UTF-8 of a file in another encoding that is recognised, with a warning that says which.

    Of other files a copy as they are if they are packed, and else None.
    """
    encoding = wide_of(path) or (windows_of(path) if is_utf8_refuted else None)
    if encoding is None and is_utf8_refuted and _ends_differ(path):
        warn_user(f"Some lines of {path} end as on Windows and others not; all are read as lines.")
        return _copied(path, None, has_one_end=True)
    if encoding is None:
        return unpacked(path)
    copy = _copied(path, encoding)
    said = f"{path} is not UTF-8; it is read as {NAMES[encoding]}. If its letters look wrong, name its encoding, as in "
    warn_user(Message(said, CsvSetting("encoding", "latin-2"), "."))
    return copy


def copy_from(path: str, encoding: str) -> Copy | None:
    """A copy in UTF-8 of a file in an encoding that was named; where that is UTF-8 itself, only of a packed one."""
    is_utf8 = codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii")
    return unpacked(path) if is_utf8 else _copied(path, encoding)


def unpacked(path: str) -> Copy | None:
    """A copy of a packed file as it is inside; None of other files."""
    return _copied(path, None) if needs_copy(path) else None


def unmarked(path: str) -> Copy | None:
    """A copy of a file in UTF-8 that begins with a byte order mark without it, or of a packed file; else None."""
    try:
        with opened_bytes(path) as file:
            has_mark = file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8
    except DAMAGED:
        has_mark = False  # whatever is wrong, its reader says it
    return _copied(path, "utf-8-sig") if has_mark else unpacked(path)


def _ends_differ(path: str) -> bool:
    """Whether some lines end in a carriage return and a line feed, and others in a line feed alone."""
    try:
        with opened_bytes(path) as file:
            found = {line.endswith(b"\r\n") for line in file if line.endswith(b"\n")}
    except DAMAGED:
        return False
    return len(found) > 1


def _copied(path: str, encoding: str | None, has_one_end: bool = False) -> Copy:
    found = os.stat(path)
    key = (os.path.abspath(path), found.st_ino, found.st_size, found.st_mtime_ns, encoding, has_one_end)
    copy = _copies.get(key)
    if copy is None:
        copy = _copies[key] = Copy(path, encoding, has_one_end)
    return copy


def wide_of(path: str) -> str | None:
    """UTF-16 with the order of its bytes, or 32, by its mark or the zeros between plain letters; None of others."""
    try:
        with opened_bytes(path) as file:
            start = file.read(BEGINNING)
    except DAMAGED:
        return None  # whatever is wrong, its reader says it
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # the first of which begins as that of UTF-16 does
        return "utf-32"
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    low, high = start[0::2], start[1::2]
    zeros_low, zeros_high = low.count(0), high.count(0)
    if zeros_high > len(high) // 2 and not zeros_low:
        return "utf-16-le"
    return "utf-16-be" if zeros_low > len(low) // 2 and not zeros_high else None


def windows_of(path: str) -> str | None:
    """Windows-1252, if the file is no UTF-8, not even in one line with letters beyond ASCII, and has no zeros."""
    is_foreign = False
    try:
        with opened_bytes(path) as file:
            for line in file:
                if line.isascii():
                    if b"\0" in line:
                        return None
                    continue
                if _is(line, "utf-8") or not _is(line, "cp1252"):
                    return None
                is_foreign = True
    except DAMAGED:
        return None
    return "cp1252" if is_foreign else None


def _is(line: bytes, encoding: str) -> bool:
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
