"""C4.5's pessimistic error: the upper confidence limit of a binomial rate, from the errors on the training rows."""

from __future__ import annotations

from scipy.special import ndtri

from suffice.errors import SettingError
from suffice.settings import is_number


def require_confidence(confidence: float) -> None:
    """C4.5's confidence lies between 0 (prune most) and 0.5 (prune least)."""
    if not (is_number(confidence) and 0 < confidence <= 0.5):
        raise SettingError(f"confidence must be above 0 and at most 0.5 (C4.5 uses 0.25), not {confidence!r}.")


def quantile(confidence: float) -> float:
    """The normal quantile z that leaves `confidence` above it: 0.6745 for 0.25."""
    return float(-ndtri(confidence))
