"""Settings that are numbers or choices: what counts as one, and what is said of anything else."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, TypeGuard

from suffice.errors import SettingError, did_you_mean
from suffice.shown import quoted


def is_number(value: Any) -> TypeGuard[float]:
    """Whether it is a real number, of Python or NumPy; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_positive(value: Any) -> TypeGuard[float]:
    """Whether it is a finite number above 0."""
    return is_number(value) and 0 < value < float("inf")


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


def require_whole_or_none(name: str, value: Any, least: int, without: str = "") -> int | None:
    """A whole number of at least so much, or None, which stands for something: `without` says what."""
    return None if value is None else require_whole(name, value, least, f", or None{without}")


def require_number(name: str, value: Any, of: str = "") -> float:
    """A finite number of at least 0, such as a weight of rows."""
    if not (is_number(value) and 0 <= value < float("inf")):
        raise SettingError(f"{name} must be a number of at least 0{of}, not {value!r}.")
    return float(value)


def require_positive(name: str, value: Any) -> float:
    """A finite number above 0."""
    if not is_positive(value):
        raise SettingError(f"{name} must be a number above 0, not {value!r}.")
    return float(value)


def require_one_of(name: str, value: Any, known: Iterable[Any]) -> Any:
    """One of the choices, which are texts or whole numbers, or None; True and False are none."""
    choices = list(known)
    is_choice = isinstance(value, (str, Integral, type(None))) and not isinstance(value, bool)
    if not (is_choice and value in choices):
        texts = [choice for choice in choices if isinstance(choice, str)]
        hint = did_you_mean(value, texts) if isinstance(value, str) else ""
        raise SettingError(f"{name} must be one of {quoted(choices)}, not {value!r}.{hint}")
    return choices[choices.index(value)]
