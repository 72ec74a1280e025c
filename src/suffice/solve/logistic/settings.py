"""What a logistic regression is told: its prior, how it is maximised, and when that ends."""

from __future__ import annotations

from dataclasses import dataclass

SOLVERS = ("newton", "gradient_ascent", "conjugate_gradient")


@dataclass(frozen=True, slots=True)
class LogisticSettings:
    """How to learn; `l2_of` has the penalties of columns that differ from `l2`."""

    prior: str  # none, gaussian or jeffreys
    l2: float
    l2_of: dict[str, float]
    solver: str
    degree: int
    standardize: bool
    most_steps: int | None
    tol: float
    step: float | None
    vocabulary: int | None = None
    is_chosen: bool = False  # the strength of the penalty, by leaving out one row at a time

    @property
    def leaves_some_free(self) -> bool:
        """Whether some column's weights are not penalised at all, so that they may be undetermined or without end."""
        return self.prior == "none" or any(value == 0 for value in self.l2_of.values())

    def l2_of_column(self, name: str) -> float:
        """The penalty of a column's weights."""
        return self.l2_of.get(name, self.l2)
