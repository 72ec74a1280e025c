"""Quasi-Newton (BFGS): an old Hessian, corrected by how the gradient has changed on the steps since."""

from __future__ import annotations

from dataclasses import dataclass, field

from suffice.schema import Array
from suffice.solve.symmetric import SymmetricInverse


@dataclass
class QuasiNewton:
    """BFGS: the inverse of a Hessian that was measured elsewhere, and the steps since."""

    inverse: SymmetricInverse
    steps: list[tuple[Array, Array]] = field(default_factory=list)  # s and y: the step, the gradient's fall

    def remember(self, moved: Array, fell: Array) -> None:
        """A step, and by how much the gradient fell."""
        if float(moved @ fell) > 0.0:
            self.steps.append((moved, fell))

    def newton_step(self, gradient: Array) -> Array:
        """BFGS's two-loop recursion: the corrected inverse times the gradient."""
        rest, pulls = gradient.copy(), []
        for moved, fell in reversed(self.steps):
            pull = float(moved @ rest) / float(moved @ fell)
            rest -= pull * fell
            pulls.append(pull)
        step = self.inverse.times(rest)
        for (moved, fell), pull in zip(self.steps, reversed(pulls), strict=True):
            step += (pull - float(fell @ step) / float(moved @ fell)) * moved
        return step
