"""Hashes of rows: 64 bits that depend on what is in a row's cells.

Cell by cell, key ← mix(key XOR cell), with the last steps of SplitMix64 as mix: equal rows have equal keys, and those
of others differ as if drawn. Of all spellings of zero, and of not-a-number, one counts.
"""

from __future__ import annotations

import cython
from cython.cimports.suffice.kernels.arrays import CodeTable, OutWordTable, Places, WordTable

if cython.compiled:
    from cython.cimports.suffice.kernels.fetching import fetch

ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
STEP = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
FIRST = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
SECOND = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
SIGN = cython.declare(cython.ulonglong, 0x8000000000000000)
INFINITE = cython.declare(cython.ulonglong, 0x7FF0000000000000)
MISSING = cython.declare(cython.ulonglong, 0x7FF8000000000000)
ABREAST = cython.declare(cython.Py_ssize_t, 64)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def mixed(key: cython.ulonglong) -> cython.ulonglong:
    """Mixing function of the hash: every bit of the result depends on every bit of the key."""
    key = (key + STEP) & ALL
    key = ((key ^ (key >> 30)) * FIRST) & ALL
    key = ((key ^ (key >> 27)) * SECOND) & ALL
    return key ^ (key >> 31)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def spelled_once(bits: cython.ulonglong) -> cython.ulonglong:
    """The bits of a number, of which -0 is 0 and every not-a-number is the same."""
    if bits == SIGN:
        return 0
    return MISSING if (bits & (SIGN ^ ALL)) > INFINITE else bits


@cython.cfunc
def require_columns(columns: Places, count: cython.Py_ssize_t) -> None:
    """An error where there are no columns at some of the places."""
    for place in range(columns.shape[0]):
        if not 0 <= columns[place] < count:
            raise ValueError("no column there")


def mix_rows(
    words: WordTable, columns: Places, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, keys: OutWordTable
) -> None:
    """Mix the bits of numbers (row, column), of the columns at some places, into the keys (0, row) of some rows.

    A key waits for the cell before, so that many rows are mixed abreast, as many as stay in the processor's cache;
    the next ones are asked for meanwhile.
    """
    if not 0 <= begin <= end <= words.shape[0] or keys.shape[1] != words.shape[0]:
        raise ValueError("not one key for every row")
    require_columns(columns, words.shape[1])
    first: cython.Py_ssize_t = begin
    fetched: cython.longlong = 0
    is_fetched: cython.bint = False
    with cython.nogil:
        while first < end:
            last = min(first + ABREAST, end)
            for place in range(columns.shape[0]):
                j = columns[place]
                is_fetched = place > 0 and place < columns.shape[0] - 1 and j < fetched + 8  # 64 bytes come at once
                fetched = fetched if is_fetched else j
                for i in range(first, last):
                    if cython.compiled and not is_fetched and i + ABREAST < end:
                        fetch(cython.address(words[i + ABREAST, j]))
                    cell = spelled_once(cython.cast(cython.ulonglong, words[i, j]))
                    keys[0, i] = mixed(cython.cast(cython.ulonglong, keys[0, i]) ^ cell)
            first = last


def mix_columns(
    words: WordTable, columns: Places, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, keys: OutWordTable
) -> None:
    """The same for numbers (column, row)."""
    if not 0 <= begin <= end <= words.shape[1] or keys.shape[1] != words.shape[1]:
        raise ValueError("not one key for every row")
    require_columns(columns, words.shape[0])
    with cython.nogil:
        for place in range(columns.shape[0]):
            j = columns[place]
            for i in range(begin, end):
                cell = spelled_once(cython.cast(cython.ulonglong, words[j, i]))
                keys[0, i] = mixed(cython.cast(cython.ulonglong, keys[0, i]) ^ cell)


def mix_codes(codes: CodeTable, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, keys: OutWordTable) -> None:
    """Mix codes (column, row) into the keys (0, row) of the rows from `begin` to `end`."""
    if not 0 <= begin <= end <= codes.shape[1] or keys.shape[1] != codes.shape[1]:
        raise ValueError("not one key for every row")
    with cython.nogil:
        for j in range(codes.shape[0]):
            for i in range(begin, end):
                cell = cython.cast(cython.ulonglong, cython.cast(cython.longlong, codes[j, i])) & ALL
                keys[0, i] = mixed(cython.cast(cython.ulonglong, keys[0, i]) ^ cell)
