"""The kernels of logistic regression check what they get, before they read or write memory."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from kernel_cases import some_rows, some_shares, some_terms

from suffice.kernels.hessian import add_border, add_coded_hessian, scale_to_pairs, spread_rows
from suffice.kernels.left_out import left_out_loss
from suffice.kernels.log_likelihood import (
    add_hessian_product,
    log_likelihood_of_plain_rows,
    log_likelihood_of_rows,
    score_rows,
)
from suffice.kernels.newton_steps import take_full_steps
from suffice.kernels.occurrences import sum_powers
from suffice.kernels.perceptron_sums import correct_rows, count_mistakes
from suffice.kernels.terms import Terms, read_rows
from suffice.kernels.weighing import weigh_rows

TERMS = some_terms(np.random.default_rng(0))
NUMERIC, CODES = some_rows(np.random.default_rng(0), 4)
SHARES = some_shares(np.random.default_rng(0), 4)
NONE, CLASSES, ORDER = np.empty(0), np.zeros(4, dtype=np.int32), np.arange(4)
DENSE, CODED, PLACES = np.zeros((2, 6)), np.zeros((24, 2)), np.zeros((4, 1), dtype=np.int32)

ENTRIES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "read_rows": (read_rows, (TERMS, NUMERIC, CODES, np.empty((4, 6)), np.empty((4, 3), dtype=np.int32))),
    "weigh_rows": (weigh_rows, (np.zeros((4, 2)), CLASSES, NONE, np.empty((4, 2)))),
    "score_rows": (score_rows, (TERMS, NUMERIC, CODES, DENSE, CODED, np.empty((4, 2)))),
    "log_likelihood_of_rows": (
        log_likelihood_of_rows,
        (TERMS, NUMERIC, CODES, CLASSES, NONE, DENSE, CODED, DENSE.copy(), CODED.copy(), SHARES.copy()),
    ),
    "log_likelihood_of_plain_rows": (
        log_likelihood_of_plain_rows,
        (NUMERIC, CLASSES, NONE, np.zeros((1, 2)), np.zeros(1), np.zeros((1, 2)), np.zeros(1), np.empty((4, 1))),
    ),
    "add_hessian_product": (
        add_hessian_product,
        (TERMS, NUMERIC, CODES, NONE, SHARES, DENSE, CODED, DENSE.copy(), CODED.copy()),
    ),
    "spread_rows": (spread_rows, (TERMS, NUMERIC, SHARES, NONE, 0, np.empty((4, 12)))),
    "scale_to_pairs": (scale_to_pairs, (TERMS, NUMERIC, SHARES, NONE, 0, 4, False, np.empty((12, 8)))),
    "add_coded_hessian": (
        add_coded_hessian,
        (TERMS, NUMERIC, CODES, SHARES, NONE, np.zeros((48, 48)), np.zeros((48, 12))),
    ),
    "add_border": (add_border, (TERMS, NUMERIC, CODES, CLASSES, SHARES, NONE, np.zeros((16, 30)), np.zeros((4, 4)))),
    "sum_powers": (sum_powers, (TERMS, NUMERIC, CODES, NONE, np.zeros((6, 2)), np.zeros((24, 2)))),
    "correct_rows": (correct_rows, (np.zeros((4, 6)), PLACES, CLASSES, NONE, ORDER, DENSE.copy(), CODED.copy())),
    "take_full_steps": (
        take_full_steps,
        (
            *(NUMERIC[:, :2].copy(), CLASSES, NONE, np.ones(2), 0.0, 1e-8, np.inf, 1e-4, 1e-13, 1e-11),
            *(np.zeros((9, 2)), np.empty((9, 2)), np.empty((9, 2)), np.empty((2, 2))),
        ),
    ),
    "left_out_loss": (
        left_out_loss,
        (np.zeros((4, 2)), np.zeros((4, 4)), np.ones(4), CLASSES, np.ones(4)),
    ),
    "count_mistakes": (count_mistakes, (np.zeros((4, 6)), PLACES, CLASSES, NONE, DENSE, CODED, 1.0)),
}
FREE = {("correct_rows", 4)}  # any rows in any order
ARRAYS = [
    (name, position)
    for name, (_, given) in ENTRIES.items()
    for position, one in enumerate(given)
    if isinstance(one, np.ndarray) and (name, position) not in FREE
]


def longer(array: np.ndarray) -> np.ndarray:
    return np.zeros(tuple(size + 1 for size in array.shape), dtype=array.dtype)


@pytest.mark.parametrize("name", ENTRIES)
def test_what_fits_together_is_taken(name: str):
    kernel, given = ENTRIES[name]
    kernel(*given)


@pytest.mark.parametrize(("name", "position"), ARRAYS)
def test_an_array_of_another_shape_is_refused(name: str, position: int):
    kernel, given = ENTRIES[name]
    changed = [longer(one) if place == position else one for place, one in enumerate(given)]
    with pytest.raises(ValueError, match=r"do not fit together|not one|not so many"):
        kernel(*changed)


@pytest.mark.parametrize(("name", "position"), ARRAYS)
def test_an_array_of_another_type_is_refused(name: str, position: int):
    kernel, given = ENTRIES[name]
    changed = [one.astype(np.float32) if place == position else one for place, one in enumerate(given)]
    with pytest.raises(ValueError, match="dtype mismatch"):
        kernel(*changed)


@pytest.mark.parametrize("begin", [-1, 1])
def test_rows_that_are_not_there_are_refused(begin: int):
    for name, position in (("spread_rows", 4), ("scale_to_pairs", 4)):
        kernel, given = ENTRIES[name]
        with pytest.raises(ValueError, match="not so many rows"):
            kernel(*[begin if place == position else one for place, one in enumerate(given)])


def test_terms_that_do_not_fit_are_refused():
    parts = TERMS.__reduce__()[1]
    for position in (0, 1, 2, 4, 5, 6):
        changed = [longer(one) if place == position else one for place, one in enumerate(parts)]
        with pytest.raises(ValueError, match="do not fit together"):
            Terms(*changed)


def test_terms_survive_a_pickle():
    again = pickle.loads(pickle.dumps(TERMS))
    for one, other in zip(TERMS.__reduce__()[1], again.__reduce__()[1], strict=True):
        np.testing.assert_array_equal(one, other)
    assert again.dense_count == TERMS.dense_count == 6
