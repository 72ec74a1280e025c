"""A page as a file: written whole, or not at all."""

from __future__ import annotations

import os

from suffice.errors import SettingError
from suffice.whole_file import whole_file


def write_page_file(page: str, path: str | os.PathLike[str]) -> None:
    """Write a page; an error where its place cannot be written."""
    text = page.encode("utf-8", "backslashreplace")
    try:
        with whole_file(path) as file:
            file.write(text)
    except OSError as error:
        place = os.fspath(path)
        raise SettingError(f"{place!r} cannot be written: {error.strerror or error}. Choose another place.") from error
