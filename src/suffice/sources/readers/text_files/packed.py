"""Packed files of text: what unpacks them, and what is inside."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

from suffice.errors import TableError

GZIP = ".gz"
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError)
"""What those who unpack raise of a damaged file; a zip archive under a password is a `RuntimeError`."""


def _zip_member(path: str) -> Any:
    return zipfile.ZipFile(path).open(_only_member(path))


def _zstandard(path: str) -> Any:
    import pyarrow as pa

    return pa.input_stream(path, compression="zstd")


_OPENERS: dict[str, Callable[[str], Any]] = {
    GZIP: gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": _zstandard,
    ".zip": _zip_member,
}


def _zstandard_beginning(beginning: bytes, most: int) -> bytes:
    import pyarrow as pa

    with pa.input_stream(pa.BufferReader(beginning), compression="zstd") as stream:
        unpacked: bytes = stream.read(min(most, _FEW))
    return unpacked


_FEW = 1 << 10  # bytes that are there even if not all of the first block is
_BEGINNINGS: dict[bytes, tuple[str, Callable[[bytes, int], bytes]]] = {
    b"\x1f\x8b": (GZIP, lambda beginning, most: zlib.decompressobj(wbits=31).decompress(beginning, most)),
    b"\xfd7zXZ\0": (".xz", lambda beginning, most: lzma.LZMADecompressor().decompress(beginning, most)),
    b"(\xb5/\xfd": (".zst", _zstandard_beginning),
    **{
        b"BZh%d1AY&SY" % level: (".bz2", lambda beginning, most: bz2.BZ2Decompressor().decompress(beginning, most))
        for level in range(1, 10)
    },
}


def unpacked_beginning(beginning: bytes, most: int) -> tuple[str, bytes]:
    """How the first bytes of a file are packed, as an ending, and what they are unpacked, as far as they can be.

    >>> unpacked_beginning(gzip.compress(b"a,b"), 100), unpacked_beginning(b"a,b", 100)
    (('.gz', b'a,b'), ('', b'a,b'))
    """
    for start, (packing, unpack) in _BEGINNINGS.items():
        if beginning.startswith(start):
            try:
                return packing, unpack(beginning, most)
            except DAMAGED:
                return packing, b""  # whatever is wrong, its reader says it
    return "", beginning


def opened_bytes(path: str) -> Any:
    """The bytes of a file, unpacked where the ending of its name says that it is packed."""
    opener = _OPENERS.get(ending(path))
    return open(path, "rb") if opener is None else opener(path)


def needs_copy(path: str) -> bool:
    """Whether it is packed, and not with gzip, which every reader unpacks itself."""
    return ending(path) in _OPENERS and ending(path) != GZIP


def name_inside(path: str) -> str:
    """The name of what is inside a packed file; of another file its own.

    >>> name_inside("t.csv.xz"), name_inside("t.csv")
    ('t.csv', 't.csv')
    """
    if ending(path) == ".zip":
        return _only_member(path)
    return path[: -len(ending(path))] if ending(path) in _OPENERS else path


def _only_member(path: str) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if not _is_litter(name)]
    except DAMAGED as error:
        raise TableError(f"{path} cannot be unpacked: {error}. Check that it is whole.") from error
    if len(names) == 1:
        return names[0]
    held = (
        f"holds {len(names):,} files ({', '.join(names[:5])}{', …' if len(names) > 5 else ''})" if names else "is empty"
    )
    raise TableError(f"{path} {held}, and only an archive of one table is read as it is. Unpack it first.")


def _is_litter(name: str) -> bool:
    """Whether it is a folder, or what some systems put beside the files."""
    parts = PurePosixPath(name).parts
    return name.endswith("/") or "__MACOSX" in parts or (bool(parts) and parts[-1].startswith("."))


def ending(path: str) -> str:
    """How the name of a file ends, which says whether and how it is packed."""
    return Path(path).suffix.lower()
