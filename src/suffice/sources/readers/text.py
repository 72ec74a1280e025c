"""Files of text: packed or not, and bytes in them that are no text."""

from __future__ import annotations

import gzip
from typing import Any


def opened_text(path: str, errors: str = "strict") -> Any:
    """A text file, unpacked where its name ends in .gz, its line ends as they are."""
    opened: Any = gzip.open if path.lower().endswith(".gz") else open
    return opened(path, "rt", encoding="utf-8-sig", errors=errors, newline="")


def opened_bytes(path: str) -> Any:
    """The bytes of a text file, unpacked where its name ends in .gz."""
    opened: Any = gzip.open if path.lower().endswith(".gz") else open
    return opened(path, "rb")


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
