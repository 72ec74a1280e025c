"""Encoding the target: labels become codes of sorted classes, or the numbers of a regression (the response)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.errors import Formula, Message, Setting, TableError
from suffice.schema import AnyArray, Coded, Level, RawColumn, Values
from suffice.schema.chunk import as_coded, levels_in_use, numbers_of_levels, without_levels
from suffice.schema.columns import Numeric, sorted_levels
from suffice.schema.disguise import Writing, is_missing_word
from suffice.schema.disguise_notes import is_number
from suffice.schema.encoder import require_kind
from suffice.schema.spelling import Content, content_of_level
from suffice.schema.whole_numbers import coded_whole_numbers
from suffice.shown import first_in
from suffice.sources.readers.frames.array import bare_array, object_column


def coded_target(labels: Any) -> Coded:
    """Labels as codes of their sorted classes.

    >>> coded_target(["Yes", "No", "Yes"]).codes.tolist(), coded_target(["Yes", "No", "Yes"]).levels
    ([1, 0, 1], ('No', 'Yes'))
    """
    array = one_dimensional(labels)
    if array.dtype.kind in "iu" and array.size:
        found = coded_whole_numbers(array)
        if found is not None:
            return Coded(*found)
    return sorted_classes(object_column(array, "y"))


def one_dimensional(labels: Any) -> AnyArray:
    """The target as an array with one entry for every row; a single column is flattened."""
    array = np.asarray(bare_array(labels))
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise TableError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    return array


def numeric_target(labels: Any) -> Values:
    """The numbers of a regression, one for every row; truths count as 0 and 1.

    >>> numeric_target(["2.5", "1"]).data.tolist()
    [2.5, 1.0]
    """
    array = one_dimensional(labels)
    if array.dtype.kind == "c":
        raise TableError("Complex data not supported: y has complex numbers. A regression predicts real numbers.")
    if array.dtype.kind in "biuf":
        numbers = Values(array.astype(np.float64, copy=False))
    else:
        numbers = numbers_to_predict(object_column(array, "y"), "y")
    if not np.isfinite(numbers.data).all():
        raise TableError("Input y contains NaN or infinity. Leave out the rows without a value.")
    return numbers


def numbers_to_predict(column: RawColumn, name: str, known: Numeric | None = None) -> Values:
    """A raw column as the numbers of a regression, written as is known, or as all of them are; a word is an error."""
    if isinstance(column, Values):
        if known is not None:
            require_kind(known, column)
        return Values(column.data, time=column.time)
    used = _without_truths(column)
    numeric = known or Writing.of_levels(used.levels).numeric(name)
    for level in used.levels if numeric is None else ():
        _require_number(level, name)
    if numeric is None:
        raise written_differently(name)
    return numbers_of_levels(used, numeric)


def possible_numbers(column: RawColumn, name: str) -> RawColumn:
    """The same before it is known how they are written: text stays text, but for words that stand for no value."""
    if isinstance(column, Values):
        return numbers_to_predict(column, name)
    used = _without_truths(column)
    for level in used.levels:
        if content_of_level(level) is Content.WORDS:
            _require_number(level, name)
    return without_levels(used, {level for level in used.levels if isinstance(level, str) and is_missing_word(level)})


def _without_truths(column: Coded) -> Coded:
    """The levels that rows have; truths are 1 and 0."""
    used = levels_in_use(column)
    return replace(used, levels=tuple(int(level) if isinstance(level, bool) else level for level in used.levels))


def _require_number(level: Level, name: str) -> None:
    """A level of a target that is to be numbers must be one, however it is written."""
    if not is_number(level):
        raise TableError(
            Message(
                f"The target {name!r} has the value {level!r}, which is no number. A regression predicts numbers; "
                "correct the value, name it in ",
                Setting("missing_values"),
                ", or choose another target or a classifier.",
            )
        )


def written_differently(name: str) -> TableError:
    """What is said of numbers to predict that are not all written in one way."""
    return TableError(
        f"The numbers of the target {name!r} are not all written in one way: their decimal marks or units differ, or "
        "some are times. Write them alike."
    )


def require_finite(numbers: Values, name: str, first_row: int | None = None) -> Values:
    """The same numbers, none of which is infinite; they may be missing."""
    if np.isinf(numbers.data).any():
        row = int(np.flatnonzero(np.isinf(numbers.data))[0])
        raise TableError(
            f"The target {name!r} contains infinity (inf){first_in(first_row, row)}. "
            "Replace infinite values with numbers, or leave them missing."
        )
    return numbers


def sorted_classes(column: RawColumn) -> Coded:
    """A raw column as codes of its sorted levels; fractions are no classes, and floats stay floats."""
    coded = as_coded(column)
    _require_not_confused(coded)
    require_no_fractions(coded.levels)
    if isinstance(column, Values):  # numbers are coded in their order, and only those that occur
        is_float = not (column.is_integer or column.time)
        return replace(coded, levels=tuple(map(float, coded.levels))) if is_float else coded
    used = np.flatnonzero(np.bincount(coded.codes.astype(np.int64) + 1, minlength=len(coded.levels) + 1)[1:])
    present = sorted_levels(coded.levels[code] for code in used)
    where: dict[Level, int] = {level: code for code, level in enumerate(present)}
    table = np.array([where.get(level, -1) for level in coded.levels] + [-1], dtype=np.int32)
    return Coded(table[coded.codes], present, classes=coded.levels if coded.declared else None)


def _require_not_confused(labels: Coded) -> None:
    """True is 1 to Python, and False is 0: labels that have both would become one class."""
    if labels.confused is not None:
        one, other = labels.confused
        raise TableError(
            f"The target has both {one} and {other}, which are equal and would be one class. Write one of them "
            "otherwise, as text for example."
        )


def require_no_fractions(levels: tuple[Level, ...]) -> None:
    """Fractions are no classes."""
    if any(isinstance(level, float) and not level.is_integer() for level in levels):
        raise TableError(
            Message(
                Formula("Unknown label type: "),
                "the target has fractions, so it looks continuous. A classifier needs classes: cut it into intervals "
                "first, or choose another target.",
            )
        )
