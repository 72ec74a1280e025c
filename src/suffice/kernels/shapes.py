"""Log-scale histograms within each class: how often each number occurs, rounded down to 7 binary digits."""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import Numbers, OutNumbers, OutPlaces, PlaceMatrix, Places

CODE_BITS = cython.declare(cython.Py_ssize_t, 18)  # of a rounded number: sign, exponent and 6 bits of the fraction
BLOCK_BITS = cython.declare(cython.Py_ssize_t, 6)  # 64 neighbouring codes are looked at together, and 64 such blocks
BLOCKS = cython.declare(cython.Py_ssize_t, 4096)
INFINITY = cython.declare(cython.longlong, 0x7FF0000000000000)
NO_SIGN = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)


def tally_rounded(
    bits: PlaceMatrix,
    columns: Places,
    rows: Places,
    ends: Places,
    weights: Numbers,
    totals: OutNumbers,
    is_used: OutPlaces,
    cells: OutPlaces,
    weight: OutNumbers,
) -> int:
    """Write the cells of some columns in ascending order, and their weights; return how many.

    A cell is (place among the columns · classes + class) << 18 | code; `bits` are the doubles (row, column). `rows`
    has all rows, class by class, to `ends`. A number missing, or of no weight, does not count. `totals` (by code) and
    `is_used` (by block of 64 codes, and after them by 64 blocks) are scratch space, zero before and after: what nobody
    used is passed over, 4,096 codes at a time.
    """
    n = rows.shape[0]
    is_weighted: cython.bint = weights.shape[0] > 0
    if n != bits.shape[0] or (is_weighted and n != weights.shape[0]) or ends[ends.shape[0] - 1] != n:
        raise ValueError("not one class and weight for every row")
    if cells.shape[0] < n * columns.shape[0] or weight.shape[0] < n * columns.shape[0]:
        raise ValueError("no space for a cell of every row and column")
    for place in range(columns.shape[0]):
        if not 0 <= columns[place] < bits.shape[1]:
            raise ValueError("not a column of the table")
    if totals.shape[0] != 1 << CODE_BITS or is_used.shape[0] != BLOCKS + (BLOCKS >> BLOCK_BITS):
        raise ValueError("not one total for every code")
    found: cython.Py_ssize_t = 0
    with cython.nogil:
        for place in range(columns.shape[0]):
            begin: cython.Py_ssize_t = 0
            for own in range(ends.shape[0]):
                for i in range(begin, ends[own]):
                    code = code_of(bits[rows[i], columns[place]])
                    mass: cython.double = weights[rows[i]] if is_weighted else 1.0
                    if code >= 0 and mass > 0:
                        totals[code] += mass
                        is_used[code >> BLOCK_BITS] = 1
                        is_used[BLOCKS + (code >> (2 * BLOCK_BITS))] = 1
                if ends[own] > begin:
                    found = emptied(place * ends.shape[0] + own, totals, is_used, cells, weight, found)
                begin = ends[own]
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def code_of(bits: cython.longlong) -> cython.Py_ssize_t:
    """A whole number from 0 on, in the order of the doubles; -1 for NaN. Both zeros are one."""
    if (bits & NO_SIGN) > INFINITY:
        return -1
    ordered: cython.longlong = bits ^ ((bits >> 63) & NO_SIGN)  # no branch: signs are hard to foresee
    ordered += 1 if ordered == -1 else 0  # −0
    return (ordered >> (64 - CODE_BITS)) + (1 << (CODE_BITS - 1))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def emptied(
    group: cython.longlong,
    totals: OutNumbers,
    is_used: OutPlaces,
    cells: OutPlaces,
    weight: OutNumbers,
    found: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write the totals of a column and class after what was found, and make them zero again."""
    for blocks in range(BLOCKS >> BLOCK_BITS):
        if is_used[BLOCKS + blocks]:
            is_used[BLOCKS + blocks] = 0
            for block in range(blocks << BLOCK_BITS, (blocks + 1) << BLOCK_BITS):
                if is_used[block]:
                    is_used[block] = 0
                    for code in range(block << BLOCK_BITS, (block + 1) << BLOCK_BITS):
                        if totals[code] > 0:
                            cells[found] = group << CODE_BITS | code
                            weight[found] = totals[code]
                            totals[code] = 0.0
                            found += 1
    return found
