"""An old curvature, corrected by how the slope has changed on the steps since (Broyden, Fletcher, Goldfarb, Shanno)."""

from __future__ import annotations

from dataclasses import dataclass, field

from suffice.schema import Array
from suffice.solve.symmetric import SymmetricInverse


@dataclass
class OldCurvature:
    """The inverse of a curvature that was measured elsewhere, and the steps since."""

    inverse: SymmetricInverse
    steps: list[tuple[Array, Array]] = field(default_factory=list)  # how far it was, and by how much the slope fell

    def remember(self, moved: Array, fell: Array) -> None:
        """A step, and what it did to the slope."""
        if float(moved @ fell) > 0.0:
            self.steps.append((moved, fell))

    def newton_step(self, gradient: Array) -> Array:
        """The inverse times the gradient, such that it would have foretold every step since."""
        rest, pulls = gradient.copy(), []
        for moved, fell in reversed(self.steps):
            pull = float(moved @ rest) / float(moved @ fell)
            rest -= pull * fell
            pulls.append(pull)
        step = self.inverse.times(rest)
        for (moved, fell), pull in zip(self.steps, reversed(pulls), strict=True):
            step += (pull - float(fell @ step) / float(moved @ fell)) * moved
        return step
