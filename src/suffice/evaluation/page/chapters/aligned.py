"""Numbers of one column, with as many decimals each, so that their points stand below one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, isfinite, log10

DIGITS = 3  # of the smallest number that counts
MOST_DECIMALS = 8


def decimals_of(numbers: Iterable[float], digits: int = DIGITS) -> int:
    """As many decimals as the smallest of the numbers needs for its digits.

    >>> decimals_of([14.29, 0.5519]), decimals_of([73_420.0])
    (3, 0)
    """
    sizes = [abs(number) for number in numbers if number and isfinite(number)]
    wanted = digits - 1 - floor(log10(min(sizes))) if sizes else 0
    return min(max(wanted, 0), MOST_DECIMALS)


def aligned(numbers: Sequence[float], decimals: int) -> list[str]:
    """The numbers with so many decimals and a minus as wide as a digit; far too small or large ones by their power.

    >>> aligned([1.25, -0.5, 4e-19, 0.0], 4), aligned([-12_345.678], 1), aligned([3e-7, 2e12], 4)
    (['1.2500', '−0.5000', '0.0000', '0.0000'], ['−12,345.7'], ['0.0000', '2e+12'])
    """
    texts = (f"{number:,.{decimals}f}" if abs(number) < 1e9 else f"{number:.4g}" for number in numbers)
    return [_signed(text) for text in texts]


def _signed(text: str) -> str:
    is_nothing = not text.strip("-0.,")
    return text.removeprefix("-") if is_nothing else text.replace("-", "−", 1) if text.startswith("-") else text
