"""A first line that looks like data: the file may have no line of names."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.errors import Message
from suffice.schema.disguise import Writing
from suffice.schema.spelling import number_of
from suffice.schema.unnamed_columns import unnamed_columns
from suffice.shown import quoted
from suffice.sources.csv_file import CsvSetting

MOST_SHOWN = 4


def looks_like_data(names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether every name would be a value of its column, given some of the values: a number, or a word that is there.

    Names that count (0, 1, 2 or 1990, 1991) are names.

    >>> looks_like_data(["5.1", "setosa"], [["4.9", "6.3"], ["setosa", "virginica"]])
    True
    >>> looks_like_data(["width", "species"], [["4.9"], ["setosa"]]), looks_like_data(["0", "1"], [["5"], ["7"]])
    (False, False)
    """
    numbers = [number_of(name) for name in names]
    is_counting = all(each == (numbers[0] or 0) + place for place, each in enumerate(numbers))
    filled = [(name, values) for name, values in zip(names, columns, strict=True) if values]
    return bool(filled) and not is_counting and all(_is_value(name, values) for name, values in filled)


def _is_value(name: str, values: Sequence[str]) -> bool:
    if not name.strip():
        return False
    is_numeric = Writing.of_levels(values).numeric("") is not None
    return Writing.of_levels([*values, name]).numeric("") is not None if is_numeric else name in values


def no_header_hint(path: str, names: Sequence[str], delimiter: str) -> Message:
    """What is said of such a file.

    >>> no_header_hint("iris.csv", ["5.1", "setosa"], ",").split(". ")[0]
    "The first line of iris.csv looks like data ('5.1', 'setosa')"
    """
    few = delimiter.join(unnamed_columns(min(len(names), MOST_SHOWN)))
    line = few + (f"{delimiter}…" if len(names) > MOST_SHOWN else "")
    return Message(
        f"The first line of {path} looks like data ({quoted(names, MOST_SHOWN)}). If it names no columns, say ",
        CsvSetting("header", False),
        f", or put a line before it that does, such as {line}.",
    )
