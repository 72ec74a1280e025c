"""Codes that share a byte are the codes that were put in, and counting bytes counts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice.kernels import tree_packing
from suffice.kernels.tree_counting import add_codes
from suffice.solve.trees.counted.packing import WORD, Packing, packing

COUNTS = [[2], [256], [257, 3], [4] * 9, [4, 256, 3, 16, 17, 5, 2, 1, 9], [16, 16, 16]]


def _packed(counts: list[int], rows: int = 200) -> tuple[Packing, Any, Any]:
    random = np.random.default_rng(len(counts))
    plain = np.stack([random.integers(0, count, rows) for count in counts], axis=1)
    packed = packing(np.array(counts))
    codes = packed.room(rows)
    for column in range(len(counts)):
        codes[:, packed.byte[column]] |= (plain[:, column] << packed.shift[column]).astype(codes.dtype)
    return packed, codes, plain


@pytest.mark.parametrize("counts", COUNTS)
def test_every_code_is_found_again(counts: list[int]) -> None:
    packed, codes, plain = _packed(counts)
    for column in range(len(counts)):
        found = np.empty(20, dtype=np.int32)
        tree_packing.read_codes(codes, tree_packing.Packing(packed), column, 10, found)
        np.testing.assert_array_equal(found, plain[10:30, column])


@pytest.mark.parametrize("counts", COUNTS)
def test_a_row_is_whole_words(counts: list[int]) -> None:
    packed, codes, _ = _packed(counts)
    assert codes.shape[1] * codes.itemsize % WORD == 0
    assert packed.bytes <= codes.shape[1] < packed.bytes + WORD


def test_columns_of_few_codes_share_a_byte_and_others_have_their_own() -> None:
    packed = packing(np.array([4, 4, 17, 4, 4, 4]))
    assert packed.byte.tolist() == [1, 1, 0, 1, 1, 2]
    assert np.diff(packed.begin).tolist() == [17, 256, 4]


@pytest.mark.parametrize("counts", COUNTS)
def test_counted_bytes_are_counted_codes(counts: list[int]) -> None:
    packed, codes, plain = _packed(counts)
    offset = np.concatenate([[0], np.cumsum(counts)])
    counted = np.zeros((packed.begin[-1], 1))
    for byte in range(packed.bytes):
        np.add.at(counted, packed.begin[byte] + codes[:, byte].astype(np.int64), 1.0)
    histogram, where = np.zeros((offset[-1], 1)), tree_packing.Packing(packed)
    add_codes(counted[:, 0].copy(), 1, where, offset, 0, packed.bytes, 1.0, histogram.reshape(-1), 0)
    expected = np.concatenate([np.bincount(plain[:, c], minlength=count) for c, count in enumerate(counts)])
    np.testing.assert_array_equal(histogram[:, 0], expected)
    half = packed.bytes // 2
    for first, last in ((0, half), (half, packed.bytes)):  # as threads share the bytes
        part = counted[packed.begin[first] : packed.begin[last], 0].copy()
        add_codes(part, 1, where, offset, first, last, -1.0, histogram.reshape(-1), 0)
    assert not histogram.any()
