"""DATA on the command line: a file, a glob, standard input, or the name of a built-in table."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from suffice import datasets
from suffice.cli.piped import NAME, STANDARD_INPUT, is_piped, kept
from suffice.errors import SettingError, TableError, did_you_mean
from suffice.shown import quoted

MOST_COLUMNS = 100


@dataclass(frozen=True)
class Data:
    """A table as it was named; a file wins over a built-in table of the same name."""

    given: str
    encoding: str | None = None  # of a CSV file
    no_header: bool = False

    @property
    def name(self) -> str:
        """What it is called in a report."""
        return NAME if self.given in STANDARD_INPUT else self.given

    @property
    def title(self) -> str:
        """The same without the folders it lies in, which do not concern those who read a report."""
        return os.path.basename(self.name.rstrip(os.sep)) or self.name

    @cached_property
    def path(self) -> str:
        """The path as it was given; that of a temporary file where something comes through a pipe."""
        return kept(self.given) if is_piped(self.given) else self.given

    @property
    def is_built_in(self) -> bool:
        """Whether the name is that of a built-in table."""
        return self.given in datasets.NAMES and not os.path.exists(self.given)

    @property
    def files(self) -> list[str]:
        """The files that are read, whatever pattern or folder names them; none where there are none."""
        if self.is_built_in or is_piped(self.given):
            return []
        from suffice.sources.readers.file_names import matching_files

        try:
            return matching_files(self.given)
        except TableError:  # which is told when it is read
            return []

    def table(self) -> Any:
        """What the library reads: the built-in table itself, or the path."""
        if self.is_built_in:
            return datasets.load(self.given)
        if not os.path.exists(self.path) and _looks_like_a_name(self.path):
            raise _neither(self.given)
        if self.encoding is None and not self.no_header:
            return self.path
        from suffice.sources.csv_file import CsvFile

        return CsvFile(self.path, self.encoding, not self.no_header)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        from suffice.sources import open_reader

        return open_reader(self.table()).names

    def target(self, named: str | None) -> str:
        """The target that was named, or the one a built-in table is meant for."""
        if named is not None:
            return named
        if self.is_built_in:
            return datasets.default_target(self.given)
        columns = quoted(self.columns, MOST_COLUMNS)
        raise SettingError(f"Which column is to be predicted? Give --target, one of {columns}.")


def _looks_like_a_name(given: str) -> bool:
    return not (glob.has_magic(given) or os.path.dirname(given) or os.path.splitext(given)[1])


def _neither(given: str) -> TableError:
    hint = did_you_mean(given.lower(), datasets.NAMES)
    return TableError(
        f"There is neither a file nor a built-in table {given!r}.{hint} Built in are {', '.join(datasets.NAMES)}."
    )
