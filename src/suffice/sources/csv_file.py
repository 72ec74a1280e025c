"""How a CSV file is to be read where it does not tell: its encoding, and whether its first line names the columns."""

from __future__ import annotations

import codecs
import os
from dataclasses import dataclass

from suffice.errors import Setting, SettingError


@dataclass(frozen=True)
class CsvFile(os.PathLike[str]):
    """A CSV file, or a glob of them, that stands wherever a path does.

    `encoding` is one of Python's names, as "latin-1", "cp1252" or "shift_jis"; without it, UTF-8, UTF-16,
    UTF-32 and Windows-1252 are recognised. With `header=False` the first line is data, and the columns are x0, x1, …

    >>> import suffice as sf
    >>> sf.compare(sf.CsvFile("flowers.csv", header=False), "x4")  # doctest: +SKIP
    >>> sf.CsvFile("flowers.csv", encoding="latin-1")
    CsvFile(path='flowers.csv', encoding='latin-1', header=True)
    """

    path: str | os.PathLike[str]
    encoding: str | None = None
    header: bool = True

    def __post_init__(self) -> None:
        """An encoding must be one that Python knows."""
        if self.encoding is None:
            return
        try:
            is_text = codecs.lookup(self.encoding)._is_text_encoding
        except (LookupError, ValueError) as error:
            raise unknown_encoding(self.encoding) from error
        if not is_text:
            raise unknown_encoding(self.encoding)

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> CsvFile:
        """A path as a CSV file; one that says how it is read already stays so."""
        return path if isinstance(path, cls) else cls(path)

    @property
    def asked(self) -> tuple[Setting, ...]:
        """What was said of it, which nothing but a CSV file can be asked."""
        encoding = () if self.encoding is None else (Setting("encoding", self.encoding),)
        return (*encoding, *(() if self.header else (Setting("header", False),)))

    def __fspath__(self) -> str:
        """The path itself."""
        return os.fspath(self.path)


@dataclass(frozen=True)
class CsvSetting(Setting):
    """A setting of a CSV file in a message.

    >>> print(CsvSetting("encoding", "latin-1"))
    sf.CsvFile(path, encoding='latin-1')
    """

    def __str__(self) -> str:
        return f"sf.CsvFile(path, {self.name}={self.value!r})"


def unknown_encoding(encoding: str) -> SettingError:
    """What is said of a name that is no encoding of text."""
    return SettingError(
        f"There is no encoding {encoding!r}. Give one of Python's names: utf-8, latin-1, cp1252, utf-16, shift_jis, …"
    )
