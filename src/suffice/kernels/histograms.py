"""Histograms of groups of numbers: each of as many binary digits as leave few cells.

A cell is all numbers with the same first digits. A few numbers are sorted. Of more, cells are found by hashing; when
there are too many, digits are dropped until there are few again. With the fewest digits, cells are an array of totals.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.suffice.kernels.arrays import Numbers, OutCodes, OutNumbers, OutPlaces, Places, PlaceTable
from cython.cimports.suffice.kernels.tree_sorting import SortSpace, sort_run

MOST_DIGITS = cython.declare(cython.Py_ssize_t, 53)  # of a double
MOST_DROPPED = cython.declare(cython.Py_ssize_t, 46)  # which leaves 7: sign, exponent and 6 bits of the fraction
CODE_BITS = cython.declare(cython.Py_ssize_t, 18)  # of a number without these
BLOCK_BITS = cython.declare(cython.Py_ssize_t, 6)  # 64 neighbouring codes are looked at together, and 64 such blocks
BLOCKS = cython.declare(cython.Py_ssize_t, 4096)
INFINITY = cython.declare(cython.longlong, 0x7FF0000000000000)
NO_SIGN = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
SPREADING = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # Knuth's multiplier: 2⁶⁴ ÷ the golden ratio


def tally_groups(
    numbers: PlaceTable,
    ends: Places,
    weights: Numbers,
    most: cython.Py_ssize_t,
    digits: OutPlaces,
    sizes: OutPlaces,
    cells: OutPlaces,
    weight: OutNumbers,
) -> int:
    """Write the cells of every group in ascending order, and their weights; return how many.

    `numbers` are the bits of doubles (column, row); a group is the rows of a column up to one of the `ends`. It keeps
    the largest number of `digits`, no more than given, that leave at most `most` cells, or the fewest. A cell is
    written as the bits of the lowest number in it. A number missing, or of no weight, does not count.
    """
    rows = numbers.shape[1]
    classes = ends.shape[0]
    groups = numbers.shape[0] * classes
    if (weights.shape[0] and weights.shape[0] != rows) or (classes and ends[classes - 1] != rows):
        raise ValueError("not one group and weight for every row")
    if cells.shape[0] < rows * numbers.shape[0] or weight.shape[0] < rows * numbers.shape[0]:
        raise ValueError("no space for a cell of every number")
    if digits.shape[0] != groups or sizes.shape[0] != groups or not 0 < most < 1 << 24:
        raise ValueError("not one number of digits and one size for every group")
    has_totals: cython.bint = False
    for group in range(groups):
        if not MOST_DIGITS - MOST_DROPPED <= digits[group] <= MOST_DIGITS:
            raise ValueError("more digits than a number has, or fewer than are kept")
        begin: cython.Py_ssize_t = ends[group % classes - 1] if group % classes else 0
        has_totals |= digits[group] == MOST_DIGITS - MOST_DROPPED or ends[group % classes] - begin > 2 * most
    space = Space(most, has_totals)
    found: cython.Py_ssize_t = 0
    with cython.nogil:
        for column in range(numbers.shape[0]):
            begin = 0
            for own in range(classes):
                end = ends[own]
                group = column * classes + own
                space.dropped = MOST_DIGITS - digits[group]
                add_numbers(space, numbers, column, begin, end, weights)
                sizes[group] = write_cells(space, cells, weight, found)
                digits[group] = MOST_DIGITS - space.dropped if sizes[group] else MOST_DIGITS
                found += sizes[group]
                begin = end
    return found


def find_cells(numbers: Numbers, ends: Places, lowest: Numbers, lowest_ends: Places, places: OutPlaces) -> None:
    """Where the cell of each number stands among those of its group: the last whose lowest number is not above it."""
    if places.shape[0] != numbers.shape[0] or lowest_ends.shape[0] != ends.shape[0]:
        raise ValueError("not one place for every number, or not the same groups")
    groups = ends.shape[0]
    if groups and (ends[groups - 1] != numbers.shape[0] or lowest_ends[groups - 1] != lowest.shape[0]):
        raise ValueError("groups do not end where numbers do")
    begin: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0
    with cython.nogil:
        for group in range(groups):
            for i in range(begin, ends[group]):
                low: cython.Py_ssize_t = first
                high: cython.Py_ssize_t = lowest_ends[group]
                while high - low > 1:
                    middle = (low + high) >> 1
                    if lowest[middle] <= numbers[i]:
                        low = middle
                    else:
                        high = middle
                places[i] = low
            begin, first = ends[group], lowest_ends[group]


@cython.cclass
class Space:
    """Room for one group: cells by slot, the same in order, and maybe totals by code, all empty between groups.

    Twice as many cells as may be left are found before any digits are dropped.
    """

    most: cython.Py_ssize_t
    dropped: cython.Py_ssize_t  # digits
    count: cython.Py_ssize_t  # cells that have a slot, or are in order
    hash_bits: cython.Py_ssize_t
    keys: OutPlaces  # (slot,) the digits left
    masses: OutNumbers  # (slot,) the weight, 0 where the slot is free
    used: OutCodes  # (cell,) its slot
    lowest: OutNumbers  # (cell,) its lowest number
    lowest_bits: OutPlaces  # the same as bits
    codes: OutPlaces  # (cell,) in order: the digits left
    sums: OutNumbers  # (cell,) in order: the weight
    totals: OutNumbers  # (code,)
    is_used: OutPlaces  # (block of 64 codes,), and after them (64 blocks,)
    sorting: SortSpace

    def __init__(self, most: Any, has_totals: Any) -> None:
        self.most, self.dropped, self.count, self.hash_bits = most, 0, 0, 6
        while 1 << self.hash_bits < 4 * most:
            self.hash_bits += 1
        room = 2 * most + 1
        self.keys, self.masses = np.empty(1 << self.hash_bits, dtype=np.int64), np.zeros(1 << self.hash_bits)
        self.used, self.sorting = np.empty(room, dtype=np.int32), SortSpace(room)
        lowest = np.empty(room)
        self.lowest, self.lowest_bits = lowest, lowest.view(np.int64)
        self.codes, self.sums = np.empty(room, dtype=np.int64), np.empty(room)
        blocks = BLOCKS + (BLOCKS >> BLOCK_BITS) if has_totals else 0
        self.totals, self.is_used = np.zeros(blocks and 1 << CODE_BITS), np.zeros(blocks, dtype=np.int64)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_numbers(
    space: Space,
    numbers: PlaceTable,
    column: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    weights: Numbers,
) -> cython.void:
    """Put the numbers of a group into their cells; digits are dropped where these become too many."""
    keys, masses, used, totals, is_used = space.keys, space.masses, space.used, space.totals, space.is_used
    is_weighted: cython.bint = weights.shape[0] > 0
    are_few: cython.bint = end - begin <= 2 * space.most
    dropped = space.dropped
    shift = 64 - space.hash_bits
    last_slot = (1 << space.hash_bits) - 1
    count: cython.Py_ssize_t = 0
    for i in range(begin, end):
        bits = numbers[column, i]
        mass: cython.double = weights[i] if is_weighted else 1.0
        if (bits & NO_SIGN) > INFINITY or not mass > 0:
            continue
        key = ordered(bits) >> dropped
        if dropped == MOST_DROPPED:
            add_total(key, mass, totals, is_used)
        elif are_few:
            keys[count] = key
            masses[count] = mass
            used[count] = count
            count += 1
        else:
            count += add_hashed(key, mass, shift, last_slot, keys, masses, used, count)
            if count > 2 * space.most:
                space.count = count
                put_in_order(space)
                dropped = space.dropped
                count = space.count if dropped < MOST_DROPPED else 0
                for cell in range(space.count):
                    if dropped == MOST_DROPPED:
                        add_total(space.codes[cell], space.sums[cell], totals, is_used)
                    else:
                        add_hashed(space.codes[cell], space.sums[cell], shift, last_slot, keys, masses, used, cell)
    space.count = count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ordered(bits: cython.longlong) -> cython.longlong:
    """A whole number in the order of the doubles; both zeros are one."""
    number: cython.longlong = bits ^ ((bits >> 63) & NO_SIGN)  # no branch: signs are hard to foresee
    number += 1 if number == -1 else 0  # −0
    return number


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bits_of(number: cython.longlong) -> cython.longlong:
    """The double that an ordered whole number stands for."""
    return number ^ ((number >> 63) & NO_SIGN)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_hashed(
    key: cython.longlong,
    mass: cython.double,
    shift: cython.Py_ssize_t,
    last_slot: cython.Py_ssize_t,
    keys: OutPlaces,
    masses: OutNumbers,
    used: OutCodes,
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Add to the cell of a key; returns 1 if the cell is new, the one after `count` others."""
    word: cython.ulonglong = cython.cast(cython.ulonglong, key & NO_SIGN)
    slot: cython.Py_ssize_t = ((word * SPREADING) & ALL) >> shift
    while masses[slot] > 0 and keys[slot] != key:
        slot = (slot + 1) & last_slot
    if masses[slot] > 0:
        masses[slot] += mass
        return 0
    keys[slot] = key
    masses[slot] = mass
    used[count] = slot
    return 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_total(key: cython.longlong, mass: cython.double, totals: OutNumbers, is_used: OutPlaces) -> cython.void:
    """Add to the total of a key of the fewest digits."""
    code = key + (1 << (CODE_BITS - 1))
    totals[code] += mass
    is_used[code >> BLOCK_BITS] = 1
    is_used[BLOCKS + (code >> (2 * BLOCK_BITS))] = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_in_order(space: Space) -> cython.void:
    """Empty the cells into ascending ones, without the digits that leave too many."""
    keys, masses, used, codes, sums = space.keys, space.masses, space.used, space.codes, space.sums
    for cell in range(space.count):
        space.lowest_bits[cell] = bits_of(keys[used[cell]] << space.dropped)
    sort_run(space.sorting, space.lowest, used, 0, space.count)
    for cell in range(space.count):
        codes[cell] = keys[used[cell]]
        sums[cell] = masses[used[cell]]
        masses[used[cell]] = 0.0
    drop(space, 0)  # numbers that were not hashed may be equal
    if space.count > space.most:
        drop(space, more_dropped(space))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def drop(space: Space, more: cython.Py_ssize_t) -> cython.void:
    """Drop more digits of the cells in order; those that become equal are one."""
    codes, sums = space.codes, space.sums
    last: cython.Py_ssize_t = -1
    for cell in range(space.count):
        code = codes[cell] >> more
        if last >= 0 and codes[last] == code:
            sums[last] += sums[cell]
        else:
            last += 1
            codes[last] = code
            sums[last] = sums[cell]
    space.count = last + 1
    space.dropped += more


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def more_dropped(space: Space) -> cython.Py_ssize_t:
    """How many digits more must be dropped to leave few cells of those in order."""
    codes = space.codes
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = MOST_DROPPED - space.dropped
    while low < high:
        middle = (low + high) >> 1
        different: cython.Py_ssize_t = 1
        for cell in range(1, space.count):
            different += (codes[cell] >> middle) != (codes[cell - 1] >> middle)
        if different > space.most:
            low = middle + 1
        else:
            high = middle
    return low


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_cells(space: Space, cells: OutPlaces, weight: OutNumbers, found: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Write the cells of a group after what was found, and empty them; returns how many."""
    if space.dropped == MOST_DROPPED:
        return write_totals(space, cells, weight, found)
    put_in_order(space)
    for cell in range(space.count):
        cells[found + cell] = bits_of(space.codes[cell] << space.dropped)
        weight[found + cell] = space.sums[cell]
    return space.count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_totals(space: Space, cells: OutPlaces, weight: OutNumbers, found: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The same where they are totals: what nobody used is passed over, 4,096 codes at a time."""
    totals, is_used = space.totals, space.is_used
    at = found
    for blocks in range(BLOCKS >> BLOCK_BITS):
        if is_used[BLOCKS + blocks]:
            is_used[BLOCKS + blocks] = 0
            for block in range(blocks << BLOCK_BITS, (blocks + 1) << BLOCK_BITS):
                if is_used[block]:
                    is_used[block] = 0
                    for code in range(block << BLOCK_BITS, (block + 1) << BLOCK_BITS):
                        if totals[code] > 0:
                            number: cython.longlong = code - (1 << (CODE_BITS - 1))
                            cells[at] = bits_of(number << MOST_DROPPED)
                            weight[at] = totals[code]
                            totals[code] = 0.0
                            at += 1
    return at - found
