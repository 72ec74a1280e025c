"""The optimisation trace (convergence history): objective, gradient norm and weights at every step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.report.text import text_table
from suffice.schema import Array, Level
from suffice.soundness import require_a, require_numbers, require_tuple, require_whole

SHOWN = 12


@dataclass(frozen=True)
class ClimbPath:
    """Optimisation trace: every step, or, of very many, every second, fourth … step."""

    names: tuple[str, ...]
    classes: tuple[Level, ...]  # but the reference
    weights: Array  # (step, class but the reference, dimension); of standardised terms, unless standardize=False
    objective: Array  # (step,), the log-likelihood less the penalty
    steepness: Array  # (step,), the largest component of the gradient, a row
    every: int  # one step of so many is kept

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_tuple("terms", self.names, str)
        require_tuple("classes", self.classes, (str, bool, int, float))
        require_whole("distance of steps", self.every, 1)
        require_a("steps", self.weights, np.ndarray)
        steps = len(self.weights)
        require_numbers("weights of steps", self.weights, (steps, len(self.classes), len(self.names)))
        require_numbers("values of the objective", self.objective, (steps,), -np.inf, np.inf, may_lack=True)
        require_numbers("norms of the gradient", self.steepness, (steps,), -np.inf, np.inf, may_lack=True)

    def __len__(self) -> int:
        return len(self.objective)

    def __str__(self) -> str:
        """The trace as a table; of a long one the first and last steps."""
        steps = range(len(self))
        shown = [*steps[:SHOWN], *steps[SHOWN:][-SHOWN:]]
        rows = [[str(i * self.every), f"{self.objective[i]:.6f}", f"{self.steepness[i]:.2e}"] for i in shown]
        if len(self) > 2 * SHOWN:
            rows.insert(SHOWN, ["…", "", ""])
        return text_table(["step", "objective", "gradient a row"], rows)
