"""Lists on the command line: an option that is given several times, or once with commas between the names."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from suffice.cli.data import Data


def separated(given: Iterable[str] | None) -> list[str]:
    """Names, with commas between some of them; one that has a comma stands in quotes, as in a CSV file.

    >>> separated(["id, name", "age", '"a,b"']), separated([","])
    (['id', 'name', 'age', 'a,b'], [','])
    """
    names: list[str] = []
    for text in given or ():
        parts = [part for line in csv.reader([text], skipinitialspace=True) for part in line]
        names += parts if all(parts) and parts else [text]
    return list(dict.fromkeys(names))


def separated_columns(table: Data, given: Sequence[str] | None) -> list[str] | None:
    """Names of columns of a table; what is the name of a column as it stands is one, commas and all."""
    if not given:
        return None
    if not any("," in text for text in given):
        return list(given)
    known = set(table.columns)
    return [name for text in given for name in ([text] if text in known else separated([text]))]
