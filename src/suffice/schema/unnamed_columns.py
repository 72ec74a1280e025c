"""What columns without names are called: x0, x1, …"""

from __future__ import annotations


def unnamed_column(place: object) -> str:
    """The column at a place, the first at 0.

    >>> unnamed_column(3)
    'x3'
    """
    return f"x{place}"


def unnamed_columns(count: int) -> tuple[str, ...]:
    """So many columns, in their order.

    >>> unnamed_columns(3)
    ('x0', 'x1', 'x2')
    """
    return tuple(map(unnamed_column, range(count)))
