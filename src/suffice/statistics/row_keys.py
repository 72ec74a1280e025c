"""Hashes of rows: 64 bits that depend on what is in a row, not on where it stands."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from suffice.kernels.row_keys import mix_codes, mix_columns, mix_rows
from suffice.machine.threads import over_parts
from suffice.schema import AnyArray, Array, Batch, Codes, Schema
from suffice.schema.bags import Bags
from suffice.statistics.orders import key_order

LEAST_ROWS = 100_000  # for a thread
MANY_COLUMNS = 32
FEW_COLUMNS = 8  # of numbers, of levels and of text each


def few_columns(schema: Schema) -> int | None:
    """So many columns of a kind mostly tell the rows of a wide table apart; of a narrow one all are looked at."""
    return FEW_COLUMNS if len(schema.columns) > MANY_COLUMNS else None


def row_keys(batch: Batch, seed: int, with_target: bool = False, most_columns: int | None = None) -> AnyArray:
    """A number for every row that depends on the seed and its cells: the same for equal rows, otherwise as if drawn.

    With the target, rows of one key are equal but for their weights: a row is the same whatever it counts for. No more
    than `most_columns` of each kind are looked at: of numbers those with fractions before others.

    >>> from suffice.schema import Numeric, Schema
    >>> rows = Batch(Schema((Numeric("x"),), Numeric("y")), np.array([[1.0], [2.0], [1.0]]), np.empty((0, 3), np.int32))
    >>> keys = row_keys(rows, 0)
    >>> bool(keys[0] == keys[2]), bool(keys[0] == keys[1])
    (True, False)
    """
    columns = None if most_columns is None else _telling(batch.schema, most_columns)
    keys = _cell_keys(batch.numeric, batch.codes[:most_columns], seed, columns)
    for bags in batch.texts[:most_columns]:
        _mix_numbers(_word_sums(bags)[:, None].view(np.float64), keys)
    if with_target:
        if batch.classes is not None:
            _mix_codes(batch.classes[None, :], keys)
        if batch.response is not None:
            _mix_numbers(batch.response[:, None], keys)
    of_rows: AnyArray = keys[0]
    return of_rows


def order_of_cells(numbers: Array, codes: Codes, seed: int) -> Codes:
    """An order of rows of numbers (row, column) and codes (column, row) that depends on what is in them."""
    return key_order(_cell_keys(numbers, codes, seed)[0])


def in_key_order(batch: Batch, seed: int) -> Batch:
    """The rows in an order that depends on what is in them: the same for whatever order they come in."""
    return batch.take(key_order(row_keys(batch, seed, with_target=True)))


def _telling(schema: Schema, most_columns: int) -> AnyArray:
    """Where the columns of numbers stand that are looked at."""
    places = range(len(schema.numeric))
    fractions_first = sorted(places, key=lambda place: not schema.numeric[place].has_fractions)
    return np.array(sorted(fractions_first[:most_columns]), dtype=np.int64)


def _cell_keys(numbers: Array, codes: Codes, seed: int, columns: AnyArray | None = None) -> AnyArray:
    begin = np.array([[seed % 2**64]], dtype=np.uint64)
    mix_columns(np.zeros((1, 1), dtype=np.uint64), np.zeros(1, dtype=np.int64), 0, 1, begin)
    keys = np.full((1, len(numbers)), begin[0, 0])
    _mix_numbers(numbers, keys, columns)
    _mix_codes(codes, keys)
    return keys


def _mix_numbers(numbers: Array, keys: AnyArray, columns: AnyArray | None = None) -> None:
    """Mix in all columns, or some; they stay where they are, which is quicker than to copy a few."""
    chosen = np.arange(numbers.shape[1], dtype=np.int64) if columns is None else columns
    is_by_column = not numbers.flags.c_contiguous and numbers.T.flags.c_contiguous
    mix, words = (mix_columns, numbers.T) if is_by_column else (mix_rows, np.ascontiguousarray(numbers))
    words = words.view(np.uint64)
    over_parts(lambda begin, end: mix(words, chosen, begin, end, keys), keys.shape[1], LEAST_ROWS)


def _mix_codes(codes: Codes, keys: AnyArray) -> None:
    whole = np.ascontiguousarray(codes, dtype=np.int32)
    over_parts(lambda begin, end: mix_codes(whole, begin, end, keys), keys.shape[1], LEAST_ROWS)


def _word_sums(bags: Bags) -> AnyArray:
    """For every text the sum of its words' keys, each so many times: the order of the words does not matter."""
    of_word = np.array([_word_key(word) for word in bags.words], dtype=np.uint64)
    times = bags.times.view(np.uint64)
    terms = (of_word[bags.places] ^ times) * np.uint64(0x9E3779B97F4A7C15)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
    return np.where(bags.is_missing, np.uint64(1), sums[bags.starts[1:]] - sums[bags.starts[:-1]])


def _word_key(word: str) -> int:
    """The same in every process, as Python's own is not."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
