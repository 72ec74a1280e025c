"""What a metric is: a number that says how good predictions are, and how it reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np

from suffice.errors import SettingError, did_you_mean

MOST_DECIMALS = 12


@dataclass(frozen=True, slots=True)
class Metric:
    """A function of predictions, truth and weights, with its heading and its direction."""

    heading: str
    of: Callable[..., float]
    higher_is_better: bool
    has_unit: bool = False  # the target's: then its size says how many decimals are worth reading
    is_share: bool = False  # between 0 and 1

    def decimals(self, scores: Iterable[float], digits: int = 4) -> int:
        """How many decimals the scores are shown with; in the target's unit, so that the largest has so many digits.

        >>> Metric("RMSE", min, higher_is_better=False, has_unit=True).decimals([7.84, 0.5])
        3
        """
        if not self.has_unit:
            return digits
        largest = max((abs(score) for score in scores if np.isfinite(score)), default=0.0)
        before = int(np.floor(np.log10(largest))) + 1 if largest > 0 else 1
        return min(max(digits - before, 0), MOST_DECIMALS)


def require_metric(metric: str, known: Collection[str]) -> None:
    """A metric must be one of those that there are."""
    if metric not in known:
        raise SettingError(f"There is no metric {metric!r}.{did_you_mean(metric, known)} There are {', '.join(known)}.")


def score_text(number: float, decimals: int) -> str:
    """A score, or a dash where there is none: a perceptron has no probabilities to lose.

    >>> score_text(1234.5, 1), score_text(float("nan"), 4)
    ('1,234.5', '–')
    """
    return "–" if np.isnan(number) else f"{number:,.{decimals}f}"
