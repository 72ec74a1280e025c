"""A finished picture: notebooks show it, and a file takes it whole or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import ClassVar

from suffice.errors import SettingError
from suffice.whole_file import no_place, whole_file


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture as SVG: notebooks show it, `save` writes it, `svg` is its text."""

    svg: str

    _file: ClassVar[str] = "picture.svg"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an .svg file, whole or not at all."""
        with whole_file(_writable(os.fspath(path))) as file:
            file.write(self.svg.encode())

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.svg}</div>'

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"{type(self).__name__}: a notebook shows it, save({self._file!r}) writes it."


def _writable(path: str) -> str:
    """The whole path of a file to write."""
    if os.path.splitext(path)[1].lower() != ".svg":
        raise SettingError(
            f"{path!r} does not end in .svg, the one kind of file this picture can be. Save it as .svg; "
            "a browser prints that as PDF, and Inkscape or rsvg-convert make PNG of it."
        )
    if why_not := no_place(path):
        raise SettingError(why_not)
    return os.path.realpath(path)
