"""Candidate splits: what each column offers at a node."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.schema import AnyArray


@dataclass(frozen=True)
class CandidateSplit:
    """One column's best split at a node; not a number where it has none that is allowed."""

    column: int
    gain: float
    split_information: float
    gain_ratio: float
    threshold: float  # of a numeric column
    takes_first: AnyArray | None  # (level,) of a nominal column that is parted in two
    is_chosen: bool
