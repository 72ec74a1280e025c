"""The numbers of a batch as kernels read them: one line of memory, whichever way the matrix stands in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.machine.threads import over_parts
from suffice.schema import Array, Batch, Codes

ROW_BLOCK = 256  # rows that are turned at once: they stay in the processor's cache
LEAST_TURNED = 10_000  # rows that are worth a thread


class Numbers(NamedTuple):
    """A matrix of numbers, row by row or column by column: a kernel reads both alike.

    >>> Numbers.of(np.array([[1.0, 2.0], [3.0, 4.0]]).T).line.tolist()
    [1.0, 2.0, 3.0, 4.0]
    """

    line: Array
    row_step: int  # from a number to the one of the next row
    column_step: int  # from a number to the one of the next column

    @classmethod
    def of(cls, matrix: Array) -> Numbers:
        """The numbers of a matrix, not copied where they stand close together."""
        rows, columns = matrix.shape
        if matrix.flags.f_contiguous and not matrix.flags.c_contiguous:
            return cls(matrix.T.reshape(-1), 1, rows)
        return cls(np.ascontiguousarray(matrix).reshape(-1), columns, 1)

    @property
    def is_by_column(self) -> bool:
        """Whether the numbers of a column stand side by side."""
        return self.row_step == 1

    def by_column(self) -> Numbers:
        """The same numbers, those of a column side by side: quicker where a column is looked at by itself."""
        if self.is_by_column:
            return self
        matrix = self.line.reshape(-1, self.row_step)
        columns = np.empty(matrix.shape[::-1])

        def turn(first: int, last: int) -> None:
            for begin in range(first, last, ROW_BLOCK):
                end = min(begin + ROW_BLOCK, last)
                columns[:, begin:end] = matrix[begin:end].T

        over_parts(turn, len(matrix), LEAST_TURNED)
        return Numbers(columns.reshape(-1), 1, len(matrix))


def numbers_and_codes(batch: Batch) -> tuple[Numbers, Codes]:
    """The cells of a batch as kernels read them."""
    return Numbers.of(batch.numeric), np.ascontiguousarray(batch.codes)
