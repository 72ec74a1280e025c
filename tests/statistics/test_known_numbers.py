"""Columns of numbers that have a value, whichever statistic saw it."""

from typing import Any

import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.counts import Counts
from suffice.statistics.joint_counts import MeasureJointCounts
from suffice.statistics.known_numbers import OfNumbers, known_numbers
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.moments.full_moments import MeasureFullMoments
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.statistic import MeasureTogether
from suffice.statistics.totals import MeasureTotals
from suffice.statistics.value_counts import MeasureValueCounts

SCHEMA = Schema((Numeric("a"), Nominal("k", ("u",)), Numeric("b"), Numeric("c")), Nominal("y", ("no", "yes")))
MEASURES: dict[str, Any] = {
    "moments": Moments,
    "full moments": MeasureFullMoments(Indicators.of_all_levels(SCHEMA)),
    "totals": MeasureTotals(("a", "b", "c")),
    "values": MeasureValueCounts(("a", "b", "c")),
    "joint": MeasureJointCounts((np.array([1.5]),) * 3),
}


def batch_of(numbers: list[list[float]]) -> Batch:
    rows = len(numbers)
    codes = np.zeros((1, rows), dtype=np.int32)
    return Batch(SCHEMA, np.array(numbers).reshape(rows, 3), codes, np.arange(rows, dtype=np.int32) % 2)


@pytest.mark.parametrize("kind", MEASURES)
def test_a_column_is_known_as_long_as_a_row_has_a_value(kind: str) -> None:
    measure = MEASURES[kind]
    whole, gone = batch_of([[1.0, np.nan, np.nan], [2.0, np.nan, 3.0]]), batch_of([[1.0, np.nan, np.nan]])
    assert isinstance(measure.of(whole), OfNumbers)
    assert measure.of(whole).known_numbers == {"a", "c"}
    assert measure.of(whole).without(measure.of(gone)).known_numbers == {"a", "c"}
    assert measure.of(whole).without(measure.of(whole)).known_numbers == frozenset()


def test_of_several_parts_any_may_know_it() -> None:
    batch = batch_of([[1.0, 2.0, np.nan]])
    parts = {"counts": Counts, "totals": MeasureTotals(("a",)), "values": MeasureValueCounts(("b", "c"))}
    assert not isinstance(Counts.of(batch), OfNumbers)
    assert known_numbers(MeasureTogether(parts).of(batch)) == {"a", "b"}
