"""Every entry to a kernel checks what it gets, before it reads or writes memory."""

import numpy as np
import pytest

from suffice.kernels.class_weights import add_class_weights
from suffice.kernels.counts import count_levels
from suffice.kernels.posterior import find_shares
from suffice.kernels.words import find_words

CLASSES, WEIGHTS, TOTAL = np.zeros(4, dtype=np.int32), np.ones(4), np.zeros(2)


@pytest.mark.parametrize(
    ("classes", "weights", "total"),
    [
        (CLASSES.astype(np.int64), WEIGHTS, TOTAL),
        (CLASSES, WEIGHTS.astype(np.float32), TOTAL),
        (CLASSES, np.ones(8)[::2], TOTAL),
        (CLASSES, WEIGHTS, np.zeros((2, 2))),
        (CLASSES, WEIGHTS[:3], TOTAL),
    ],
)
def test_another_type_order_or_shape_is_refused(classes, weights, total):
    with pytest.raises(ValueError, match=r"dtype mismatch|not C-contiguous|number of dimensions|not one weight"):
        add_class_weights(classes, weights, total)


def test_what_cannot_be_written_is_refused():
    total = np.zeros(2)
    total.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        add_class_weights(CLASSES, WEIGHTS, total)


def test_what_is_only_read_may_be_read_only():
    classes = CLASSES.copy()
    classes.flags.writeable = False
    total = np.zeros(2)
    add_class_weights(classes, WEIGHTS, total)
    assert total.tolist() == [4.0, 0.0]


@pytest.mark.parametrize("change", [{"offsets": [0, 2]}, {"offsets": [0, 2, 3]}, {"rows": 5}, {"weights": 3}])
def test_counts_that_do_not_fit_are_refused(change):
    codes, offsets = np.zeros((2, 4), dtype=np.int32), np.array(change.get("offsets", [0, 2, 4]), dtype=np.int32)
    classes, weights = np.zeros(change.get("rows", 4), dtype=np.int32), np.ones(change.get("weights", 4))
    with pytest.raises(ValueError, match=r"do not fit together|not one weight"):
        count_levels(codes, offsets, classes, weights, np.zeros((4, 2)))


@pytest.mark.parametrize(("instead", "shape"), [(2, (3, 3)), (3, (2, 3)), (3, (3, 2))])
def test_shares_that_do_not_fit_are_refused(instead, shape):
    with pytest.raises(ValueError, match="do not fit together"):
        find_shares(np.zeros((3, 3)), np.zeros(instead), False, np.empty(shape))


@pytest.mark.parametrize(
    "change",
    [
        {"bounds": [0, 4]},
        {"bounds": [1, 5]},
        {"ends": 2},
        {"tokens": 1},
        {"begins": 1},
        {"sizes": 1},
        {"slots": 6},
        {"slots": 2},
    ],
)
def test_texts_and_room_for_words_that_do_not_fit_are_refused(change):
    characters, is_of_word = np.zeros(5, dtype=np.int32), np.ones(1, dtype=bool)
    bounds, slots = np.array(change.get("bounds", [0, 5])), np.full(change.get("slots", 8), -1, dtype=np.int32)
    begins, sizes, ends = (
        np.empty(change.get(name, most), np.int64) for name, most in (("begins", 2), ("sizes", 2), ("ends", 1))
    )
    with pytest.raises(ValueError, match=r"do not fit together|not enough room"):
        find_words(
            characters, is_of_word, bounds, slots, begins, sizes, np.empty(change.get("tokens", 2), np.int32), ends
        )
