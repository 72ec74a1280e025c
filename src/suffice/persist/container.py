"""Model files on disk: JSON, or a zip of it and large arrays, of which no more is unpacked than may be there."""

from __future__ import annotations

import io
import json
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import IO, Any

from suffice.errors import ModelFileError
from suffice.persist.decoding import announced_members
from suffice.persist.encoding import FORMAT
from suffice.whole_file import no_place, whole_file

DOCUMENT = "model.json"  # the name of the JSON inside a zip
ZIP_START = b"PK"
BEGINNING = re.compile(rb'\s*\{\s*"format"\s*:\s*"%s"' % FORMAT.encode())  # of the JSON, however it is laid out
BYTES_TO_TELL = 1 << 10
HEADER = 1 << 16  # bytes that describe an array, at most
ROOM = 1 << 28  # bytes: a zip may always unpack to this
DOCUMENT_ROOM = 1 << 25
MOST = 100  # times the size of the file: what a larger zip may unpack to
MOST_DOCUMENT = 20
LOOKED_AT = 1 << 16  # bytes in the middle of a member, which tell how much it shrinks
WORTH_IT = 0.9

DAMAGES = (  # what damaged JSON, zip archives and arrays raise
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
    OSError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)


def write(path: str, text: str, members: Mapping[str, bytes]) -> None:
    """Write a model file, whole or not at all."""
    _require_name(path)
    if why_not := no_place(path):
        raise ModelFileError(why_not)
    document = text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes its JSON escape
    try:
        with whole_file(path) as file:
            file.write(_archive({DOCUMENT: document, **members}) if members else document)
    except OSError as error:
        raise ModelFileError(f"{path} cannot be written: {error.strerror or error}. Choose another place.") from error


def _require_name(path: str) -> None:
    """No file system has NUL in a name."""
    if "\0" in path:
        raise ModelFileError(f"{path!r} is no name of a file: it has a NUL in it. Check the path.")


def _archive(members: Mapping[str, bytes]) -> bytes:
    """The members in a zip: compressed, unless they shrink so much that they would read as a trap."""
    size, document = sum(map(len, members.values())), len(members[DOCUMENT])
    data = _zipped(members, zipfile.ZIP_DEFLATED)
    is_readable = size <= _room(len(data)) and document <= _document_room(len(data))
    return data if is_readable else _zipped(members, zipfile.ZIP_STORED)


def _zipped(members: Mapping[str, bytes], compression: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name)  # without the time, so that the same model is the same file
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, compression if _shrinks(data) else zipfile.ZIP_STORED)
    return stream.getvalue()


def _shrinks(data: bytes) -> bool:
    """Whether compression is worth its time, which by far is the longest of all: measured digits hardly shrink."""
    if len(data) <= LOOKED_AT:
        return True
    middle = (len(data) - LOOKED_AT) // 2
    return len(zlib.compress(data[middle : middle + LOOKED_AT])) < WORTH_IT * LOOKED_AT


def _room(size: int) -> int:
    return max(ROOM, MOST * size)


def _document_room(size: int) -> int:
    return max(DOCUMENT_ROOM, MOST_DOCUMENT * size)


def is_model_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one that `write` wrote, as far as its beginning tells; workbooks and packed tables are not."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        start = file.read(BYTES_TO_TELL)
    return BEGINNING.match(start) is not None or (start.startswith(ZIP_START) and _holds_document(path))


def _holds_document(path: str | os.PathLike[str]) -> bool:
    """Whether an archive is that of a model."""
    try:
        with zipfile.ZipFile(path) as archive:
            return DOCUMENT in archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return not os.path.splitext(path)[1]  # a damaged model, unless its name says that it is something else


def read(path: str) -> tuple[Any, dict[str, bytes]]:
    """The JSON of a model file, and the arrays beside it as bytes."""
    _require_name(path)
    try:
        with open(path, "rb") as file:
            try:
                if file.read(len(ZIP_START)) == ZIP_START:
                    return _read_archive(file, os.fstat(file.fileno()).st_size)
                file.seek(0)
                return json.loads(file.read().decode("utf-8")), {}
            except DAMAGES as error:
                raise ModelFileError(f"{path} is not a suffice model file, or is damaged ({error}).") from error
    except OSError as error:
        raise ModelFileError(f"{path} cannot be opened: {error.strerror}. Check the path.") from error


def _read_archive(file: IO[bytes], size: int) -> tuple[Any, dict[str, bytes]]:
    """What the archive's directory says is checked against what the JSON announces before anything is unpacked."""
    with zipfile.ZipFile(file) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}
        if len(entries) != len(archive.infolist()):
            raise ValueError("it has a member twice")
        for entry in entries.values():
            _require_member(entry)
        if sum(entry.file_size for entry in entries.values()) > _room(size):
            raise ValueError("it would unpack to far more than a model of its size can hold")
        if entries[DOCUMENT].file_size > _document_room(size):
            raise ValueError(f"{DOCUMENT} would unpack to far more than a model of its size can hold")
        document = json.loads(_bytes(archive, entries.pop(DOCUMENT)).decode("utf-8"))
        _require_announced(entries, announced_members(document))
        return document, {name: _bytes(archive, entry) for name, entry in entries.items()}


def _require_member(entry: zipfile.ZipInfo) -> None:
    """Only what `save` writes is read at all."""
    if not (entry.filename == DOCUMENT or entry.filename.startswith("arrays/")):
        raise ValueError(f"it has the member {entry.filename!r:.60}, which model files do not have")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("it is compressed in a way that model files are not")


def _require_announced(entries: Mapping[str, zipfile.ZipInfo], announced: Any) -> None:
    """Every member must be announced, once, and be as long as its array."""
    sizes = list(announced)
    if sorted(name for name, _ in sizes) != sorted(entries):
        raise ValueError(f"its arrays are not those that {DOCUMENT} announces")
    for name, size in sizes:
        if size is not None and not size < entries[name].file_size <= size + HEADER:
            raise ValueError(f"{name} is not as long as {DOCUMENT} announces")


def _bytes(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """What a member unpacks to, and no more than its place in the directory says."""
    with archive.open(entry) as stream:
        data = stream.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise ValueError(f"{entry.filename} is not as long as it should be")
    return data
