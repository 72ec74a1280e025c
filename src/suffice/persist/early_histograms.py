"""Histograms as files had them up to version 3: of seven binary digits, each cell one whole number."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.persist.known import KNOWN
from suffice.soundness import require_codes
from suffice.statistics.binary_digits import LEAST_DIGITS, MOST_DIGITS, numbers_of

CODE_BITS = 18  # of sign, exponent and 6 bits of the fraction: the rest of a cell is its group


def early_histograms(cells: Any, weight: Any, groups: int) -> Any:
    """The same histograms; with other rows they merge to ones of seven digits, where they have any rows.

    A cell is group · 2¹⁸ + code, ascending; codes are numbers without their last digits, in their order.
    """
    require_codes("cells", cells, np.shape(cells), 0, (groups << CODE_BITS) - 1, np.int64)
    if np.any(cells[1:] <= cells[:-1]):
        raise ValueError("the cells are not in ascending order")
    code = (cells & ((1 << CODE_BITS) - 1)) - (1 << (CODE_BITS - 1))
    sizes = np.bincount(cells >> CODE_BITS, minlength=groups)
    digits = np.where(sizes == 0, MOST_DIGITS, LEAST_DIGITS)
    histograms = KNOWN["Histograms"](digits, np.cumsum(sizes), numbers_of(code << (64 - CODE_BITS)), weight)
    histograms.require_sound()
    return histograms
