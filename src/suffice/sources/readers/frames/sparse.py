"""Sparse matrices, such as document-term matrices: rows are bags of words, columns are the words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from suffice.errors import TableError
from suffice.schema import Bags, Chunk
from suffice.schema.bags import of_matrix
from suffice.schema.unnamed_columns import unnamed_columns
from suffice.sources.reader import CHUNK_ROWS, LocalReader
from suffice.sources.readers.frames.array import require_matrix

MATRIX = "x"  # what the one column is called that a sparse matrix is


class SparseReader(LocalReader):
    """Reads a sparse matrix, such as a vectoriser's, as one column of text; its words are x0, x1, …

    >>> chunk = next(SparseReader(csr_array([[0, 2], [1, 0]])).chunks())
    >>> chunk.texts["x"].words, chunk.texts["x"].times.tolist()
    (('x0', 'x1'), [2.0, 1.0])
    """

    names = (MATRIX,)

    def __init__(self, matrix: Any) -> None:
        require_matrix(matrix)
        self._matrix = csr_array(matrix, dtype=np.float64, copy=False)
        if not np.isfinite(self._matrix.data).all():
            raise TableError("Input X contains NaN or infinity. A sparse matrix holds counts, or 0 and 1.")

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self._matrix.shape[0])

    @cached_property
    def _bags(self) -> Bags:
        matrix = self._matrix
        if not matrix.has_canonical_format or not np.all(matrix.data):
            matrix = matrix.copy()
            matrix.sum_duplicates()
            matrix.eliminate_zeros()
        return of_matrix(unnamed_columns(matrix.shape[1]), matrix)

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """Slices of the matrix."""
        for start in range(0, self.rows, rows):
            stop = min(start + rows, self.rows)
            yield Chunk(stop - start, texts={MATRIX: self._bags.take(slice(start, stop))})
