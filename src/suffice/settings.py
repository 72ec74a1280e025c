"""Settings that are numbers: what counts as one, and what is said of anything else."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, TypeGuard

from suffice.errors import SettingError


def is_number(value: Any) -> TypeGuard[float]:
    """Whether it is a real number, of Python or NumPy; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value: Any, least: int = 0) -> TypeGuard[int]:
    """Whether it is a whole number of at least so much; True and False are none.

    >>> is_whole(3), is_whole(3.0), is_whole(True), is_whole(1, least=2)
    (True, False, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least


def require_whole(name: str, value: Any, least: int, otherwise: str = "") -> int:
    """A whole number of at least so much; the setting may be something else too, which is asked before."""
    if not is_whole(value, least):
        raise SettingError(f"{name} must be a whole number of at least {least}{otherwise}, not {value!r}.")
    return int(value)


def require_number(name: str, value: Any, of: str = "") -> float:
    """A finite number of at least 0, such as a weight of rows."""
    if not (is_number(value) and 0 <= value < float("inf")):
        raise SettingError(f"{name} must be a number of at least 0{of}, not {value!r}.")
    return float(value)
