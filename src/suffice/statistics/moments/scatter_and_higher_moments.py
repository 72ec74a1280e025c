"""Scatter matrices and kurtosis of the same rows: powers are taken around the means that the matrices have."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.schema import Batch
from suffice.statistics.moments.higher_moments import Tails
from suffice.statistics.statistic import MeasureTogether, Together

FULL, TAILS = "full", "tails"


@dataclass(frozen=True, slots=True)
class MeasureScatterAndTails(MeasureTogether):
    """Scatter matrices, kurtosis and other measurements in one pass, which finds no mean twice."""

    def of(self, batch: Batch) -> Together:
        """All statistics of one batch; where cells are missing, the tails find their means by themselves."""
        others = MeasureTogether({name: part for name, part in self.parts.items() if name != TAILS}).of(batch)
        moments = others.parts[FULL].of_columns()
        tails = Tails.of(batch) if moments is None else Tails.around(moments, batch)
        return Together({**others.parts, TAILS: tails})
