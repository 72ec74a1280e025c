"""Files of text: packed or not, and bytes in them that are no text."""

from __future__ import annotations

import io
from typing import Any

from suffice.sources.readers.text_files.packed import opened_bytes


def opened_text(path: str, errors: str = "strict") -> Any:
    """A text file, unpacked where it is packed, its line ends as they are."""
    return io.TextIOWrapper(opened_bytes(path), encoding="utf-8-sig", errors=errors, newline="")


def has_wrong_bytes(line: str) -> bool:
    r"""Whether a line, read with "surrogateescape", is not UTF-8: a decoder that stops cannot say where.

    >>> has_wrong_bytes(b"caf\xc3\xa9".decode(errors="surrogateescape"))
    False
    >>> has_wrong_bytes(b"caf\xe9".decode(errors="surrogateescape"))
    True
    """
    if line.isascii():
        return False
    try:
        line.encode()
    except UnicodeEncodeError:
        return True
    return False
