"""Log-likelihood of categorical columns: the logarithms of levels' probabilities, added up."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Codes, CodeTable, NumberTable, OutNumberTable


def add_levels(codes: CodeTable, block: Codes, offsets: Codes, table: NumberTable, total: OutNumberTable) -> None:
    """total[i, k] += table[offset_j + code_ij, k]; code -1 is missing and adds nothing.

    With blocks of classes, k is counted from the first class of the row's block.
    """
    classes, has_blocks = total.shape[1], cython.cast(cython.bint, block.shape[0] > 0)
    if codes.shape[1] != total.shape[0] or (has_blocks and block.shape[0] != total.shape[0]):
        raise ValueError("not as many rows everywhere")
    if offsets.shape[0] != codes.shape[0] + 1 or offsets[codes.shape[0]] != table.shape[0]:
        raise ValueError("codes, offsets and table do not fit together")
    if table.shape[1] < classes:
        raise ValueError("not as many classes everywhere")
    with cython.nogil:
        for j in range(codes.shape[0]):
            offset = offsets[j]
            for i in range(codes.shape[1]):
                code = codes[j, i]
                first = block[i] * classes if has_blocks else 0
                if code >= 0:
                    for k in range(classes):
                        total[i, k] += table[offset + code, first + k]
