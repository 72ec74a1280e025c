"""Cancellation: a bound on the rounding error of sums after rows were taken out, and where it is too much.

Taking rows out subtracts sums, and what is left keeps the rounding of what was there before. Every removal, and every
addition after it, adds its rounding to a bound on the error. The bound is part of the statistic: it merges, and it is
saved. None stands for statistics from which nothing was ever taken out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice.errors import ForgetError
from suffice.schema import AnyArray, Array, Codes, picked
from suffice.soundness import require_numbers

Lost = Array | None
ROUNDING = 1e-16  # of a sum: numbers have 16 digits
MOST_LOST = 1e-8  # of what is left: 8 of the 16 digits
NOISE = 1e4  # times the bound: long sums of products round more than once
NEGATIVE_COUNTS = "taking them out would leave negative counts"


def require_sound_lost(lost: Lost, shape: tuple[int, ...]) -> None:
    """What a file may have wrong about digits that were lost."""
    if lost is not None:
        require_numbers("digits lost", lost, shape, 0.0)


def lost_in_merge(first: Lost, second: Lost, total: Array) -> Lost:
    """The bound of two parts together, which is none where neither had anything taken out."""
    if first is None and second is None:
        return None
    return ROUNDING * total + (0.0 if first is None else first) + (0.0 if second is None else second)


def lost_in_removal(first: Lost, second: Lost, before: Array, is_left: AnyArray) -> Array:
    """The bound after a removal from sums of the size `before`; what has no rows left is exactly nothing."""
    bound = ROUNDING * before + (0.0 if first is None else first) + (0.0 if second is None else second)
    return np.where(is_left, bound, 0.0)


def off_mean(removed: Array, mean: Array, other: Array) -> Array:
    """Cancellation error 2·w·|δ|·|μ|, in roundings, that a rounded mean makes in the squares of rows far from zero."""
    off: Array = 2.0 * removed * np.abs(mean - other) * np.maximum(np.abs(mean), np.abs(other))
    return off


def picked_lost(lost: Lost, where: Codes, axis: int = 0) -> Lost:
    """The bound of some classes, or dimensions."""
    return None if lost is None else picked(lost, where, axis)


def require_digits(
    lost: Array, left: Array, is_touched: AnyArray, names: Sequence[str], most: float = MOST_LOST
) -> None:
    """Refuse a removal after which sums of powers (class, column) may be wrong by more than `most` of what is left."""
    is_lost = is_touched & (lost > most * left)
    if is_lost.any():
        column, digits = names[int(np.argwhere(is_lost)[0][-1])], round(np.log10(most / ROUNDING))
        raise ForgetError(
            f"Taking these rows out would lose more than {digits} digits of the spread of column {column!r}: they hold "
            "nearly all of it, or were never in the model, or many rows of its size came and went. Fit again without "
            "them; the model is unchanged."
        )


def require_possible(scatter: Array, lost: Array) -> None:
    """Refuse a scatter (class, dimension, dimension) that rows cannot have: negative in some direction.

    Where every entry is off by at most √(l_i·l_j), with l the bound of the sums of squares, adding p·l to the diagonal
    of p dimensions leaves no negative eigenvalue.
    """
    for matrix, bound in zip(scatter, lost, strict=True):
        used = np.flatnonzero(bound > 0.0)
        noisy = matrix[np.ix_(used, used)] + np.diag(NOISE * len(used) * bound[used])
        spread = np.diagonal(noisy)
        if np.any(spread <= 0.0):
            raise never_there()
        root = np.sqrt(spread)
        if len(used) and np.linalg.eigvalsh(noisy / np.outer(root, root))[0] < -ROUNDING * NOISE:
            raise never_there()


def never_there(why: str = "without them the spread would be negative in some direction") -> ForgetError:
    """What is said of a removal that leaves what no rows can have, such as negative counts."""
    return ForgetError(
        f"Some of these rows were never in the model: {why}. Forget only rows the model was trained on, with the same "
        "weights; the model is unchanged."
    )
