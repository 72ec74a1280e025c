"""The joint-table Bayes classifier for tables as they are."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from suffice.estimators.class_factors import class_factors
from suffice.estimators.generative_classifier import GenerativeClassifier
from suffice.models.generative import GenerativeModel
from suffice.models.joint_bayes import JointBayesModel
from suffice.schema import Array, Batch, Nominal, Schema
from suffice.settings import require_whole
from suffice.solve.probabilities import class_priors, require_smoothing
from suffice.sources import Rows
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts
from suffice.statistics.joint_counts import MeasureJointCounts
from suffice.statistics.number_lines import NumberLines
from suffice.statistics.reweighed import MeasureReweighed
from suffice.statistics.statistic import Measurement, MeasureTogether, Together, merged


class JointBayes(GenerativeClassifier):
    """The Bayes classifier with the full joint table: P(x | y) counted for whole rows.

    Numeric columns are cut at quantiles into `bins` intervals. A combination never seen gets the class priors.
    `class_weight` maps classes to what their rows count for, or is "balanced".

    >>> import suffice as sf
    >>> model = sf.JointBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis")
    >>> model.parameter_count
    73
    """

    _family = "joint table"
    _needs_all_rows = True  # how many combinations there are, and whether they fit
    model_: JointBayesModel
    _holds = JointBayesModel

    def __init__(
        self,
        smoothing: float = 0.0,
        bins: int = 4,
        priors: Any = None,
        class_weight: Any = None,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
    ) -> None:
        self.smoothing = smoothing
        self.bins = bins
        self.priors = priors
        self.class_weight = class_weight
        self.nominal = nominal
        self.missing_values = missing_values
        self.keep = keep
        self.drop = drop

    def _unfamiliar(self, batch: Batch) -> int:
        return 0 if self.smoothing else int(np.count_nonzero(self.model_.is_unseen(batch)))

    def _numbers(self, table: Rows) -> float:
        """A count per class and combination, of which there are no more than rows."""
        schema = table.schema
        values = [len(column.levels) if isinstance(column, Nominal) else 1 for column in schema.columns]
        return float(schema.class_count * min(prod(max(count, 1) for count in values), table.rows or 0))

    def _measurement(self, table: Rows) -> MeasureTogether:
        require_smoothing(self.smoothing, "uniform")
        require_whole("bins", self.bins, 2)
        return _measure(self._quantiles(table) if table.schema.numeric else ())

    def _quantiles(self, table: Rows, before: ClassWeights | None = None) -> tuple[Array, ...]:
        """Where to cut the numeric columns of some rows, which may come after others."""
        lines = table.measure(self._weighing(table, before))
        return tuple(tally.quantile_cuts(self.bins) for tally in lines.tallies)

    def _weighing(self, table: Rows, before: ClassWeights | None) -> Measurement[NumberLines]:
        """The number lines of rows that count for as much as `class_weight` says, for quantiles are shares of them."""
        if self.class_weight is None:
            return NumberLines
        added = table.measure(ClassWeights)
        weight = (added if before is None else merged(before, added)).weight
        return MeasureReweighed(NumberLines, class_factors(self.class_weight, table.schema.classes, weight))

    def _measurement_of_more(self, table: Rows) -> MeasureTogether:
        """Columns are cut as they were; those in which no row had a value are cut now."""
        numeric, joint = table.schema.numeric, self.statistic_.parts["joint"]
        known = [joint.cuts_of(column.name) for column in numeric]
        if all(cuts is not None for cuts in known):
            return _measure(tuple(known))
        found = self._quantiles(table, self.statistic_.parts["classes"])
        return _measure(tuple(new if cuts is None else cuts for cuts, new in zip(known, found, strict=True)))

    def _remeasurement(self, schema: Schema) -> MeasureTogether:
        joint = self.statistic_.parts["joint"]
        return _measure(tuple(joint.cuts[joint.schema.numeric_position[column.name]] for column in schema.numeric))

    def _solve(self, statistic: Together) -> GenerativeModel:
        parts = statistic.parts
        priors = class_priors(parts["classes"].weight, statistic.schema.classes, self.priors)
        return JointBayesModel(statistic.schema, priors, parts["joint"], float(self.smoothing))


def _measure(cuts: tuple[Array, ...]) -> MeasureTogether:
    return MeasureTogether({"classes": ClassWeights, "counts": Counts, "joint": MeasureJointCounts(cuts)})
