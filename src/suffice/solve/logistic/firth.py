"""Firth's penalised likelihood: ln L(β) + ½ ln det I(β), whose maximum is finite and less biased."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.penalty import Penalty
from suffice.solve.symmetric import SymmetricInverse
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.firth import MeasureFirthPenalty
from suffice.statistics.linear.occurrences import MeasureOccurrences
from suffice.statistics.statistic import Measure


@dataclass(frozen=True)
class FirthObjective(Objective):
    """Firth's penalised log-likelihood (Jeffreys' prior); it needs the Fisher information at every point."""

    root: Array  # (dimension,), of the Hessian's diagonal at w = 0: the units that determinants are taken in
    undetermined: int  # directions in which the Fisher information vanishes wherever it is taken

    @classmethod
    def of(cls, measure: Measure, design: Design, reference: int, penalty: Penalty) -> FirthObjective:
        """The objective in the units of the rows."""
        root = np.sqrt(measure(MeasureOccurrences(design)).square / 4)
        return cls(measure, design, reference, penalty, root, undetermined=0).on(measure)

    def on(self, measure: Measure) -> FirthObjective:
        """The same on other rows, which may leave other directions undetermined."""
        rows = replace(self, measure=measure)
        hessian = super(FirthObjective, rows).at(np.zeros(self.shape), with_hessian=True).hessian
        assert hessian is not None
        return replace(rows, undetermined=SymmetricInverse.of(hessian, self.root).directions.shape[1])

    def at(self, weights: Array, with_hessian: bool = False) -> Evaluation:
        """Evaluate at some weights, in two passes."""
        plain = super().at(weights, with_hessian=True)
        assert plain.hessian is not None
        inverse = SymmetricInverse.of(plain.hessian, self.root)
        if inverse.directions.shape[1] > self.undetermined:  # so far out that it vanishes to rounding: ln det I → −∞
            return replace(plain, value=-np.inf)
        penalty = self.measure(MeasureFirthPenalty(self.design, weights, inverse.matrix()))
        return replace(
            plain,
            value=plain.value + 0.5 * inverse.log_determinant,
            gradient=plain.gradient + penalty.along,
            hessian=plain.hessian + penalty.hessian,
            fisher=plain.hessian,
        )
