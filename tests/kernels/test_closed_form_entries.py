"""Entries of the closed-form kernels refuse arrays that do not fit together, whichever of them is too short."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from suffice.kernels.counting_sort import order_codes
from suffice.kernels.dealing import deal_in_turn
from suffice.kernels.density_sums import add_densities, score_rows
from suffice.kernels.indicators import expand_rows
from suffice.kernels.kernel_density import log_density
from suffice.kernels.known_dimensions import score_known
from suffice.kernels.levels import add_levels
from suffice.kernels.matrix_moments import add_around, centre_by_class
from suffice.kernels.metrics import area_between, find_probabilities_of_right, part_scores
from suffice.kernels.moments import is_far_from_zero, measure_moments, merge_cells
from suffice.kernels.radix_sort import order_hashes
from suffice.kernels.tails import add_powers
from suffice.kernels.target import look_up
from suffice.kernels.ties import find_largest
from suffice.kernels.variances import find_variance_floors

ROWS, COLUMNS, CLASSES = 6, 3, 2
X, WEIGHTS = np.ones((ROWS, COLUMNS)), np.ones(ROWS)
BY_CLASS, OF_CLASSES, MATRICES = np.ones((CLASSES, COLUMNS)), np.ones(CLASSES), np.ones((CLASSES * COLUMNS, COLUMNS))
OF_ROWS, SCORES = np.zeros(ROWS, dtype=np.int32), np.zeros((ROWS, CLASSES))
CODES, OFFSETS = np.zeros((2, ROWS), dtype=np.int32), np.array([0, 2, 4], dtype=np.int32)
PLACES, STARTS = np.arange(3, 7, dtype=np.int32), np.array([3, 5, 7], dtype=np.int32)
ORDER = np.arange(ROWS)
KEYS = np.arange(ROWS, dtype=np.uint64)

ENTRIES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (measure_moments, (X, OF_ROWS, WEIGHTS, 16, BY_CLASS, BY_CLASS, BY_CLASS)),
    (merge_cells, (BY_CLASS,) * 6),
    (add_powers, (X, OF_ROWS, WEIGHTS, *(BY_CLASS,) * 4)),
    (find_variance_floors, (BY_CLASS, np.ones(COLUMNS), 1.0, np.ones(COLUMNS), BY_CLASS)),
    (is_far_from_zero, (BY_CLASS,) * 3),
    (centre_by_class, (X, OF_ROWS, WEIGHTS, BY_CLASS, OF_CLASSES, BY_CLASS, np.zeros(CLASSES, dtype=np.int32), X)),
    (add_around, (OF_CLASSES, BY_CLASS, MATRICES, OF_CLASSES, BY_CLASS, MATRICES)),
    (expand_rows, (X, CODES, PLACES, OFFSETS, STARTS, np.ones((ROWS, 7)))),
    (find_largest, (X, 1e-10, ORDER)),
    (find_probabilities_of_right, (SCORES, OF_ROWS, 0.1, WEIGHTS)),
    (area_between, (WEIGHTS, WEIGHTS, WEIGHTS, WEIGHTS)),
    (add_levels, (CODES, OF_ROWS, OFFSETS, np.ones((4, CLASSES)), SCORES)),
    (add_densities, (X, OF_ROWS, BY_CLASS, BY_CLASS, BY_CLASS, np.ones(CLASSES), SCORES)),
    (score_rows, (X, np.ones(COLUMNS), BY_CLASS, np.ones(CLASSES), 1e150, SCORES)),
    (score_known, (X, BY_CLASS, np.eye(COLUMNS), np.ones(COLUMNS), np.ones(CLASSES), True, SCORES)),
    (order_hashes, (KEYS, OF_ROWS, 3, np.zeros(8, dtype=np.int32), KEYS, OF_ROWS)),
    (order_codes, (OF_ROWS, np.zeros(1, dtype=np.int64), OF_ROWS)),
    (part_scores, (WEIGHTS, np.ones(ROWS, dtype=np.uint8), WEIGHTS)),
    (log_density, (WEIGHTS, np.arange(4.0), np.ones(4), 0.5, np.empty(ROWS))),
]


@pytest.mark.parametrize(("entry", "given"), ENTRIES, ids=lambda value: getattr(value, "__name__", None) or "arrays")
def test_an_array_that_is_too_short_is_refused(entry: Callable[..., Any], given: tuple[Any, ...]):
    entry(*(np.copy(part) if isinstance(part, np.ndarray) else part for part in given))
    for place, array in enumerate(given):
        if isinstance(array, np.ndarray):
            changed = [np.copy(part) if isinstance(part, np.ndarray) else part for part in given]
            changed[place] = changed[place][..., :-1].copy() if array.shape[0] == 1 < array.ndim else array[:-1].copy()
            with pytest.raises(ValueError, match=r"."):
                entry(*changed)


def test_no_more_rows_are_dealt_than_there_is_room_for_nor_without_folds():
    with pytest.raises(ValueError, match="more rows than folds"):
        deal_in_turn(OF_ROWS, OF_ROWS, 0, OF_ROWS[:-1].copy())
    with pytest.raises(ValueError, match="not one of the turn"):
        deal_in_turn(OF_ROWS, OF_ROWS[:0], 0, OF_ROWS)


def test_a_code_for_every_label():
    with pytest.raises(ValueError, match="not one code for every label"):
        look_up(ORDER, 0, OF_ROWS, OF_ROWS[:-1].copy())
