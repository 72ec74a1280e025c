"""Firth's penalised likelihood: ln L(β) + ½ ln det I(β), whose maximum is finite and less biased."""

from __future__ import annotations

from dataclasses import dataclass, replace

from suffice.schema import Array
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.symmetric import SymmetricInverse
from suffice.statistics.linear.firth import MeasureFirthPenalty


@dataclass(frozen=True)
class FirthObjective(Objective):
    """Firth's penalised log-likelihood (Jeffreys' prior); it needs the Fisher information at every point."""

    root: Array  # (dimension,), of the Hessian's diagonal at w = 0: the units that determinants are taken in

    def at(self, weights: Array, with_hessian: bool = False) -> Evaluation:
        """Evaluate at some weights, in two passes."""
        plain = super().at(weights, with_hessian=True)
        assert plain.hessian is not None
        inverse = SymmetricInverse.of(plain.hessian, self.root)
        penalty = self.measure(MeasureFirthPenalty(self.design, weights, inverse.matrix()))
        return replace(
            plain,
            value=plain.value + 0.5 * inverse.log_determinant,
            gradient=plain.gradient + penalty.along,
            hessian=plain.hessian + penalty.hessian,
        )

    def information(self, evaluation: Evaluation) -> Array | None:
        """The Fisher information of the rows alone, whose inverse is the covariance of the estimate."""
        return super().at(evaluation.weights, with_hessian=True).hessian
