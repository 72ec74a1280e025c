"""What a part of a model must be, for a model that was read from a file to be a sound one.

Every type that a model file may hold has a method `require_sound`, made of these checks. They raise `ValueError`,
which says what is wrong; reading a file turns that into a `ModelFileError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import Any

import numpy as np

LARGEST = 1e300  # beyond this a sum of two numbers could overflow
ROUNDING = 1e-9


def require_numbers(
    what: str,
    array: Any,
    shape: tuple[int, ...],
    least: float = -LARGEST,
    most: float = LARGEST,
    may_lack: Any = False,
) -> None:
    """Floats of a shape, finite and within bounds; where `may_lack` holds, one may also be unknown (NaN)."""
    if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.shape != shape:
        raise ValueError(f"the {what} are not {shape} numbers")
    is_right = (array >= least) & (array <= most)
    if not is_right.all() and not (is_right | (np.isnan(array) & may_lack)).all():
        raise ValueError(f"some of the {what} are not finite, or not as large or small as they can be")


def require_flags(what: str, array: Any, shape: tuple[int, ...]) -> None:
    """Truth values of a shape."""
    if not isinstance(array, np.ndarray) or array.dtype != np.bool_ or array.shape != shape:
        raise ValueError(f"the {what} are not {shape} truth values")


def require_codes(what: str, array: Any, shape: tuple[int, ...], least: int, most: int, kind: Any = np.int32) -> None:
    """Whole numbers of a shape, from `least` to `most`."""
    if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape:
        raise ValueError(f"the {what} are not {shape} whole numbers")
    if array.size and not (least <= int(array.min()) and int(array.max()) <= most):
        raise ValueError(f"the {what} are not from {least} to {most}")


def require_ascending(what: str, array: Any) -> None:
    """Finite numbers in a row, each larger than the one before."""
    require_numbers(what, array, (len(array),) if isinstance(array, Sized) else (0,))
    if not np.all(array[1:] > array[:-1]):
        raise ValueError(f"the {what} are not in ascending order")


def require_whole(what: str, number: Any, least: int = 0, most: int = 1 << 62) -> None:
    """One whole number."""
    if type(number) is not int or not least <= number <= most:
        raise ValueError(f"the {what} is {number!r:.60}, not a whole number from {least} on")


def require_number(what: str, number: Any, least: float = -LARGEST, most: float = LARGEST) -> None:
    """One finite number."""
    if type(number) not in (int, float) or not least <= number <= most:
        raise ValueError(f"the {what} is {number!r:.60}")


def require_a(what: str, value: Any, kinds: Any) -> None:
    """A value of one of some types."""
    if not isinstance(value, kinds):
        raise ValueError(f"the {what} is a {type(value).__name__}")


def require_tuple(what: str, value: Any, kinds: Any, length: int | None = None) -> None:
    """A tuple of values of some types, so many."""
    if not isinstance(value, tuple) or (length is not None and len(value) != length):
        raise ValueError(f"there are not as many {what} as there should be")
    for part in value:
        require_a(what, part, kinds)


def require_distinct(what: str, values: Iterable[Any]) -> None:
    """No value twice."""
    listed = list(values)
    if len(set(listed)) != len(listed):
        raise ValueError(f"some of the {what} are there twice")


def require_same(what: str, first: Any, second: Any) -> None:
    """Two parts must speak of the same thing."""
    if first is not second and first != second:
        raise ValueError(f"the {what} do not fit together")


def require_shares(what: str, array: Any, shape: tuple[int, ...]) -> None:
    """Probabilities that add up to 1."""
    require_numbers(what, array, shape, 0.0, 1.0)
    if abs(float(array.sum()) - 1.0) > ROUNDING:
        raise ValueError(f"the {what} do not add up to 1")


def require_symmetric(what: str, matrices: Any, shape: tuple[int, ...], least: float = -1e-3) -> None:
    """Symmetric matrices, in standard units without an eigenvalue below `least`: sums from which rows were taken out
    have lost digits.
    """
    require_numbers(what, matrices, shape)
    if not matrices.size:
        return
    diagonal = np.diagonal(matrices, axis1=-2, axis2=-1)
    if np.any(diagonal < 0):
        raise ValueError(f"the {what} have negative squares")
    root = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    with np.errstate(over="ignore", invalid="ignore"):
        standard = matrices / root[..., :, None] / root[..., None, :]
    if not np.allclose(standard, np.swapaxes(standard, -2, -1), rtol=0.0, atol=1e-6):
        raise ValueError(f"the {what} are not symmetric")
    try:
        np.linalg.cholesky(standard - least * np.eye(matrices.shape[-1]))
    except np.linalg.LinAlgError as error:
        raise ValueError(f"the {what} are those of no rows: they have a negative eigenvalue") from error
