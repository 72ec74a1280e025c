"""Factors: the parts of one prediction, one number per class, that add up to its log-joint."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.schema import Array
from suffice.schema.columns import number_text


@dataclass(frozen=True, slots=True)
class Factor:
    """Log-likelihood of one column (or the log prior) in each class, and how its probability or density reads."""

    name: str
    value: str
    log: Array  # (class,)
    texts: tuple[str, ...]  # per class, e.g. "2/9"


def fraction(numerator: float, denominator: float) -> str:
    """A fraction as it was counted.

    >>> fraction(2.0, 9.0)
    '2/9'
    """
    return f"{number_text(numerator)}/{number_text(denominator)}"


def fractions(numerators: Array, denominators: Array) -> tuple[str, ...]:
    """A fraction for each class."""
    return tuple(map(fraction, numerators, denominators))
