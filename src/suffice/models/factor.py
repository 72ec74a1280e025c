"""Factors: the parts of one prediction, one number per class, that add up to its log-joint."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.schema import Array


@dataclass(frozen=True, slots=True)
class Factor:
    """What one column (or the prior) contributes: ln of its probability or density in each class, and how it reads."""

    name: str
    value: str
    log: Array  # (class,)
    texts: tuple[str, ...]  # per class, e.g. "2/9"


def number(value: float) -> str:
    """A number as people write it: 9, 2.5, 1e-12.

    >>> number(9.0), number(0.000123456), number(2.5)
    ('9', '0.000123456', '2.5')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.6g}"


def fraction(numerator: float, denominator: float) -> str:
    """A fraction as it was counted.

    >>> fraction(2.0, 9.0)
    '2/9'
    """
    return f"{number(numerator)}/{number(denominator)}"
