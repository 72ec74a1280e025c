"""How much of a model is described: the beginning of long tables, or all of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Extent:
    """The most rows of a table, lines of a tree, columns of a matrix, and words of a class."""

    rows: int = 60
    lines: int = 1000
    dimensions: int = 12
    words: int = 12
    classes: int = 20

    @classmethod
    def of(cls, is_full: bool) -> Extent:
        """Everything, or what a reader wants to see at first.

        >>> Extent.of(is_full=False).rows, Extent.of(is_full=True).rows > 10**9
        (60, True)
        """
        return cls(*[sys.maxsize] * 5) if is_full else cls()


BRIEF = Extent()
