"""Many numbers that are written for people, read all at once: what a text is follows from its shape.

The shape of a text has a 9 for every digit from 1 to 9: `$1,204.50` has the shape `$9,909.90`. Whether a text is a
number, with which decimal mark and unit, and whether it has a fraction, is the same for all texts of a shape. So the
rules are asked once for every shape, and Arrow finds shapes and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from suffice.schema.arrays import Array
from suffice.schema.columns import Level

MANY = 1_000  # so many are worth it
_AROUND = "[^0-9A-Za-z:]{0,4}"
_POSSIBLE = rf"^{_AROUND}[0-9.,][0-9., '’\x{{a0}}\x{{2009}}\x{{202f}}]{{0,19}}{_AROUND}$"
_MOST_LETTERS = 24  # past 15 digits it matters which they are
_FIFTEEN = r"^[^0-9]*([0-9][^0-9]*){0,15}$"


def alike(levels: Sequence[Level]) -> Iterator[Level]:
    """Levels that stand for all of them: where there are many, one for each shape of those that could be numbers.

    >>> list(alike([f"{number},5" for number in range(2_000)]))[999:]
    ['999,5', '9000,9', '9009,9', '9090,9', '9099,9', '9900,9', '9909,9', '9990,9', '9999,9']
    """
    yield from levels[:MANY]
    texts = _texts(levels[MANY:])
    if texts is None:
        yield from levels[MANY:]
        return
    import pyarrow.compute as pc

    yield from (level for level in levels[MANY:] if not isinstance(level, str))
    is_possible = _could_be_numbers(texts)
    yield from _shapes(texts.filter(is_possible)).unique().to_pylist()
    yield from texts.filter(pc.invert(is_possible)).to_pylist()


def numbers_by_shape(levels: Sequence[Level], decimal: str, number_of: Callable[[str], float | None]) -> Array:
    """The numbers of those levels whose shape is one (`number_of` tells), NaN for the others.

    >>> numbers_by_shape(["(1.234,5)", "7", "x"] * 400, ",", lambda shape: 0.0 if shape != "x" else None)[:3].tolist()
    [-1234.5, 7.0, nan]
    """
    numbers = np.full(len(levels), np.nan)
    texts = _texts(levels)
    if texts is None or len(texts) < len(levels):
        return numbers
    import pyarrow as pa
    import pyarrow.compute as pc

    coded = _shapes(texts).dictionary_encode()
    shapes = coded.dictionary
    is_possible = _could_be_numbers(shapes).to_numpy(zero_copy_only=False)
    is_number = np.array(
        [
            possible and (found := number_of(shape)) is not None and found == found
            for shape, possible in zip(shapes.to_pylist(), is_possible, strict=True)
        ]
    )
    rows = np.flatnonzero(is_number[coded.indices.to_numpy(zero_copy_only=False)])
    chosen = texts.take(pa.array(rows))
    digits = pc.replace_substring_regex(chosen, f"[^0-9{decimal}]", "")
    sizes = pc.cast(pc.replace_substring(digits, decimal, "."), pa.float64()).to_numpy(zero_copy_only=False)
    is_negative = pc.match_substring_regex(chosen, "[(\u2212-]").to_numpy(zero_copy_only=False)
    numbers[rows] = np.where(is_negative, 0.0 - sizes, sizes)
    return numbers


def _texts(levels: Sequence[Level]) -> Any:
    """The texts among many levels as an Arrow array; None of few, and of letters that Arrow does not know."""
    if len(levels) < MANY:
        return None
    import pyarrow as pa

    try:
        return pa.array([level for level in levels if isinstance(level, str)], pa.large_string())
    except UnicodeEncodeError:
        return None


def _shapes(texts: Any) -> Any:
    import pyarrow.compute as pc

    return pc.replace_substring_regex(texts, "[1-9]", "9")


def _could_be_numbers(texts: Any) -> Any:
    """Digits and marks with a little around them: nothing that could be a time, and few enough digits to be exact."""
    import pyarrow.compute as pc

    is_short = pc.less_equal(pc.utf8_length(texts), _MOST_LETTERS)
    is_plain = pc.and_(pc.match_substring_regex(texts, _POSSIBLE), pc.match_substring_regex(texts, _FIFTEEN))
    return pc.and_(is_short, is_plain)
