"""The minus sign of numbers on the page."""

from __future__ import annotations


def minus(text: str) -> str:
    """A number's text with a minus as wide as the plus, where it begins with one.

    >>> minus("-0.5"), minus("0.5"), minus("-"), minus("-1 to -0.5")
    ('−0.5', '0.5', '-', '−1 to -0.5')
    """
    is_number = text[:1] == "-" and text[1:2].isdigit()
    return f"−{text[1:]}" if is_number else text
